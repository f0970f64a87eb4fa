/* system-xml.c - parse and print info/system.xml (doc/format.md, 9.1).
 *
 * The file is one element, <system>, with attributes and text. All attributes are kept, unknown
 * ones too; ltt_system_seal() checks which are required and what values they may have.
 */
#include "base/error-priv.h"
#include "xml/document-priv.h"
#include "xml/xml-escape-priv.h"
#include "xml/xml-file-priv.h"

#include <string.h>

static gboolean fail_with_first_error(const LttRemarks *remarks, GError **error)
{
	for (guint i = 0; i < remarks->told->len; i++) {
		const LttRemark *remark = remarks->told->pdata[i];

		if (remark->is_error)
			return ltt_fail(error, LTT_ERROR_DESCRIPTION, "line %u: %s", remark->line,
					remark->message);
	}
	g_assert_not_reached();
}

static const xmlNode *this_or_next_system(const xmlNode *element)
{
	while (element != NULL && strcmp(ltt_element_name(element), "system") != 0)
		element = ltt_element_next(element);
	return element;
}

static const xmlNode *find_system(const LttDocument *document, GError **error)
{
	const xmlNode *first =
		this_or_next_system(ltt_element_first(ltt_document_get_root(document)));
	const xmlNode *second = first != NULL ? this_or_next_system(ltt_element_next(first)) : NULL;

	if (first == NULL)
		ltt_fail(error, LTT_ERROR_DESCRIPTION, "line 1: no <system>: expected one");
	else if (second != NULL)
		ltt_fail(error, LTT_ERROR_DESCRIPTION, "line %u: second <system>: expected one",
			 ltt_element_line(second));
	return second == NULL ? first : NULL;
}

static LttSystem *read_system(const xmlNode *element, GError **error)
{
	g_autoptr(LttSystem) system = ltt_system_new();
	g_autoptr(GString) text = ltt_element_text(element);

	for (const xmlAttr *attribute = element->properties; attribute != NULL;
	     attribute = attribute->next)
		ltt_system_set(system, (const char *)attribute->name,
			       ltt_attribute_value(attribute));
	ltt_system_set_text(system, g_strstrip(text->str));
	if (!ltt_system_seal(system, error)) {
		g_prefix_error(error, "line %u: ", ltt_element_line(element));
		return NULL;
	}
	return g_steal_pointer(&system);
}

LttSystem *ltt_system_parse(const char *text, gsize length, GError **error)
{
	g_auto(LttRemarks) remarks = {0};
	g_autoptr(LttDocument) document = NULL;
	const xmlNode *element;

	ltt_remarks_init(&remarks);
	document = ltt_document_parse(text, length, &remarks);
	if (document == NULL) {
		fail_with_first_error(&remarks, error);
		return NULL;
	}
	element = find_system(document, error);
	return element != NULL ? read_system(element, error) : NULL;
}

LttSystem *ltt_system_read(const char *path, GError **error)
{
	g_autoptr(GString) text = ltt_xml_file_read(path, error);
	LttSystem *system;

	if (text == NULL)
		return NULL;
	system = ltt_system_parse(text->str, text->len, error);
	if (system == NULL)
		g_prefix_error(error, "%s: ", path);
	return system;
}

char *ltt_system_print(const LttSystem *system)
{
	const char *text = ltt_system_get_text(system);
	GString *out = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<system");

	for (guint i = 0; i < ltt_system_get_n_attributes(system); i++) {
		const char *name;
		const char *value;

		ltt_system_get_attribute(system, i, &name, &value);
		g_string_append_c(out, '\n');
		ltt_xml_append_attribute(out, name, value);
	}
	if (text[0] != '\0') {
		g_string_append(out, ">\n");
		ltt_xml_append_text(out, text);
		g_string_append(out, "\n</system>\n");
	} else {
		g_string_append(out, "/>\n");
	}
	return g_string_free(out, FALSE);
}
