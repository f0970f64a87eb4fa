/* field-pack.c - pack the fields of a record (field-priv.h); field-unpack.c unpacks them. */
#include "formats/perf/file/field-priv.h"

#include "formats/perf/file/field-pack-priv.h"
#include "formats/perf/file/number-parts-priv.h"

static gboolean pack_fields(LttPerfPacker *packer, const LttPerfField *fields, guint n_fields);

static gboolean pack_text(LttPerfPacker *packer, const LttPerfField *field, gsize n_bytes)
{
	if (n_bytes > ltt_perf_packer_left(packer))
		return ltt_perf_packer_fail(packer, field, "the record ends within it");
	if (!ltt_perf_packer_append_text(packer, field, packer->at, n_bytes))
		return FALSE;
	packer->at += n_bytes;
	return TRUE;
}

/* Packs @count items. If they have a fixed size, it copies all of them at once. */
static gboolean pack_items(LttPerfPacker *packer, const LttPerfField *field, guint64 count)
{
	const gsize item_bytes = ltt_perf_fields_get_size(field->members, field->n_members);

	if (item_bytes > 0) {
		if (count > ltt_perf_packer_left(packer) / item_bytes)
			return ltt_perf_packer_fail(packer, field,
						    "more items than the record has room for");
		return ltt_perf_packer_copy(packer, field, (gsize)count * item_bytes);
	}
	if (count > ltt_perf_packer_left(packer))
		return ltt_perf_packer_fail(packer, field,
					    "more items than the record has room for");
	for (guint64 i = 0; i < count; i++)
		if (!pack_fields(packer, field->members, field->n_members))
			return FALSE;
	return TRUE;
}

static gboolean pack_sequence(LttPerfPacker *packer, const LttPerfField *field)
{
	guint64 count = 0;

	return ltt_perf_packer_take_uint(packer, field, field->width, &count) &&
	       ltt_perf_packer_append_uint(packer, field, field->width, count) &&
	       (packer->last_count = count, pack_items(packer, field, count));
}

static gboolean pack_tail(LttPerfPacker *packer, const LttPerfField *field)
{
	const gsize item_bytes = ltt_perf_fields_get_size(field->members, field->n_members);
	const guint count_at = packer->out->len;
	guint32 count = 0;

	if (item_bytes > 0) {
		const gsize n_items = ltt_perf_packer_left(packer) / item_bytes;

		return ltt_perf_packer_append_uint(packer, field, sizeof(count), n_items) &&
		       ltt_perf_packer_copy(packer, field, n_items * item_bytes);
	}
	if (!ltt_perf_packer_append_uint(packer, field, sizeof(count), 0))
		return FALSE;
	while (ltt_perf_packer_left(packer) > 0) {
		const guint8 *before = packer->at;

		if (!pack_fields(packer, field->members, field->n_members))
			return FALSE;
		if (packer->at == before)
			return ltt_perf_packer_fail(packer, field, "an item without bytes");
		count++;
	}
	ltt_store_u32(packer->out->data + count_at, count, packer->context->order);
	return TRUE;
}

static gboolean pack_union(LttPerfPacker *packer, const LttPerfField *field)
{
	guint64 code = 0;

	if (!ltt_perf_packer_take_uint(packer, field, field->width, &code))
		return FALSE;
	if (code >= field->n_members) {
		packer->at -= field->width;
		return ltt_perf_packer_fail(packer, field, "an unknown code");
	}
	return ltt_perf_packer_append_uint(packer, field, field->width, code) &&
	       pack_fields(packer, &field->members[code], 1);
}

static gboolean pack_behind(LttPerfPacker *packer, const LttPerfField *field)
{
	const LttPerfField items = {.name = field->name,
				    .members = field->members + field->n,
				    .n_members = field->n_members - field->n};
	guint64 count = 0;

	return ltt_perf_packer_take_uint(packer, field, sizeof(count), &count) &&
	       pack_fields(packer, field->members, field->n) &&
	       ltt_perf_packer_append_uint(packer, field, sizeof(count), count) &&
	       (packer->last_count = count, pack_items(packer, &items, count));
}

static gboolean pack_stack(LttPerfPacker *packer, const LttPerfField *field)
{
	guint64 size = 0;

	if (!ltt_perf_packer_take_uint(packer, field, sizeof(size), &size) ||
	    !ltt_perf_packer_append_uint(packer, field, sizeof(size), size))
		return FALSE;
	if (size > ltt_perf_packer_left(packer))
		return ltt_perf_packer_fail(packer, field,
					    "more bytes than the record has room for");
	if (!ltt_perf_packer_copy(packer, field, (gsize)size))
		return FALSE;
	return size > 0 ? ltt_perf_packer_copy(packer, field, sizeof(guint64))
			: ltt_perf_packer_append_uint(packer, field, sizeof(guint64), 0);
}

static gboolean pack_bits(LttPerfPacker *packer, const LttPerfField *field)
{
	guint64 n_bits = 0;
	guint64 n_words;

	if (!ltt_perf_packer_take_uint(packer, field, sizeof(n_bits), &n_bits))
		return FALSE;
	n_words = n_bits / 64 + (n_bits % 64 != 0);
	if (n_words > ltt_perf_packer_left(packer) / sizeof(guint64))
		return ltt_perf_packer_fail(packer, field,
					    "more bits than the record has room for");
	return ltt_perf_packer_append_uint(packer, field, sizeof(n_bits), n_bits) &&
	       ltt_perf_packer_append_uint(packer, field, sizeof(n_words), n_words) &&
	       ltt_perf_packer_copy(packer, field, (gsize)n_words * sizeof(guint64));
}

static gboolean pack_string(LttPerfPacker *packer, const LttPerfField *field)
{
	guint64 length = 0;

	if (!ltt_perf_packer_take_uint(packer, field, sizeof(guint32), &length))
		return FALSE;
	if (length > ltt_perf_packer_left(packer))
		return ltt_perf_packer_fail(packer, field, "a text that is longer than the rest");
	return pack_text(packer, field, (gsize)length);
}

static gboolean pack_parts(LttPerfPacker *packer, const LttPerfField *field)
{
	const LttByteOrder order = packer->context->order;
	guint64 value = 0;
	guint8 *out;

	if (!ltt_perf_packer_take_uint(packer, field, sizeof(value), &value))
		return FALSE;
	if (packer->out->len > LTT_PERF_MAX_PACKED_BYTES - LTT_PERF_MAX_PARTS_BYTES)
		return ltt_perf_packer_fail(packer, field, LTT_PERF_TOO_LARGE);
	out = packer->out->data + packer->out->len;
	packer->out->len += (guint)ltt_perf_parts_pack(field, value, order, out);
	return TRUE;
}

/* ---- all kinds ---- */

/* Packs an optional field that the record does not contain, as zeros or as an empty sequence or
 * text. */
static gboolean pack_nothing(LttPerfPacker *packer, const LttPerfField *field)
{
	static const guint8 zeros[8];
	const gsize size = ltt_perf_field_get_size(field);

	if (size > 0) {
		for (gsize done = 0; done < size; done++)
			if (!ltt_perf_packer_append(packer, field, zeros, 1))
				return FALSE;
		return TRUE;
	}
	switch (field->kind) {
	case LTT_PERF_TAIL:
	case LTT_PERF_TIMES:
		return ltt_perf_packer_append(packer, field, zeros, sizeof(guint32));
	case LTT_PERF_SEQUENCE:
		return ltt_perf_packer_append(packer, field, zeros, field->width);
	default:
		return ltt_perf_packer_append(packer, field, zeros, 1);
	}
}

static gboolean pack_field(LttPerfPacker *packer, const LttPerfField *field)
{
	if (field->is_optional && ltt_perf_packer_left(packer) == 0)
		return pack_nothing(packer, field);
	switch (field->kind) {
	case LTT_PERF_UINT:
	case LTT_PERF_HEX:
	case LTT_PERF_INT:
	case LTT_PERF_FLOAT:
	case LTT_PERF_LABEL:
		return ltt_perf_packer_copy(packer, field, field->width);
	case LTT_PERF_ARRAY:
		return pack_items(packer, field, field->n);
	case LTT_PERF_TEXT:
		return pack_text(packer, field, field->n);
	case LTT_PERF_NAME:
		return pack_text(packer, field, ltt_perf_packer_left(packer));
	case LTT_PERF_STRING:
		return pack_string(packer, field);
	case LTT_PERF_STRUCT:
		return pack_fields(packer, field->members, field->n_members);
	case LTT_PERF_SEQUENCE:
		return pack_sequence(packer, field);
	case LTT_PERF_TAIL:
		return pack_tail(packer, field);
	case LTT_PERF_TIMES:
		return ltt_perf_packer_append_uint(packer, field, sizeof(guint32),
						   packer->context->n_times) &&
		       pack_items(packer, field, packer->context->n_times);
	case LTT_PERF_UNION:
		return pack_union(packer, field);
	case LTT_PERF_BEHIND:
		return pack_behind(packer, field);
	case LTT_PERF_AGAIN:
		return ltt_perf_packer_append_uint(packer, field, sizeof(guint64),
						   packer->last_count) &&
		       pack_items(packer, field, packer->last_count);
	case LTT_PERF_STACK:
		return pack_stack(packer, field);
	case LTT_PERF_BITS:
		return pack_bits(packer, field);
	case LTT_PERF_PARTS:
		return pack_parts(packer, field);
	case LTT_PERF_PAD:
		packer->at = packer->end;
		return TRUE;
	case LTT_PERF_TRACE:
		return ltt_perf_pack_trace(packer, field);
	default:
		return ltt_perf_packer_fail(packer, field, "a field that only raw bytes may have");
	}
}

static gboolean pack_fields(LttPerfPacker *packer, const LttPerfField *fields, guint n_fields)
{
	for (guint i = 0; i < n_fields; i++)
		if (!pack_field(packer, &fields[i]))
			return FALSE;
	return TRUE;
}

gboolean ltt_perf_pack(const LttPerfField *fields, guint n_fields, const LttPerfContext *context,
		       const guint8 *body, gsize body_bytes, GByteArray *out, gsize *taken_bytes,
		       LttPerfFault *fault)
{
	LttPerfPacker packer = {.context = context,
				.begin = body,
				.at = body,
				.end = body + body_bytes,
				.out = out,
				.fault = fault};
	const guint before = out->len;

	ltt_perf_make_room(out, LTT_PERF_MAX_PACKED_BYTES - MIN(before, LTT_PERF_MAX_PACKED_BYTES));
	if (pack_fields(&packer, fields, n_fields)) {
		*taken_bytes = (gsize)(packer.at - body);
		return TRUE;
	}
	g_byte_array_set_size(out, before);
	return FALSE;
}
