/* grammar-priv.h - which elements there are, and what may stand in them. */
#ifndef LTT_GRAMMAR_PRIV_H
#define LTT_GRAMMAR_PRIV_H

#ifndef LTT_BUILDING
#error "grammar-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include "xml/document-priv.h"

/* Attributes of ours that say how text shows what they stand at (doc/format.md, 8.7). The prefix
 * makes readers that do not know them pass over them; inside, it ends with a point. */
#define LTT_XML_PREFIX      "ltt:"
#define LTT_XML_NAMESPACE   "urn:ltt:view"
#define LTT_ATTRIBUTE_PRINT "ltt.print"
#define LTT_ATTRIBUTE_SHOW  "ltt.show"

/* What an element counts as where it stands. */
typedef enum LttRole {
	LTT_ROLE_FACILITY = 1 << 0,
	LTT_ROLE_EVENT = 1 << 1,
	LTT_ROLE_NAMED_TYPE = 1 << 2,
	LTT_ROLE_TYPE = 1 << 3, /* int ... typeref */
	LTT_ROLE_FIELD = 1 << 4,
	LTT_ROLE_LABEL = 1 << 5,
	LTT_ROLE_DESCRIPTION = 1 << 6,
	LTT_ROLE_TEXT = 1 << 7, /* no element, but text */
} LttRole;

/* An element that has a meaning. */
typedef struct LttElement {
	const char *name;
	LttRole role;
	LttTypeKind kind;       /* of LTT_ROLE_TYPE */
	guint inside;           /* roles that may stand in it */
	const char *attributes; /* their names, with white space between */
	const char *expected;   /* what may stand in it, in words */
} LttElement;

/* Returns: (nullable): NULL: no element of that name has a meaning */
const LttElement *ltt_grammar_find(const char *name);

/* Returns: (nullable): the first element inside @element, or the next one after it, with @role */
const xmlNode *ltt_grammar_first(const xmlNode *element, LttRole role);
const xmlNode *ltt_grammar_next(const xmlNode *element, LttRole role);

/* Returns: whether there is an element in @element that has no meaning there */
gboolean ltt_grammar_has_strangers(const xmlNode *element);

/**
 * ltt_grammar_check:
 * @element: one that has a meaning
 *
 * Tells of everything in it, at any depth, that has no meaning where it stands. What is unknown
 * can be left out, with a warning. What is known elsewhere is an error, and so is an unknown
 * element in the place of a type: without it the bytes of a trace would be read wrong.
 */
void ltt_grammar_check(const xmlNode *element, LttRemarks *remarks);

/* Warns of all text directly in @element; @expected: what should stand there, in words. */
void ltt_grammar_ignore_text(const xmlNode *element, const char *expected, LttRemarks *remarks);

#endif
