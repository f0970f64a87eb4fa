/* array-json.c - print a value of a table's array as JSON, as json.c prints the values of events. */
#include "base/shortest-priv.h"

#include <ltt/ltt-print.h>

/* The text so far. */
typedef struct Output {
	GString *text;
	gsize max_bytes;
} Output;

static gboolean append(const Output *out, const LttArray *array, gsize i);

/* Returns: whether more may be appended */
static inline gboolean goes_on(const Output *out)
{
	return out->text->len <= out->max_bytes;
}

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

/* Escapes make a string at most 6 times as long. One that is cut is too long with its quotes. */
static void append_string(const Output *out, const guint8 *bytes, gint32 length)
{
	ltt_json_append_string(out->text, (const char *)bytes,
			       (gssize)MIN((gsize)length, out->max_bytes));
}

static void append_elements(const Output *out, const LttArray *of, gsize from, gsize to)
{
	g_string_append_c(out->text, '[');
	for (gsize i = from; i < to && goes_on(out); i++) {
		if (i > from)
			g_string_append_c(out->text, ',');
		append(out, of, i);
	}
	g_string_append_c(out->text, ']');
}

static void append_bytes(const Output *out, const guint8 *bytes, gsize length)
{
	g_string_append_c(out->text, '[');
	for (gsize i = 0; i < length && goes_on(out); i++)
		g_string_append_printf(out->text, i > 0 ? ",%u" : "%u", bytes[i]);
	g_string_append_c(out->text, ']');
}

/* @only: the index of the only member; -1: all */
static void append_members(const Output *out, const LttArray *array, gsize i, gint only)
{
	gboolean is_first = TRUE;

	g_string_append_c(out->text, '{');
	for (guint child = 0; child < array->n_children && goes_on(out); child++) {
		if (only >= 0 && child != (guint)only)
			continue;
		if (!is_first)
			g_string_append_c(out->text, ',');
		is_first = FALSE;
		ltt_json_append_string(out->text, array->children[child].column->name, -1);
		g_string_append_c(out->text, ':');
		append(out, &array->children[child], i);
	}
	g_string_append_c(out->text, '}');
}

/* The tag is child 0, and its index that of the member. */
static void append_union(const Output *out, const LttArray *array, gsize i)
{
	append_members(out, array, i, ((const gint32 *)array->children[0].values)[i] + 1);
}

static gboolean append(const Output *out, const LttArray *array, gsize i)
{
	const guint8 *bytes = array->values;

	if (ltt_array_is_null(array, i)) {
		g_string_append(out->text, "null");
		return goes_on(out);
	}
	switch (array->column->kind) {
	case LTT_COLUMN_TIME:
	case LTT_COLUMN_INT:
		g_string_append_printf(out->text, "%" G_GINT64_FORMAT, ltt_array_get_int(array, i));
		break;
	case LTT_COLUMN_UINT:
		g_string_append_printf(out->text, "%" G_GUINT64_FORMAT,
				       (guint64)ltt_array_get_int(array, i));
		break;
	case LTT_COLUMN_FLOAT:
		append_float(out->text, array, i);
		break;
	case LTT_COLUMN_STRING:
		append_string(out, bytes + array->offsets[i],
			      array->offsets[i + 1] - array->offsets[i]);
		break;
	case LTT_COLUMN_ENUM:
		append_code(out->text, array, i);
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
	return goes_on(out);
}

void ltt_json_append_value(GString *out, const LttArray *array, gsize i)
{
	const Output all = {out, G_MAXSIZE};

	append(&all, array, i);
}

gboolean ltt_json_append_value_within(GString *out, const LttArray *array, gsize i, gsize max_bytes)
{
	const Output limited = {out, max_bytes};

	return append(&limited, array, i);
}
