/* eventdefs-types.c - build types from XML elements (doc/format.md, 8.3).
 *
 * The grammar has checked which elements occur where, and sealing the facility checks the types;
 * the functions here check the values of attributes and report missing parts. The recursion is as
 * deep as the XML, at most LTT_MAX_XML_DEPTH.
 */
#include "model/arch-priv.h"
#include "model/type-priv.h"
#include "xml/eventdefs-read-priv.h"

#include <string.h>

#define INTEGER_WIDTHS "1, 2, 4, 8, short, medium or long"
#define FLOAT_WIDTHS   "4, 8, medium or long"

/* Used in place of an invalid size: every label fits it. */
#define WIDTH_INSTEAD LTT_WIDTH_8

/* Returns: (transfer full): "<event> \"x\"", or "<array>" for an element without a name */
static char *describe(const xmlNode *element)
{
	const char *name = ltt_element_attribute(element, "name");

	if (name == NULL)
		return g_strdup_printf("<%s>", ltt_element_name(element));
	return g_strdup_printf("<%s> \"%s\"", ltt_element_name(element), name);
}

char *ltt_read_name(LttDefsReader *reader, const xmlNode *element)
{
	const char *name = ltt_element_attribute(element, "name");

	if (name != NULL && strlen(name) <= LTT_MAX_NAME_BYTES)
		return g_strdup(name);
	if (name == NULL)
		ltt_remarks_error(reader->remarks, ltt_element_line(element),
				  "<%s> without a name: expected attribute \"name\"",
				  ltt_element_name(element));
	else
		ltt_remarks_error(reader->remarks, ltt_element_line(element),
				  "name of %" G_GSIZE_FORMAT " bytes: expected at most %d",
				  strlen(name), LTT_MAX_NAME_BYTES);
	return g_strdup_printf("_unnamed_%u_", ++reader->n_unnamed);
}

/* Collapses white space, which in prose only serves the layout of the file. */
static char *collapse(const char *text)
{
	GString *out = g_string_new(NULL);

	for (const char *at = text; *at != '\0'; at++) {
		if (!g_ascii_isspace(*at))
			g_string_append_c(out, *at);
		else if (out->len > 0 && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
	}
	if (out->len > 0 && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	return g_string_free(out, FALSE);
}

char *ltt_read_description(const xmlNode *element)
{
	const xmlNode *description = ltt_grammar_first(element, LTT_ROLE_DESCRIPTION);
	g_autoptr(GString) text = NULL;
	g_autofree char *prose = NULL;

	if (description == NULL)
		return NULL;
	text = ltt_element_text(description);
	prose = collapse(text->str);
	return prose[0] != '\0' ? g_steal_pointer(&prose) : NULL;
}

static LttWidth read_width(LttDefsReader *reader, const xmlNode *element, const char *attribute)
{
	const gboolean is_float = strcmp(ltt_element_name(element), "float") == 0;
	const char *expected = is_float ? FLOAT_WIDTHS : INTEGER_WIDTHS;
	const char *text = ltt_element_attribute(element, attribute);
	LttWidth width;

	if (text == NULL) {
		ltt_remarks_error(reader->remarks, ltt_element_line(element),
				  "<%s> without a %s: expected %s", ltt_element_name(element),
				  attribute, expected);
		return WIDTH_INSTEAD;
	}
	if (!ltt_width_from_name(text, &width) ||
	    (is_float &&
	     (width == LTT_WIDTH_1 || width == LTT_WIDTH_2 || width == LTT_WIDTH_SHORT))) {
		ltt_remarks_error(reader->remarks, ltt_element_line(element),
				  "%s \"%s\" of <%s>: expected %s", attribute, text,
				  ltt_element_name(element), expected);
		return WIDTH_INSTEAD;
	}
	return width;
}

static LttWidth read_enum_width(LttDefsReader *reader, const xmlNode *element)
{
	if (ltt_element_attribute(element, "size") != NULL)
		return read_width(reader, element, "size");
	ltt_remarks_warning(reader->remarks, ltt_element_line(element),
			    "<enum> without a size: uses size 4; expected " INTEGER_WIDTHS);
	return LTT_WIDTH_4;
}

static guint64 read_length(LttDefsReader *reader, const xmlNode *element)
{
	const char *text = ltt_element_attribute(element, "size");
	guint64 length;

	if (text == NULL)
		ltt_remarks_error(reader->remarks, ltt_element_line(element),
				  "<array> without a size: expected a number of elements");
	else if (g_ascii_string_to_unsigned(text, 10, 0, LTT_MAX_ARRAY_ELEMENTS, &length, NULL))
		return length;
	else
		ltt_remarks_error(
			reader->remarks, ltt_element_line(element),
			"size \"%s\" of <array>: expected a number from 0 to %" G_GUINT64_FORMAT,
			text, LTT_MAX_ARRAY_ELEMENTS);
	return 0;
}

/* An unknown value may be of a later version, and does not affect the layout: it is ignored. */
LttShow ltt_read_show(const xmlNode *element)
{
	const char *text = ltt_element_attribute(element, LTT_ATTRIBUTE_SHOW);

	if (g_strcmp0(text, "first") == 0)
		return LTT_SHOW_FIRST;
	return g_strcmp0(text, "hidden") == 0 ? LTT_SHOW_HIDDEN : LTT_SHOW_USUAL;
}

static LttFieldRole read_role(const xmlNode *field)
{
	const char *role = ltt_element_attribute(field, LTT_ATTRIBUTE_ROLE);

	if (g_strcmp0(role, LTT_ROLE_COUNTER) == 0)
		return LTT_FIELD_COUNTER;
	if (g_strcmp0(role, LTT_ROLE_FUNCTION) == 0)
		return LTT_FIELD_FUNCTION;
	if (g_strcmp0(role, LTT_ROLE_CODE) == 0)
		return LTT_FIELD_CODE;
	return g_strcmp0(role, LTT_ROLE_ERRNO) == 0 ? LTT_FIELD_ERRNO : LTT_FIELD_PLAIN;
}

static void read_fields(LttDefsReader *reader, const xmlNode *element, LttType *type)
{
	for (const xmlNode *field = ltt_grammar_first(element, LTT_ROLE_FIELD); field != NULL;
	     field = ltt_grammar_next(field, LTT_ROLE_FIELD)) {
		g_autofree char *name = ltt_read_name(reader, field);
		g_autofree char *description = ltt_read_description(field);

		ltt_type_add_field(type, name, description,
				   ltt_read_inner_type(reader, field, TRUE));
		ltt_type_show_field(type, ltt_read_show(field));
		ltt_type_set_field_role(type, read_role(field));
	}
}

static LttType *read_typeref(LttDefsReader *reader, const xmlNode *element)
{
	const char *name = ltt_element_attribute(element, "name");

	if (name != NULL)
		return ltt_type_new_typeref(name);
	ltt_remarks_error(reader->remarks, ltt_element_line(element),
			  "<typeref> without a name: expected that of a type");
	return ltt_type_new_string();
}

static LttType *read_by_kind(LttDefsReader *reader, const xmlNode *element, LttTypeKind kind)
{
	LttType *type;

	switch (kind) {
	case LTT_INT:
		return ltt_type_new_int(read_width(reader, element, "size"));
	case LTT_UINT:
		return ltt_type_new_uint(read_width(reader, element, "size"));
	case LTT_FLOAT:
		return ltt_type_new_float(read_width(reader, element, "size"));
	case LTT_STRING:
		return ltt_type_new_string();
	case LTT_ENUM:
		type = ltt_type_new_enum(read_enum_width(reader, element));
		ltt_read_labels(reader, element, type);
		return type;
	case LTT_ARRAY: {
		const guint64 length = read_length(reader, element);

		return ltt_type_new_array(length, ltt_read_inner_type(reader, element, TRUE));
	}
	case LTT_SEQUENCE: {
		const LttWidth width = read_width(reader, element, "lengthsize");

		return ltt_type_new_sequence(width, ltt_read_inner_type(reader, element, TRUE));
	}
	case LTT_STRUCT:
		type = ltt_type_new_struct();
		read_fields(reader, element, type);
		return type;
	case LTT_UNION:
		type = ltt_type_new_union(read_width(reader, element, "typecodesize"));
		read_fields(reader, element, type);
		return type;
	case LTT_TYPEREF:
		return read_typeref(reader, element);
	}
	g_assert_not_reached();
}

static LttType *read_type(LttDefsReader *reader, const xmlNode *element)
{
	const LttElement *known = ltt_grammar_find(ltt_element_name(element));
	const char *format = ltt_element_attribute(element, "format");
	LttType *type = read_by_kind(reader, element, known->kind);

	ltt_type_set_line(type, ltt_element_line(element));
	if (format != NULL && strstr(known->attributes, "format") != NULL)
		ltt_type_set_format(type, format);
	return type;
}

LttType *ltt_read_inner_type(LttDefsReader *reader, const xmlNode *element, gboolean is_needed)
{
	const xmlNode *first = ltt_grammar_first(element, LTT_ROLE_TYPE);
	const xmlNode *second = first != NULL ? ltt_grammar_next(first, LTT_ROLE_TYPE) : NULL;
	g_autofree char *around = describe(element);

	if (second != NULL)
		ltt_remarks_error(reader->remarks, ltt_element_line(second),
				  "second type <%s> in %s: expected one", ltt_element_name(second),
				  around);
	if (first != NULL)
		return read_type(reader, first);
	if (!is_needed)
		return NULL;
	/* If an element is not allowed here, ltt_grammar_check() has already reported it. */
	if (!ltt_grammar_has_strangers(element))
		ltt_remarks_error(reader->remarks, ltt_element_line(element),
				  "%s without a type: expected one", around);
	return ltt_type_new_string();
}
