/* tracepoint-format.c - the format of a tracepoint, as fields of a sample. */
#include "formats/perf/file/tracepoint-format-priv.h"

#include "tracepoint/format-priv.h"

static const LttPerfField octets[] = {{.name = "octet", .kind = LTT_PERF_HEX, .width = 1}};

/* Items of an array, by width and sign. */
static const LttPerfField items[2][4] = {
	{{.name = "item", .kind = LTT_PERF_UINT, .width = 1},
	 {.name = "item", .kind = LTT_PERF_UINT, .width = 2},
	 {.name = "item", .kind = LTT_PERF_UINT, .width = 4},
	 {.name = "item", .kind = LTT_PERF_UINT, .width = 8}},
	{{.name = "item", .kind = LTT_PERF_INT, .width = 1},
	 {.name = "item", .kind = LTT_PERF_INT, .width = 2},
	 {.name = "item", .kind = LTT_PERF_INT, .width = 4},
	 {.name = "item", .kind = LTT_PERF_INT, .width = 8}},
};

/* Returns: (nullable): the item of an array of numbers of @width bytes */
static const LttPerfField *item_of(guint64 width, gboolean is_signed)
{
	const guint row = is_signed ? 1 : 0;

	switch (width) {
	case 1:
		return &items[row][0];
	case 2:
		return &items[row][1];
	case 4:
		return &items[row][2];
	case 8:
		return &items[row][3];
	default:
		return NULL;
	}
}

/* Sets the kind of @field to that of a field in a raw event. */
static void convert_kind(const LttTracepointField *source, LttPerfField *field)
{
	switch (source->kind) {
	case LTT_TRACEPOINT_NUMBER:
		field->kind = source->is_signed ? LTT_PERF_INT
			      : source->is_hex  ? LTT_PERF_HEX
						: LTT_PERF_UINT;
		field->width = source->width;
		break;
	case LTT_TRACEPOINT_TEXT:
		field->kind = LTT_PERF_TEXT;
		field->n = source->count;
		break;
	case LTT_TRACEPOINT_ARRAY:
		field->kind = LTT_PERF_ARRAY;
		field->n = source->count;
		break;
	case LTT_TRACEPOINT_LOC_TEXT:
		field->kind = LTT_PERF_LOC_TEXT;
		field->n = source->base;
		break;
	case LTT_TRACEPOINT_LOC_ARRAY:
		field->kind = LTT_PERF_LOC_ITEMS;
		field->n = source->base;
		break;
	case LTT_TRACEPOINT_LOC_TEXTS:
		field->kind = LTT_PERF_LOC_TEXTS;
		field->n = source->count;
		break;
	}
}

static LttPerfField convert_field(LttPerfArena *arena, const LttTracepointField *source)
{
	LttPerfField field = {
		.name = ltt_perf_arena_text(arena, g_strdup(source->name)),
		.place = source->offset,
	};

	convert_kind(source, &field);
	if (source->kind == LTT_TRACEPOINT_ARRAY || source->kind == LTT_TRACEPOINT_LOC_TEXT ||
	    source->kind == LTT_TRACEPOINT_LOC_ARRAY) {
		field.members = source->is_hex ? octets : item_of(source->width, source->is_signed);
		field.n_members = 1;
	}
	return field;
}

gboolean ltt_perf_format_parse(LttPerfArena *arena, const char *text, gsize length,
			       guint long_bytes, LttPerfFormat *format)
{
	g_autoptr(LttTracepoint) tracepoint = ltt_tracepoint_parse(text, length, long_bytes);
	GArray *fields;

	if (tracepoint == NULL)
		return FALSE;
	format->name = ltt_perf_arena_text(arena, g_strdup(tracepoint->name));
	format->id = tracepoint->id;
	format->print = tracepoint->print != NULL
				? ltt_perf_arena_text(arena, g_strdup(tracepoint->print))
				: NULL;
	fields = g_array_new(FALSE, FALSE, sizeof(LttPerfField));
	for (guint i = 0; i < tracepoint->fields->len; i++) {
		const LttPerfField field = convert_field(
			arena, &g_array_index(tracepoint->fields, LttTracepointField, i));

		g_array_append_val(fields, field);
	}
	format->n_fields = fields->len;
	format->fields = ltt_perf_arena_fields(arena, fields);
	return TRUE;
}
