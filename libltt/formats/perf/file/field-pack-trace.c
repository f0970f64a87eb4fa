/* field-pack-trace.c - pack the raw bytes of a tracepoint (field-priv.h). */
#include "formats/perf/file/field-pack-priv.h"

/* Finds the bytes that a word locates. @place: offset of the word; @base: added to the offset in
 * it */
static gboolean find_located(LttPerfPacker *packer, const LttPerfField *field, const guint8 *bytes,
			     gsize n_bytes, gsize place, gsize base, const guint8 **located,
			     gsize *length)
{
	const guint32 where = ltt_load_u32(bytes + place, packer->context->order);
	const gsize begin = base + (where & 0xffff);

	*length = where >> 16;
	if (begin > n_bytes || *length > n_bytes - begin)
		return ltt_perf_packer_fail(packer, field, "it lies outside of the raw bytes");
	*located = bytes + begin;
	return TRUE;
}

static gboolean pack_located(LttPerfPacker *packer, const LttPerfField *field, const guint8 *bytes,
			     gsize n_bytes)
{
	const guint8 *located;
	gsize length;
	gsize item_bytes;

	if (!find_located(packer, field, bytes, n_bytes, field->place, field->n, &located, &length))
		return FALSE;
	if (field->kind == LTT_PERF_LOC_TEXT)
		return ltt_perf_packer_append_text(packer, field, located, length);
	item_bytes = ltt_perf_fields_get_size(field->members, field->n_members);
	return ltt_perf_packer_append_uint(packer, field, sizeof(guint32), length / item_bytes) &&
	       ltt_perf_packer_append(packer, field, located, length / item_bytes * item_bytes);
}

static gboolean pack_located_texts(LttPerfPacker *packer, const LttPerfField *field,
				   const guint8 *bytes, gsize n_bytes)
{
	for (guint32 i = 0; i < field->n; i++) {
		const guint8 *located;
		gsize length;

		if (!find_located(packer, field, bytes, n_bytes, field->place + i * sizeof(guint32),
				  0, &located, &length) ||
		    !ltt_perf_packer_append_text(packer, field, located, length))
			return FALSE;
	}
	return TRUE;
}

static gboolean pack_placed(LttPerfPacker *packer, const LttPerfField *field, const guint8 *bytes,
			    gsize n_bytes)
{
	const gsize size = ltt_perf_field_get_placed_size(field);

	if (field->place > n_bytes || size > n_bytes - field->place)
		return ltt_perf_packer_fail(packer, field, "the raw bytes end within it");
	switch (field->kind) {
	case LTT_PERF_LOC_TEXT:
	case LTT_PERF_LOC_ITEMS:
		return pack_located(packer, field, bytes, n_bytes);
	case LTT_PERF_LOC_TEXTS:
		return pack_located_texts(packer, field, bytes, n_bytes);
	case LTT_PERF_TEXT:
		return ltt_perf_packer_append_text(packer, field, bytes + field->place, size);
	default:
		return ltt_perf_packer_append(packer, field, bytes + field->place, size);
	}
}

gboolean ltt_perf_pack_trace(LttPerfPacker *packer, const LttPerfField *field)
{
	const guint8 *bytes;
	guint64 size = 0;

	if (!ltt_perf_packer_take_uint(packer, field, sizeof(guint32), &size))
		return FALSE;
	if (size > ltt_perf_packer_left(packer))
		return ltt_perf_packer_fail(packer, field,
					    "more bytes than the record has room for");
	bytes = packer->at;
	for (guint i = 0; i < field->n_members; i++)
		if (!pack_placed(packer, &field->members[i], bytes, (gsize)size))
			return FALSE;
	packer->at += size;
	return TRUE;
}
