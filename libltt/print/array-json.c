/* array-json.c - print a value of a table's array as JSON, as json.c prints the values of events. */
#include "base/shortest-priv.h"

#include <ltt/ltt-print.h>

static void append_float(GString *out, const LttArray *array, gsize i)
{
	const gboolean is_double = array->column->width_bytes == sizeof(double);
	const double value =
		is_double ? ((const double *)array->values)[i] : ((const float *)array->values)[i];
	const char *quote = value - value == 0 ? "" : "\""; /* NaN and infinities */
	char text[LTT_SHORTEST_BYTES];
	const gsize length = is_double
				     ? ltt_shortest_double(value, text)
				     : ltt_shortest_float(((const float *)array->values)[i], text);

	g_string_append(out, quote);
	g_string_append_len(out, text, (gssize)length);
	g_string_append(out, quote);
}

static void append_code(GString *out, const LttArray *array, gsize i)
{
	const guint code = (guint)((const gint32 *)array->values)[i];

	if (code < array->column->n_labels)
		ltt_json_append_string(out, array->texts[code], -1);
	else
		g_string_append(out, array->texts[code]);
}

static void append_elements(GString *out, const LttArray *of, gsize from, gsize to)
{
	g_string_append_c(out, '[');
	for (gsize i = from; i < to; i++) {
		if (i > from)
			g_string_append_c(out, ',');
		ltt_json_append_value(out, of, i);
	}
	g_string_append_c(out, ']');
}

static void append_bytes(GString *out, const guint8 *bytes, gsize length)
{
	g_string_append_c(out, '[');
	for (gsize i = 0; i < length; i++)
		g_string_append_printf(out, i > 0 ? ",%u" : "%u", bytes[i]);
	g_string_append_c(out, ']');
}

/* @only: the index of the only member; -1: all */
static void append_members(GString *out, const LttArray *array, gsize i, gint only)
{
	gboolean is_first = TRUE;

	g_string_append_c(out, '{');
	for (guint child = 0; child < array->n_children; child++) {
		if (only >= 0 && child != (guint)only)
			continue;
		if (!is_first)
			g_string_append_c(out, ',');
		is_first = FALSE;
		ltt_json_append_string(out, array->children[child].column->name, -1);
		g_string_append_c(out, ':');
		ltt_json_append_value(out, &array->children[child], i);
	}
	g_string_append_c(out, '}');
}

/* The tag is child 0, and its index that of the member. */
static void append_union(GString *out, const LttArray *array, gsize i)
{
	append_members(out, array, i, ((const gint32 *)array->children[0].values)[i] + 1);
}

void ltt_json_append_value(GString *out, const LttArray *array, gsize i)
{
	const guint8 *bytes = array->values;

	if (ltt_array_is_null(array, i)) {
		g_string_append(out, "null");
		return;
	}
	switch (array->column->kind) {
	case LTT_COLUMN_TIME:
	case LTT_COLUMN_INT:
		g_string_append_printf(out, "%" G_GINT64_FORMAT, ltt_array_get_int(array, i));
		break;
	case LTT_COLUMN_UINT:
		g_string_append_printf(out, "%" G_GUINT64_FORMAT,
				       (guint64)ltt_array_get_int(array, i));
		break;
	case LTT_COLUMN_FLOAT:
		append_float(out, array, i);
		break;
	case LTT_COLUMN_STRING:
		ltt_json_append_string(out, (const char *)bytes + array->offsets[i],
				       array->offsets[i + 1] - array->offsets[i]);
		break;
	case LTT_COLUMN_ENUM:
		append_code(out, array, i);
		break;
	case LTT_COLUMN_FIXED_BYTES:
		append_bytes(out, bytes + i * array->column->n_elements, array->column->n_elements);
		break;
	case LTT_COLUMN_BYTES:
		append_bytes(out, bytes + array->offsets[i],
			     (gsize)(array->offsets[i + 1] - array->offsets[i]));
		break;
	case LTT_COLUMN_FIXED_LIST:
		append_elements(out, &array->children[0], i * array->column->n_elements,
				(i + 1) * array->column->n_elements);
		break;
	case LTT_COLUMN_LIST:
		append_elements(out, &array->children[0], (gsize)array->offsets[i],
				(gsize)array->offsets[i + 1]);
		break;
	case LTT_COLUMN_STRUCT:
		append_members(out, array, i, -1);
		break;
	case LTT_COLUMN_UNION:
		append_union(out, array, i);
		break;
	}
}
