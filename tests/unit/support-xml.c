/* support-xml.c - see support-xml.h */
#include "support-xml.h"
#include "unit.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <string.h>

char *source_path(const char *path)
{
	const char *root = g_getenv("LTT_SOURCE");

	return g_build_filename(root != NULL ? root : ".", path, NULL);
}

char *source_text(const char *path, gsize *length)
{
	g_autofree char *whole_path = source_path(path);
	g_autoptr(GError) error = NULL;
	char *text = NULL;

	UNIT_ASSERT_OK(g_file_get_contents(whole_path, &text, length, &error), error);
	return text;
}

GPtrArray *remarks_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
}

char *remarks_text(const GPtrArray *remarks)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < remarks->len; i++) {
		const LttRemark *remark = remarks->pdata[i];

		g_string_append_printf(text, "%u: %s%s\n", remark->line,
				       remark->is_error ? "" : "warning: ", remark->message);
	}
	return g_string_free(text, FALSE);
}

GPtrArray *parse_expecting(const char *xml, const char *expected, const char *file, int line)
{
	g_autoptr(GPtrArray) remarks = remarks_new();
	GPtrArray *facilities = ltt_eventdefs_parse(xml, strlen(xml), remarks);
	g_autofree char *text = remarks_text(remarks);

	unit_assert_text(text, expected, file, line);
	return facilities;
}

void assert_events(const char *xml, const char *expected, const char *file, int line)
{
	g_autoptr(GPtrArray) facilities = parse_expecting(xml, "", file, line);
	g_autofree char *canonical = g_strconcat("facility f\n", expected, NULL);

	unit_assert_text(facilities->len == 1 ? ltt_facility_get_canonical(facilities->pdata[0])
					      : NULL,
			 canonical, file, line);
}

static void collect_error(void *data, const xmlError *error)
{
	g_string_append_printf(data, "%d: %s", error->line, error->message);
}

char *schema_errors(const char *name, const char *xml)
{
	g_autofree char *path = g_build_filename("schemas", name, NULL);
	g_autofree char *whole_path = source_path(path);
	GString *errors = g_string_new(NULL);
	xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewParserCtxt(whole_path);
	xmlRelaxNG *schema = xmlRelaxNGParse(parser);
	xmlRelaxNGValidCtxt *validator = xmlRelaxNGNewValidCtxt(schema);
	xmlDoc *document = xmlReadMemory(xml, (int)strlen(xml), NULL, NULL, XML_PARSE_NONET);

	xmlRelaxNGSetValidStructuredErrors(validator, (xmlStructuredErrorFunc)collect_error,
					   errors);
	if (schema == NULL)
		g_string_append(errors, "no schema");
	else if (document == NULL)
		g_string_append(errors, "not well-formed");
	else if (xmlRelaxNGValidateDoc(validator, document) != 0 && errors->len == 0)
		g_string_append(errors, "not valid");
	xmlFreeDoc(document);
	xmlRelaxNGFreeValidCtxt(validator);
	xmlRelaxNGFree(schema);
	xmlRelaxNGFreeParserCtxt(parser);
	return g_string_free(errors, FALSE);
}
