/* grammar.c - the grammar of descriptions as a table (doc/format.md, 8.1), and a check against it.
 *
 * The table lists where each element and attribute is allowed, so the code that parses facilities
 * and types only looks for what it knows.
 */
#include "xml/grammar-priv.h"

#include <string.h>

#define DESCRIBED_TYPE (LTT_ROLE_DESCRIPTION | LTT_ROLE_TYPE)
#define NUMBER(kind)   LTT_ROLE_TYPE, kind, 0, "size format", "nothing"

static const LttElement elements[] = {
	{"facility", LTT_ROLE_FACILITY, 0,
	 LTT_ROLE_DESCRIPTION | LTT_ROLE_EVENT | LTT_ROLE_NAMED_TYPE, "name " LTT_ATTRIBUTE_ROLE,
	 "a description, events and types"},
	{"event", LTT_ROLE_EVENT, 0, DESCRIBED_TYPE,
	 "name " LTT_ATTRIBUTE_PRINT " " LTT_ATTRIBUTE_SHOW " " LTT_ATTRIBUTE_ENDS
	 " " LTT_ATTRIBUTE_KEY " " LTT_ATTRIBUTE_STATE,
	 "a description and one type"},
	{"type", LTT_ROLE_NAMED_TYPE, 0, DESCRIBED_TYPE, "name", "a description and one type"},
	{"field", LTT_ROLE_FIELD, 0, DESCRIBED_TYPE,
	 "name " LTT_ATTRIBUTE_SHOW " " LTT_ATTRIBUTE_ROLE, "a description and one type"},
	{"label", LTT_ROLE_LABEL, 0, 0, "name value", "nothing"},
	{"description", LTT_ROLE_DESCRIPTION, 0, LTT_ROLE_TEXT, "", "only text"},
	{"int", NUMBER(LTT_INT)},
	{"uint", NUMBER(LTT_UINT)},
	{"float", NUMBER(LTT_FLOAT)},
	{"string", LTT_ROLE_TYPE, LTT_STRING, 0, "format", "nothing"},
	{"enum", LTT_ROLE_TYPE, LTT_ENUM, LTT_ROLE_LABEL | LTT_ROLE_TEXT, "size format",
	 "words or labels"},
	{"array", LTT_ROLE_TYPE, LTT_ARRAY, LTT_ROLE_TYPE, "size", "one type"},
	{"sequence", LTT_ROLE_TYPE, LTT_SEQUENCE, LTT_ROLE_TYPE, "lengthsize", "one type"},
	{"struct", LTT_ROLE_TYPE, LTT_STRUCT, LTT_ROLE_FIELD, "", "fields"},
	{"union", LTT_ROLE_TYPE, LTT_UNION, LTT_ROLE_FIELD, "typecodesize", "fields"},
	{"typeref", LTT_ROLE_TYPE, LTT_TYPEREF, 0, "name", "nothing"},
};

/* Maximum bytes of text quoted in messages. */
#define SNIPPET_BYTES 32

#define TYPE_NAMES "int, uint, float, string, enum, array, sequence, struct, union or typeref"

const LttElement *ltt_grammar_find(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(elements); i++) {
		if (strcmp(elements[i].name, name) == 0)
			return &elements[i];
	}
	return NULL;
}

static gboolean has_role(const xmlNode *element, LttRole role)
{
	const LttElement *known = ltt_grammar_find(ltt_element_name(element));

	return known != NULL && known->role == role;
}

static const xmlNode *this_or_next(const xmlNode *element, LttRole role)
{
	while (element != NULL && !has_role(element, role))
		element = ltt_element_next(element);
	return element;
}

const xmlNode *ltt_grammar_first(const xmlNode *element, LttRole role)
{
	return this_or_next(ltt_element_first(element), role);
}

const xmlNode *ltt_grammar_next(const xmlNode *element, LttRole role)
{
	return this_or_next(ltt_element_next(element), role);
}

gboolean ltt_grammar_has_strangers(const xmlNode *element)
{
	const LttElement *around = ltt_grammar_find(ltt_element_name(element));

	for (const xmlNode *child = ltt_element_first(element); child != NULL;
	     child = ltt_element_next(child)) {
		const LttElement *known = ltt_grammar_find(ltt_element_name(child));

		if (known == NULL ||
		    ((around->inside & known->role) == 0 && known->role != LTT_ROLE_DESCRIPTION))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_word_of(const char *words, const char *word)
{
	const gsize length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)) != NULL; at++) {
		if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return TRUE;
	}
	return FALSE;
}

static void check_attributes(const xmlNode *element, const LttElement *known, LttRemarks *remarks)
{
	/* With the colon that the prepass has replaced. */
	g_autofree char *expected = g_strdelimit(g_strdup(known->attributes), ".", ':');

	for (const xmlAttr *attribute = element->properties; attribute != NULL;
	     attribute = attribute->next) {
		const char *name = (const char *)attribute->name;

		if (!is_word_of(known->attributes, name))
			ltt_remarks_warning(remarks, ltt_element_line(element),
					    "attribute \"%s\" of <%s> is ignored: expected %s",
					    name, known->name,
					    expected[0] != '\0' ? expected : "none");
	}
}

/* @needs_type: @around must contain a type and has none */
static void check_unknown(const xmlNode *child, const LttElement *around, gboolean needs_type,
			  LttRemarks *remarks)
{
	if (needs_type)
		ltt_remarks_error(remarks, ltt_element_line(child),
				  "unknown type <%s>: expected " TYPE_NAMES,
				  ltt_element_name(child));
	else
		ltt_remarks_warning(remarks, ltt_element_line(child),
				    "<%s> in <%s> is ignored: expected %s", ltt_element_name(child),
				    around->name, around->expected);
}

static void check_element(const xmlNode *child, const LttElement *around, gboolean needs_type,
			  LttRemarks *remarks)
{
	const LttElement *known = ltt_grammar_find(ltt_element_name(child));

	if (known == NULL)
		check_unknown(child, around, needs_type, remarks);
	else if ((around->inside & known->role) != 0)
		ltt_grammar_check(child, remarks);
	else if (known->role == LTT_ROLE_DESCRIPTION || around->role == LTT_ROLE_DESCRIPTION)
		/* Descriptions do not affect the layout. */
		ltt_remarks_warning(remarks, ltt_element_line(child),
				    "<%s> in <%s> is ignored: expected %s", known->name,
				    around->name, around->expected);
	else
		ltt_remarks_error(remarks, ltt_element_line(child), "<%s> in <%s>: expected %s",
				  known->name, around->name, around->expected);
}

static void check_descriptions(const xmlNode *element, LttRemarks *remarks)
{
	const xmlNode *second = ltt_grammar_first(element, LTT_ROLE_DESCRIPTION);

	while (second != NULL && (second = ltt_grammar_next(second, LTT_ROLE_DESCRIPTION)) != NULL)
		ltt_remarks_warning(remarks, ltt_element_line(second),
				    "second <description> in <%s> is ignored: expected one",
				    ltt_element_name(element));
}

/* Returns: (transfer full): the beginning of the first line of a text */
static char *snippet(const char *text)
{
	gsize length = strcspn(text, "\n");

	if (length > SNIPPET_BYTES) {
		length = SNIPPET_BYTES;
		while (((guchar)text[length] & 0xc0) == 0x80)
			length--;
	}
	return g_strchomp(g_strndup(text, length));
}

void ltt_grammar_ignore_text(const xmlNode *element, const char *expected, LttRemarks *remarks)
{
	const char *text;
	guint line;

	for (const xmlNode *node = element->children; node != NULL; node = node->next) {
		if (ltt_node_is_text(node, &line, &text)) {
			g_autofree char *start = snippet(text);

			ltt_remarks_warning(remarks, line, "text \"%s\" is ignored: expected %s",
					    start, expected);
		}
	}
}

void ltt_grammar_check(const xmlNode *element, LttRemarks *remarks)
{
	const LttElement *known = ltt_grammar_find(ltt_element_name(element));
	const gboolean needs_type = (known->inside & LTT_ROLE_TYPE) != 0 &&
				    ltt_grammar_first(element, LTT_ROLE_TYPE) == NULL;

	check_attributes(element, known, remarks);
	if ((known->inside & LTT_ROLE_DESCRIPTION) != 0)
		check_descriptions(element, remarks);
	if ((known->inside & LTT_ROLE_TEXT) == 0)
		ltt_grammar_ignore_text(element, known->expected, remarks);
	for (const xmlNode *child = ltt_element_first(element); child != NULL;
	     child = ltt_element_next(child))
		check_element(child, known, needs_type, remarks);
}
