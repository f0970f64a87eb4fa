/* document.c - parse untrusted XML with libxml2.
 *
 * libxml2 never sees the file itself but the output of the prepass, which has no document type,
 * hence no entities and no external references, and stays within our limits on depth and parts.
 * The limits of libxml2 are therefore disabled. libxml2 prints nothing to stderr.
 *
 * libxml2 counts lines in 16 bits. The prepass records the lines of all elements in document order;
 * each element gets a pointer to its own.
 */
#include "xml/document-priv.h"

#include <libxml/parser.h>
#include <string.h>

#define NO_MEMORY "not enough memory to read it"

#define WHITE " \t\r\n"

struct LttDocument {
	xmlDoc *tree;
	GArray *places; /* of LttPlace; nodes point into it */
};

static void init_libxml2(void)
{
	static gsize is_done;

	if (g_once_init_enter(&is_done)) {
		xmlInitParser();
		g_once_init_leave(&is_done, 1);
	}
}

/* Reports the last error of libxml2, in the style of our messages. */
static void tell_last_error(xmlParserCtxt *parser, LttRemarks *remarks)
{
	const xmlError *error = xmlCtxtGetLastError(parser);
	g_autofree char *message = NULL;

	if (error == NULL || error->message == NULL) {
		ltt_remarks_error(remarks, 1, "not XML that can be read");
		return;
	}
	message = g_strchomp(g_strdup(error->message));
	message[0] = g_ascii_tolower(message[0]);
	ltt_remarks_error(remarks, error->line > 0 ? (guint)error->line : 1, "not XML: %s",
			  message);
}

/* Without memory libxml2 may leave out text or elements, and return the tree of the rest. */
static gboolean lacked_memory(const xmlParserCtxt *parser)
{
	const xmlError *error = xmlGetLastError(); /* of functions that have no parser */

	return parser->errNo == XML_ERR_NO_MEMORY ||
	       (error != NULL && error->code == XML_ERR_NO_MEMORY);
}

static xmlDoc *parse_strict(const GString *text, LttRemarks *remarks)
{
	const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
			    XML_PARSE_NOENT | XML_PARSE_NOCDATA | XML_PARSE_COMPACT |
			    XML_PARSE_HUGE;
	xmlParserCtxt *parser = xmlNewParserCtxt();
	xmlDoc *tree;

	if (parser == NULL) {
		ltt_remarks_error(remarks, 1, NO_MEMORY);
		return NULL;
	}
	xmlResetLastError();
	tree = xmlCtxtReadMemory(parser, text->str, (int)text->len, NULL, "UTF-8", options);
	if (lacked_memory(parser)) {
		ltt_remarks_error(remarks, 1, NO_MEMORY);
		g_clear_pointer(&tree, xmlFreeDoc);
	} else if (tree == NULL) {
		tell_last_error(parser, remarks);
	}
	xmlFreeParserCtxt(parser);
	return tree;
}

/* Returns: the node after @node in document order, within @root */
static xmlNode *next_in_order(xmlNode *node, const xmlNode *root)
{
	if (node->children != NULL && node->type == XML_ELEMENT_NODE)
		return node->children;
	while (node != root && node->next == NULL)
		node = node->parent;
	return node != root ? node->next : NULL;
}

static void set_places(xmlNode *root, GArray *places)
{
	guint n_elements = 0;

	for (xmlNode *node = root; node != NULL; node = next_in_order(node, root)) {
		if (node->type == XML_ELEMENT_NODE && n_elements < places->len)
			node->_private = &g_array_index(places, LttPlace, n_elements++);
	}
}

static LttDocument *parse_text(const char *text, LttRemarks *remarks)
{
	LttStrictXml strict;
	LttDocument *document;
	xmlDoc *tree;

	if (!ltt_xml_prepass(text, &strict, remarks))
		return NULL;
	init_libxml2();
	tree = parse_strict(strict.text, remarks);
	if (tree == NULL) {
		ltt_strict_xml_clear(&strict);
		return NULL;
	}
	document = g_new(LttDocument, 1);
	*document = (LttDocument){.tree = tree, .places = g_steal_pointer(&strict.places)};
	set_places(xmlDocGetRootElement(tree), document->places);
	ltt_strict_xml_clear(&strict);
	return document;
}

LttDocument *ltt_document_parse(const char *bytes, gsize length, LttRemarks *remarks)
{
	g_autofree char *text = NULL;

	if (length > LTT_MAX_XML_BYTES) {
		ltt_remarks_error(remarks, 1, "the text is larger than %d bytes",
				  LTT_MAX_XML_BYTES);
		return NULL;
	}
	text = ltt_xml_decode(bytes, length, remarks);
	return text != NULL ? parse_text(text, remarks) : NULL;
}

void ltt_document_free(LttDocument *document)
{
	if (document == NULL)
		return;
	xmlFreeDoc(document->tree);
	g_array_unref(document->places);
	g_free(document);
}

const xmlNode *ltt_document_get_root(const LttDocument *document)
{
	return xmlDocGetRootElement(document->tree);
}

/* ---- elements ---- */

static const xmlNode *this_or_next_element(const xmlNode *node)
{
	while (node != NULL && node->type != XML_ELEMENT_NODE)
		node = node->next;
	return node;
}

const xmlNode *ltt_element_first(const xmlNode *element)
{
	return this_or_next_element(element->children);
}

const xmlNode *ltt_element_next(const xmlNode *element)
{
	return this_or_next_element(element->next);
}

static const LttPlace *get_place(const xmlNode *element)
{
	static const LttPlace nowhere;

	return element->_private != NULL ? element->_private : &nowhere;
}

guint ltt_element_line(const xmlNode *element)
{
	return get_place(element)->start;
}

const char *ltt_attribute_value(const xmlAttr *attribute)
{
	return attribute->children != NULL ? (const char *)attribute->children->content : "";
}

const char *ltt_element_attribute(const xmlNode *element, const char *name)
{
	for (const xmlAttr *attribute = element->properties; attribute != NULL;
	     attribute = attribute->next) {
		if (strcmp((const char *)attribute->name, name) == 0)
			return ltt_attribute_value(attribute);
	}
	return NULL;
}

/* ---- text ---- */

GString *ltt_element_text(const xmlNode *element)
{
	GString *text = g_string_new(NULL);

	for (const xmlNode *node = element->children; node != NULL; node = node->next) {
		if (node->type == XML_TEXT_NODE)
			g_string_append(text, (const char *)node->content);
	}
	return text;
}

gboolean ltt_node_is_text(const xmlNode *node, guint *line, const char **start)
{
	const char *text = (const char *)node->content;
	const char *at;

	if (node->type != XML_TEXT_NODE)
		return FALSE;
	*start = text + strspn(text, WHITE);
	if (**start == '\0')
		return FALSE;
	*line = node->prev != NULL ? get_place(node->prev)->end : get_place(node->parent)->inner;
	for (at = text; at < *start; at++)
		*line += *at == '\n' ? 1 : 0;
	return TRUE;
}
