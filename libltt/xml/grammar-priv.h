/* grammar-priv.h - the elements of descriptions, and what each may contain. */
#ifndef LTT_GRAMMAR_PRIV_H
#define LTT_GRAMMAR_PRIV_H

#ifndef LTT_BUILDING
#error "grammar-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include "xml/document-priv.h"

/* Attributes that say how text output shows an event or member (doc/format.md, 8.7), what a
 * facility is about (8.8), which event ends which (8.9), and what it says about states (8.10). Readers
 * that do not know the prefix ignore them. The prepass replaces its colon by a point. */
#define LTT_XML_PREFIX      "ltt:"
#define LTT_XML_NAMESPACE   "urn:ltt:view"
#define LTT_ATTRIBUTE_PRINT "ltt.print"
#define LTT_ATTRIBUTE_SHOW  "ltt.show"
#define LTT_ATTRIBUTE_ROLE  "ltt.role"
#define LTT_ATTRIBUTE_ENDS  "ltt.ends"
#define LTT_ATTRIBUTE_KEY   "ltt.key"
#define LTT_ATTRIBUTE_STATE "ltt.state"

/* The values of the attribute role: of a facility (doc/format.md, 8.8), and of a field (8.9). */
#define LTT_ROLE_BOOKKEEPING "bookkeeping"
#define LTT_ROLE_COUNTER     "counter"
#define LTT_ROLE_ERRNO       "errno"
#define LTT_ROLE_FUNCTION    "function"
#define LTT_ROLE_CODE        "code"

/* The role of an element in its parent. */
typedef enum LttRole {
	LTT_ROLE_FACILITY = 1 << 0,
	LTT_ROLE_EVENT = 1 << 1,
	LTT_ROLE_NAMED_TYPE = 1 << 2,
	LTT_ROLE_TYPE = 1 << 3, /* int ... typeref */
	LTT_ROLE_FIELD = 1 << 4,
	LTT_ROLE_LABEL = 1 << 5,
	LTT_ROLE_DESCRIPTION = 1 << 6,
	LTT_ROLE_TEXT = 1 << 7, /* text, not an element */
} LttRole;

/* A known element. */
typedef struct LttElement {
	const char *name;
	LttRole role;
	LttTypeKind kind;       /* of LTT_ROLE_TYPE */
	guint inside;           /* roles of allowed children */
	const char *attributes; /* names of allowed attributes, separated by white space */
	const char *expected;   /* allowed children, in words */
} LttElement;

/* Returns: (nullable): the element with that name; NULL: unknown */
const LttElement *ltt_grammar_find(const char *name);

/* Return: (nullable): the first child element with @role; the next sibling element with @role */
const xmlNode *ltt_grammar_first(const xmlNode *element, LttRole role);
const xmlNode *ltt_grammar_next(const xmlNode *element, LttRole role);

/* Returns: whether @element has a child element that is not allowed there. A misplaced description is ignored. */
gboolean ltt_grammar_has_strangers(const xmlNode *element);

/**
 * ltt_grammar_check:
 * @element: a known element
 *
 * Reports everything in @element, at any depth, that is not allowed in its place. Unknown elements
 * and attributes are ignored with a warning. A known element in a wrong place is an error, and so
 * is an unknown element in the place of a type: without it the events of a trace would be decoded
 * wrongly.
 */
void ltt_grammar_check(const xmlNode *element, LttRemarks *remarks);

/* Warns of all text directly in @element. @expected: the allowed contents, in words */
void ltt_grammar_ignore_text(const xmlNode *element, const char *expected, LttRemarks *remarks);

#endif
