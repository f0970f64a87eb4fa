/* field-size.c - compute the sizes of fields (field-priv.h). */
#include "formats/perf/file/field-priv.h"

#include "base/bytes-priv.h"

gsize ltt_perf_fields_get_size(const LttPerfField *fields, guint n_fields)
{
	gsize size = 0;

	for (guint i = 0; i < n_fields; i++) {
		const gsize one = ltt_perf_field_get_size(&fields[i]);

		if (one == 0)
			return 0;
		size += one;
	}
	return size;
}

gsize ltt_perf_field_get_size(const LttPerfField *field)
{
	switch (field->kind) {
	case LTT_PERF_UINT:
	case LTT_PERF_HEX:
	case LTT_PERF_INT:
	case LTT_PERF_FLOAT:
	case LTT_PERF_LABEL:
		return field->width;
	case LTT_PERF_ARRAY:
		return field->n * ltt_perf_fields_get_size(field->members, field->n_members);
	case LTT_PERF_STRUCT:
		return ltt_perf_fields_get_size(field->members, field->n_members);
	default:
		return 0;
	}
}

gsize ltt_perf_field_get_placed_size(const LttPerfField *field)
{
	switch (field->kind) {
	case LTT_PERF_LOC_TEXT:
	case LTT_PERF_LOC_ITEMS:
		return sizeof(guint32);
	case LTT_PERF_LOC_TEXTS:
		return field->n * sizeof(guint32);
	case LTT_PERF_TEXT:
		return field->n;
	default:
		return ltt_perf_field_get_size(field);
	}
}

void ltt_perf_make_room(GByteArray *out, guint n_bytes)
{
	const guint before = out->len;

	g_byte_array_set_size(out, before + n_bytes);
	out->len = before;
}
