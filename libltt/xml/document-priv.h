/* document-priv.h - parse an XML file, well-formed or as old tools wrote it, into a tree. */
#ifndef LTT_DOCUMENT_PRIV_H
#define LTT_DOCUMENT_PRIV_H

#ifndef LTT_BUILDING
#error "document-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include "xml/prepass-priv.h"

#include <libxml/tree.h>

typedef struct LttDocument LttDocument;

/* Returns: (transfer full) (nullable): a tree of elements and text, with names in lower case; NULL
 *   with an error in @remarks if the bytes cannot be parsed as XML */
LttDocument *ltt_document_parse(const char *bytes, gsize length, LttRemarks *remarks);
void ltt_document_free(LttDocument *document); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttDocument, ltt_document_free)

/* Returns: (transfer none): the root: an element that contains the whole file */
const xmlNode *ltt_document_get_root(const LttDocument *document);

/* Return: (nullable): the first child element of @element; its next sibling element; NULL: none */
const xmlNode *ltt_element_first(const xmlNode *element);
const xmlNode *ltt_element_next(const xmlNode *element);

static inline const char *ltt_element_name(const xmlNode *element)
{
	return (const char *)element->name;
}

/* Returns: the line of its "<" */
guint ltt_element_line(const xmlNode *element);

/* Returns: (transfer none) (nullable): the value of an attribute; NULL: not present */
const char *ltt_element_attribute(const xmlNode *element, const char *name);
const char *ltt_attribute_value(const xmlAttr *attribute);

/* Returns: (transfer full): the text of all direct children */
GString *ltt_element_text(const xmlNode *element);

/* @line: (out), @start: (out) (transfer none): the first character that is not white space
 * Returns: whether a node is text other than white space */
gboolean ltt_node_is_text(const xmlNode *node, guint *line, const char **start);

#endif
