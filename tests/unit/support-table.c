/* support-table.c - see support-table.h. */
#include "support-table.h"

#include "base/escape-priv.h"
#include "table/table-priv.h"

#include <ltt/ltt-value.h>

#include <string.h>

/* Prefix of fields with the name of another column. */
#define PREFIX "field_"

static gboolean number_is(const LttArray *array, gsize i, const LttValue *value)
{
	const guint8 *at = (const guint8 *)array->values + i * array->column->width_bytes;
	const guint width = array->column->width_bytes;
	guint64 number = 0;

	if (array->column->kind == LTT_COLUMN_FLOAT) {
		const double expected = ltt_value_get_float(value);
		double d;
		float f;

		memcpy(&d, at, MIN(width, sizeof(d)));
		memcpy(&f, at, sizeof(f));
		if (width == sizeof(f))
			d = (double)f;
		return memcmp(&d, &expected, sizeof(d)) == 0 || (d != d && expected != expected);
	}
	memcpy(&number, at, width); /* the machine is little-endian, or the width is 8 */
	if (G_BYTE_ORDER == G_BIG_ENDIAN)
		number >>= 64 - 8 * width;
	if (array->column->kind == LTT_COLUMN_INT && width < 8 && number >> (8 * width - 1) != 0)
		number |= ~(guint64)0 << (8 * width);
	return number == ltt_value_get_uint(value);
}

static gboolean enum_is(const LttArray *array, gsize i, const LttValue *value)
{
	const gint32 index = ((const gint32 *)array->values)[i];
	const char *label = ltt_value_get_label(value);
	g_autofree char *number =
		value->layout->is_signed
			? g_strdup_printf("%" G_GINT64_FORMAT, ltt_value_get_int(value))
			: g_strdup_printf("%" G_GUINT64_FORMAT, ltt_value_get_uint(value));

	return index >= 0 && (guint)index < array->n_texts &&
	       g_str_equal(array->texts[index], label != NULL ? label : number);
}

static gboolean string_is(const LttArray *array, gsize i, const LttValue *value)
{
	g_autoptr(GString) text = g_string_new(NULL);
	gsize length;
	const char *bytes = ltt_value_get_string(value, &length);

	ltt_string_add_escaped(text, bytes, length, LTT_ESCAPE_NONE);
	return (gsize)(array->offsets[i + 1] - array->offsets[i]) == text->len &&
	       memcmp((const char *)array->values + array->offsets[i], text->str, text->len) == 0;
}

/* The bytes or elements of an array or a sequence. */
static gboolean items_are(const LttArray *array, gsize i, const LttValue *value)
{
	const LttColumn *column = array->column;
	const guint64 n = ltt_value_get_n_items(value);
	const gsize first =
		array->offsets != NULL ? (gsize)array->offsets[i] : i * column->n_elements;
	const gsize end =
		array->offsets != NULL ? (gsize)array->offsets[i + 1] : first + column->n_elements;
	const guint8 *bytes = array->values;

	if (end - first != n)
		return FALSE;
	for (guint64 j = 0; j < n; j++) {
		LttValue item;

		if (!ltt_value_get_item(value, j, &item) ||
		    (array->n_children == 0
			     ? bytes[first + j] != ltt_value_get_uint(&item)
			     : !table_value_is(&array->children[0], first + j, &item)))
			return FALSE;
	}
	return TRUE;
}

static gboolean members_are(const LttArray *array, gsize i, const LttValue *value)
{
	for (guint j = 0; j < array->n_children; j++) {
		LttValue member;

		if (!ltt_value_get_item(value, j, &member) ||
		    !table_value_is(&array->children[j], i, &member))
			return FALSE;
	}
	return TRUE;
}

static gboolean union_is(const LttArray *array, gsize i, const LttValue *value)
{
	const guint code = ltt_value_get_union_code(value);
	LttValue member;

	if (((const gint32 *)array->children[0].values)[i] != (gint32)code ||
	    !ltt_value_get_item(value, 0, &member))
		return FALSE;
	for (guint j = 1; j < array->n_children; j++) {
		if (j != code + 1 ? !ltt_array_is_null(&array->children[j], i)
				  : !table_value_is(&array->children[j], i, &member))
			return FALSE;
	}
	return TRUE;
}

gboolean table_value_is(const LttArray *array, gsize i, const LttValue *value)
{
	if (i >= array->n_values || ltt_array_is_null(array, i))
		return FALSE;
	switch (array->column->kind) {
	case LTT_COLUMN_STRING:
		return string_is(array, i, value);
	case LTT_COLUMN_ENUM:
		return enum_is(array, i, value);
	case LTT_COLUMN_FIXED_BYTES:
	case LTT_COLUMN_BYTES:
	case LTT_COLUMN_FIXED_LIST:
	case LTT_COLUMN_LIST:
		return items_are(array, i, value);
	case LTT_COLUMN_STRUCT:
		return members_are(array, i, value);
	case LTT_COLUMN_UNION:
		return union_is(array, i, value);
	default:
		return number_is(array, i, value);
	}
}

static gboolean u32_is(const LttArray *array, gsize i, gboolean is_there, guint32 value)
{
	return is_there ? !ltt_array_is_null(array, i) &&
				  ((const guint32 *)array->values)[i] == value
			: ltt_array_is_null(array, i);
}

/* Gets the field of a payload for a column. Returns: FALSE if it has no field of that name */
static gboolean find_field(const LttValue *payload, const char *column, LttValue *value)
{
	if (payload->layout->kind != LTT_STRUCT) {
		*value = *payload;
		return g_str_equal(column, "value");
	}
	while (g_str_has_prefix(column, PREFIX) && !ltt_value_find(payload, column, value))
		column += strlen(PREFIX);
	return ltt_value_find(payload, column, value);
}

gboolean table_row_is(const LttTable *table, const LttBatch *batch, gsize i, const LttEvent *event)
{
	const gint cpu = ltt_tracefile_get_cpu(event->tracefile);
	LttValue payload;
	const gboolean has_payload = ltt_event_get_value(event, &payload);

	if ((guint64)((const gint64 *)ltt_batch_get_array(batch, 0)->values)[i] != event->time_ns ||
	    !u32_is(ltt_batch_get_array(batch, 1), i, cpu >= 0, (guint32)cpu) ||
	    !u32_is(ltt_batch_get_array(batch, 2), i, event->has_thread, event->pid) ||
	    !u32_is(ltt_batch_get_array(batch, 3), i, event->has_thread, event->tid))
		return FALSE;
	for (guint j = 4; j < ltt_table_get_n_columns(table); j++) {
		const LttArray *array = ltt_batch_get_array(batch, j);
		LttValue value;

		if (has_payload && find_field(&payload, array->column->name, &value)
			    ? !table_value_is(array, i, &value)
			    : !ltt_array_is_null(array, i))
			return FALSE;
	}
	return TRUE;
}

/* ---- events ---- */

void table_source_init(TableSource *source, LttTrace *trace, gboolean is_merged)
{
	*source = (TableSource){.trace = trace, .all = ltt_select_new()};
	ltt_select_set_all(source->all, TRUE);
	if (is_merged)
		source->merge = ltt_merge_new(trace, source->all);
}

void table_source_clear(TableSource *source)
{
	ltt_merge_free(source->merge);
	ltt_cursor_free(source->cursor);
	ltt_select_free(source->all);
}

static const LttEvent *next_merged(TableSource *source)
{
	const LttEvent *event;
	LttStep step;

	while ((step = ltt_merge_next(source->merge, &event, NULL)) == LTT_STEP_ERROR)
		ltt_merge_skip_block(source->merge);
	return step == LTT_STEP_EVENT ? event : NULL;
}

static const LttEvent *next_in_turn(TableSource *source)
{
	for (;;) {
		const LttEvent *event;
		LttStep step;

		if (source->cursor == NULL) {
			if (source->next_file == ltt_trace_get_n_tracefiles(source->trace))
				return NULL;
			source->cursor = ltt_cursor_new(
				ltt_trace_get_tracefile(source->trace, source->next_file++));
		}
		step = ltt_cursor_next(source->cursor, &event, NULL);
		if (step == LTT_STEP_EVENT)
			return event;
		if (step == LTT_STEP_ERROR)
			ltt_cursor_skip_block(source->cursor);
		else
			g_clear_pointer(&source->cursor, ltt_cursor_free);
	}
}

const LttEvent *table_source_next(TableSource *source, const LttTable *table)
{
	const LttEvent *event;

	do {
		event = source->merge != NULL ? next_merged(source) : next_in_turn(source);
	} while (event != NULL && ltt_table_find_version(table, event->type) == NULL);
	return event;
}
