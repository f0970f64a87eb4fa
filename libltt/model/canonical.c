/* canonical.c - the canonical text of a facility and its checksum (doc/format.md, 5).
 *
 * Typerefs are expanded, so a small description can have a canonical text of any length: writing
 * stops at LTT_MAX_CANONICAL_BYTES.
 */
#include "model/arch-priv.h"
#include "model/facility-priv.h"

static gboolean is_full(const GString *text)
{
	return text->len > LTT_MAX_CANONICAL_BYTES;
}

static void append_type(GString *text, const LttType *type);

static void append_fields(GString *text, const LttType *type)
{
	for (guint i = 0; i < ltt_type_get_n_fields(type) && !is_full(text); i++) {
		const LttField *field = ltt_type_get_field(type, i);

		if (i > 0)
			g_string_append_c(text, ',');
		g_string_append_printf(text, "%s:", field->name);
		append_type(text, field->type);
	}
}

static void append_labels(GString *text, const LttType *type)
{
	for (guint i = 0; i < ltt_type_get_n_labels(type) && !is_full(text); i++) {
		const LttLabel *label = ltt_type_get_label(type, i);

		g_string_append_printf(text, ",%s=", label->name);
		if (label->is_negative)
			g_string_append_printf(text, "%" G_GINT64_FORMAT, label->value);
		else
			g_string_append_printf(text, "%" G_GUINT64_FORMAT, (guint64)label->value);
	}
}

static void append_type(GString *text, const LttType *type)
{
	const char *width;

	if (is_full(text))
		return;
	type = ltt_type_resolve(type);
	width = ltt_width_name(ltt_type_get_width(type));
	g_string_append(text, ltt_type_kind_name(ltt_type_get_kind(type)));
	switch (ltt_type_get_kind(type)) {
	case LTT_INT:
	case LTT_UINT:
	case LTT_FLOAT:
		g_string_append_printf(text, "(%s)", width);
		break;
	case LTT_ENUM:
		g_string_append_printf(text, "(%s", width);
		append_labels(text, type);
		g_string_append_c(text, ')');
		break;
	case LTT_ARRAY:
		g_string_append_printf(text, "(%" G_GUINT64_FORMAT ",",
				       ltt_type_get_n_elements(type));
		append_type(text, ltt_type_get_element(type));
		g_string_append_c(text, ')');
		break;
	case LTT_SEQUENCE:
		g_string_append_printf(text, "(%s,", width);
		append_type(text, ltt_type_get_element(type));
		g_string_append_c(text, ')');
		break;
	case LTT_STRUCT:
		g_string_append_c(text, '(');
		append_fields(text, type);
		g_string_append_c(text, ')');
		break;
	case LTT_UNION:
		g_string_append_printf(text, "(%s,", width);
		append_fields(text, type);
		g_string_append_c(text, ')');
		break;
	default: /* a string has no attributes; typerefs are resolved */
		break;
	}
}

char *ltt_canonical_text(const LttFacility *facility)
{
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "facility %s\n", facility->name);
	for (guint i = 0; i < facility->events->len; i++) {
		const LttEventType *event = facility->events->pdata[i];

		g_string_append_printf(text, "event %s ", event->name);
		if (event->type != NULL)
			append_type(text, event->type);
		else
			g_string_append_c(text, '-');
		g_string_append_c(text, '\n');
		if (is_full(text)) {
			g_string_free(text, TRUE);
			return NULL;
		}
	}
	return g_string_free(text, FALSE);
}

gboolean ltt_type_is_same(const LttType *a, const LttType *b)
{
	g_autoptr(GString) text_of_a = g_string_new(NULL);
	g_autoptr(GString) text_of_b = g_string_new(NULL);

	append_type(text_of_a, a);
	append_type(text_of_b, b);
	return !is_full(text_of_a) && g_string_equal(text_of_a, text_of_b);
}

guint32 ltt_crc32(const char *bytes, gsize length)
{
	guint32 crc = 0xffffffff;

	for (gsize i = 0; i < length; i++) {
		crc ^= (guint8)bytes[i];
		for (guint bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}
