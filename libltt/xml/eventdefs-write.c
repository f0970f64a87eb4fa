/* eventdefs-write.c - print a facility as XML in the strict form (doc/format.md, 8.1).
 *
 * Named types come first, then events, each in their order. For readability, small elements are
 * printed on one line, and all others indented by two blanks.
 */
#include "model/arch-priv.h"
#include "model/facility-priv.h"
#include "xml/grammar-priv.h"
#include "xml/xml-escape-priv.h"

#include <ltt/ltt-eventdefs.h>

#define INDENT "  "

static void append_indent(GString *out, guint level)
{
	for (guint i = 0; i < level; i++)
		g_string_append(out, INDENT);
}

static void append_tag(GString *out, const char *begin, const char *name)
{
	g_string_append(out, begin);
	g_string_append(out, name);
}

/* ---- enums ---- */

/* Returns: whether the labels can be printed as words: their values are 0, 1, 2, ... */
static gboolean are_words(const LttType *type)
{
	for (guint i = 0; i < ltt_type_get_n_labels(type); i++) {
		const LttLabel *label = ltt_type_get_label(type, i);

		if (label->is_negative || (guint64)label->value != i ||
		    !ltt_name_is_valid(label->name))
			return FALSE;
	}
	return TRUE;
}

static void append_words(GString *out, const LttType *type)
{
	for (guint i = 0; i < ltt_type_get_n_labels(type); i++) {
		if (i > 0)
			g_string_append_c(out, ' ');
		ltt_xml_append_text(out, ltt_type_get_label(type, i)->name);
	}
}

static void append_label(GString *out, const LttLabel *label, guint level)
{
	g_autofree char *value =
		label->is_negative ? g_strdup_printf("%" G_GINT64_FORMAT, label->value)
				   : g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)label->value);

	append_indent(out, level);
	g_string_append(out, "<label");
	ltt_xml_append_attribute(out, "name", label->name);
	ltt_xml_append_attribute(out, "value", value);
	g_string_append(out, "/>\n");
}

static void append_labels(GString *out, const LttType *type, guint level)
{
	g_string_append_c(out, '\n');
	for (guint i = 0; i < ltt_type_get_n_labels(type); i++)
		append_label(out, ltt_type_get_label(type, i), level + 1);
	append_indent(out, level);
}

/* ---- types ---- */

/* Returns: whether a type is printed on one line */
static gboolean is_small(const LttType *type)
{
	switch (ltt_type_get_kind(type)) {
	case LTT_ENUM:
		return are_words(type);
	case LTT_ARRAY:
	case LTT_SEQUENCE:
		return is_small(ltt_type_get_element(type));
	case LTT_STRUCT:
	case LTT_UNION:
		return ltt_type_get_n_fields(type) == 0;
	default:
		return TRUE;
	}
}

static void append_type(GString *out, const LttType *type, guint level);

static void append_description(GString *out, const char *description, guint level)
{
	if (description == NULL || description[0] == '\0')
		return;
	append_indent(out, level);
	g_string_append(out, "<description>");
	ltt_xml_append_text(out, description);
	g_string_append(out, "</description>\n");
}

static const char *const shows[] = {
	[LTT_SHOW_USUAL] = NULL,
	[LTT_SHOW_FIRST] = "first",
	[LTT_SHOW_HIDDEN] = "hidden",
};

/* The attributes of a named element that programs may use and readers may ignore. */
typedef struct View {
	const char *print; /* this and the following texts; NULL: none */
	LttShow show;
	const char *ends;
	const char *key;
	const char *state;
	const char *role;
} View;

static const View usual = {.show = LTT_SHOW_USUAL};

static void append_view(GString *out, const View *view)
{
	const struct {
		const char *name;
		const char *value;
	} attributes[] = {
		{LTT_XML_PREFIX "print", view->print}, {LTT_XML_PREFIX "show", shows[view->show]},
		{LTT_XML_PREFIX "ends", view->ends},   {LTT_XML_PREFIX "key", view->key},
		{LTT_XML_PREFIX "state", view->state}, {LTT_XML_PREFIX "role", view->role},
	};

	for (guint i = 0; i < G_N_ELEMENTS(attributes); i++) {
		if (attributes[i].value != NULL)
			ltt_xml_append_attribute(out, attributes[i].name, attributes[i].value);
	}
}

/* Prints an element with a name, with the description and the type inside if it has them. */
static void append_named(GString *out, const char *element, const char *name, const View *view,
			 const char *description, const LttType *type, guint level)
{
	const gboolean is_described = description != NULL && description[0] != '\0';

	append_indent(out, level);
	append_tag(out, "<", element);
	ltt_xml_append_attribute(out, "name", name);
	append_view(out, view);
	if (!is_described && type == NULL) {
		g_string_append(out, "/>\n");
		return;
	}
	g_string_append_c(out, '>');
	if (!is_described && is_small(type)) {
		append_type(out, type, level);
	} else {
		g_string_append_c(out, '\n');
		append_description(out, description, level + 1);
		if (type != NULL) {
			append_indent(out, level + 1);
			append_type(out, type, level + 1);
			g_string_append_c(out, '\n');
		}
		append_indent(out, level);
	}
	append_tag(out, "</", element);
	g_string_append(out, ">\n");
}

static void append_fields(GString *out, const LttType *type, guint level)
{
	static const char *const roles[] = {
		[LTT_FIELD_COUNTER] = LTT_ROLE_COUNTER,
		[LTT_FIELD_ERRNO] = LTT_ROLE_ERRNO,
		[LTT_FIELD_FUNCTION] = LTT_ROLE_FUNCTION,
		[LTT_FIELD_CODE] = LTT_ROLE_CODE,
	};

	if (ltt_type_get_n_fields(type) == 0)
		return;
	g_string_append_c(out, '\n');
	for (guint i = 0; i < ltt_type_get_n_fields(type); i++) {
		const LttField *field = ltt_type_get_field(type, i);
		const View view = {.show = field->show, .role = roles[field->role]};

		append_named(out, "field", field->name, &view, field->description, field->type,
			     level + 1);
	}
	append_indent(out, level);
}

static void append_element(GString *out, const LttType *type, guint level)
{
	const LttType *element = ltt_type_get_element(type);

	if (is_small(element)) {
		append_type(out, element, level);
		return;
	}
	g_string_append_c(out, '\n');
	append_indent(out, level + 1);
	append_type(out, element, level + 1);
	g_string_append_c(out, '\n');
	append_indent(out, level);
}

static void append_type_attributes(GString *out, const LttType *type)
{
	const char *width = ltt_width_name(ltt_type_get_width(type));

	switch (ltt_type_get_kind(type)) {
	case LTT_INT:
	case LTT_UINT:
	case LTT_FLOAT:
	case LTT_ENUM:
		ltt_xml_append_attribute(out, "size", width);
		break;
	case LTT_ARRAY:
		g_string_append_printf(out, " size=\"%" G_GUINT64_FORMAT "\"",
				       ltt_type_get_n_elements(type));
		break;
	case LTT_SEQUENCE:
		ltt_xml_append_attribute(out, "lengthsize", width);
		break;
	case LTT_UNION:
		ltt_xml_append_attribute(out, "typecodesize", width);
		break;
	case LTT_TYPEREF:
		ltt_xml_append_attribute(out, "name", ltt_type_get_ref_name(type));
		break;
	default: /* a string and a struct have no attributes */
		break;
	}
	if (ltt_type_get_format(type) != NULL)
		ltt_xml_append_attribute(out, "format", ltt_type_get_format(type));
}

static void append_type_inside(GString *out, const LttType *type, guint level)
{
	switch (ltt_type_get_kind(type)) {
	case LTT_ENUM:
		if (are_words(type))
			append_words(out, type);
		else
			append_labels(out, type, level);
		break;
	case LTT_ARRAY:
	case LTT_SEQUENCE:
		append_element(out, type, level);
		break;
	default:
		append_fields(out, type, level);
		break;
	}
}

/* Prints a type. The caller indents the first line and ends the last. */
static void append_type(GString *out, const LttType *type, guint level)
{
	const char *name = ltt_type_kind_name(ltt_type_get_kind(type));
	gsize mark;

	append_tag(out, "<", name);
	append_type_attributes(out, type);
	g_string_append_c(out, '>');
	mark = out->len;
	append_type_inside(out, type, level);
	if (out->len > mark) {
		append_tag(out, "</", name);
		g_string_append_c(out, '>');
	} else {
		g_string_truncate(out, mark - 1);
		g_string_append(out, "/>");
	}
}

static gboolean type_has_view(const LttType *type)
{
	for (guint i = 0; i < ltt_type_get_n_fields(type); i++) {
		const LttField *field = ltt_type_get_field(type, i);

		if (field->show != LTT_SHOW_USUAL || field->role != LTT_FIELD_PLAIN ||
		    type_has_view(field->type))
			return TRUE;
	}
	return ltt_type_get_element(type) != NULL && type_has_view(ltt_type_get_element(type));
}

/* Returns: whether any attribute needs the declaration of our namespace */
static gboolean has_view(const LttFacility *facility)
{
	for (guint i = 0; i < ltt_facility_get_n_types(facility); i++)
		if (type_has_view(ltt_facility_get_type(facility, i)->type))
			return TRUE;
	for (guint i = 0; i < ltt_facility_get_n_events(facility); i++) {
		const LttEventType *event = ltt_facility_get_event(facility, i);

		if (event->print != NULL || event->is_hidden || event->ends != NULL ||
		    event->state != NULL || (event->type != NULL && type_has_view(event->type)))
			return TRUE;
	}
	return FALSE;
}

char *ltt_eventdefs_print(const LttFacility *facility)
{
	GString *out = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<facility");

	ltt_xml_append_attribute(out, "name", ltt_facility_get_name(facility));
	if (has_view(facility) || ltt_facility_is_bookkeeping(facility))
		ltt_xml_append_attribute(out, "xmlns:ltt", LTT_XML_NAMESPACE);
	if (ltt_facility_is_bookkeeping(facility))
		ltt_xml_append_attribute(out, LTT_XML_PREFIX "role", LTT_ROLE_BOOKKEEPING);
	g_string_append(out, ">\n");
	append_description(out, ltt_facility_get_description(facility), 1);
	for (guint i = 0; i < ltt_facility_get_n_types(facility); i++) {
		const LttNamedType *type = ltt_facility_get_type(facility, i);

		append_named(out, "type", type->name, &usual, type->description, type->type, 1);
	}
	for (guint i = 0; i < ltt_facility_get_n_events(facility); i++) {
		const LttEventType *event = ltt_facility_get_event(facility, i);
		const View view = {
			.print = event->print,
			.show = event->is_hidden ? LTT_SHOW_HIDDEN : LTT_SHOW_USUAL,
			.ends = event->ends,
			.key = event->key,
			.state = event->state,
		};

		append_named(out, "event", event->name, &view, event->description, event->type, 1);
	}
	g_string_append(out, "</facility>\n");
	return g_string_free(out, FALSE);
}
