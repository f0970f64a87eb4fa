/* field.c - records into packed fields (field-priv.h); unpack.c is the way back. */
#include "recordings/perf/field-priv.h"

#include "base/bytes-priv.h"
#include "recordings/perf/parts-priv.h"

#include <string.h>

typedef struct Packer {
	const LttPerfContext *context;
	const guint8 *begin;
	const guint8 *at;
	const guint8 *end;
	guint64 last_count;
	GByteArray *out;
	LttPerfFault *fault;
} Packer;

static gboolean pack_fields(Packer *packer, const LttPerfField *fields, guint n_fields);

static gboolean fail(Packer *packer, const LttPerfField *field, const char *why)
{
	*packer->fault = (LttPerfFault){.byte = (gsize)(packer->at - packer->begin),
					.field = field->name != NULL ? field->name : "item",
					.why = why};
	return FALSE;
}

static gsize left(const Packer *packer)
{
	return (gsize)(packer->end - packer->at);
}

static gboolean append(Packer *packer, const LttPerfField *field, gconstpointer bytes,
		       gsize n_bytes)
{
	if (n_bytes > LTT_PERF_MAX_PACKED_BYTES ||
	    packer->out->len > LTT_PERF_MAX_PACKED_BYTES - n_bytes)
		return fail(packer, field, "the fields together are too large");
	/* Room was made for all at once. */
	if (n_bytes > 0)
		memcpy(packer->out->data + packer->out->len, bytes, n_bytes);
	packer->out->len += (guint)n_bytes;
	return TRUE;
}

static gboolean append_uint(Packer *packer, const LttPerfField *field, guint width, guint64 value)
{
	guint8 bytes[sizeof(value)];

	ltt_store_uint(bytes, width, value, packer->context->order);
	return append(packer, field, bytes, width);
}

static gboolean copy(Packer *packer, const LttPerfField *field, gsize n_bytes)
{
	if (n_bytes > left(packer))
		return fail(packer, field, "the record ends inside of it");
	if (!append(packer, field, packer->at, n_bytes))
		return FALSE;
	packer->at += n_bytes;
	return TRUE;
}

static gboolean take_uint(Packer *packer, const LttPerfField *field, guint width, guint64 *value)
{
	if (width > left(packer))
		return fail(packer, field, "the record ends inside of it");
	*value = ltt_load_uint(packer->at, width, packer->context->order);
	packer->at += width;
	return TRUE;
}

/* Appends the text in @n_bytes, up to a NUL in it. */
static gboolean append_text(Packer *packer, const LttPerfField *field, const guint8 *bytes,
			    gsize n_bytes)
{
	const guint8 *nul = n_bytes > 0 ? memchr(bytes, '\0', n_bytes) : NULL;
	const gsize length = nul != NULL ? (gsize)(nul - bytes) : n_bytes;

	return append(packer, field, bytes, length) && append(packer, field, "", 1);
}

static gboolean pack_text(Packer *packer, const LttPerfField *field, gsize n_bytes)
{
	if (n_bytes > left(packer))
		return fail(packer, field, "the record ends inside of it");
	if (!append_text(packer, field, packer->at, n_bytes))
		return FALSE;
	packer->at += n_bytes;
	return TRUE;
}

/* So many of the members; all at once if they are of one size. */
static gboolean pack_items(Packer *packer, const LttPerfField *field, guint64 count)
{
	const gsize item_bytes = ltt_perf_fields_get_size(field->members, field->n_members);

	if (item_bytes > 0) {
		if (count > left(packer) / item_bytes)
			return fail(packer, field, "more items than the record has room for");
		return copy(packer, field, (gsize)count * item_bytes);
	}
	if (count > left(packer))
		return fail(packer, field, "more items than the record has room for");
	for (guint64 i = 0; i < count; i++)
		if (!pack_fields(packer, field->members, field->n_members))
			return FALSE;
	return TRUE;
}

static gboolean pack_sequence(Packer *packer, const LttPerfField *field)
{
	guint64 count = 0;

	return take_uint(packer, field, field->width, &count) &&
	       append_uint(packer, field, field->width, count) &&
	       (packer->last_count = count, pack_items(packer, field, count));
}

static gboolean pack_tail(Packer *packer, const LttPerfField *field)
{
	const gsize item_bytes = ltt_perf_fields_get_size(field->members, field->n_members);
	const guint count_at = packer->out->len;
	guint32 count = 0;

	if (item_bytes > 0) {
		const gsize n_items = left(packer) / item_bytes;

		return append_uint(packer, field, sizeof(count), n_items) &&
		       copy(packer, field, n_items * item_bytes);
	}
	if (!append_uint(packer, field, sizeof(count), 0))
		return FALSE;
	while (left(packer) > 0) {
		const guint8 *before = packer->at;

		if (!pack_fields(packer, field->members, field->n_members))
			return FALSE;
		if (packer->at == before)
			return fail(packer, field, "an item without bytes");
		count++;
	}
	ltt_store_u32(packer->out->data + count_at, count, packer->context->order);
	return TRUE;
}

static gboolean pack_union(Packer *packer, const LttPerfField *field)
{
	guint64 code = 0;

	if (!take_uint(packer, field, field->width, &code))
		return FALSE;
	if (code >= field->n_members) {
		packer->at -= field->width;
		return fail(packer, field, "a code that is not known");
	}
	return append_uint(packer, field, field->width, code) &&
	       pack_fields(packer, &field->members[code], 1);
}

static gboolean pack_behind(Packer *packer, const LttPerfField *field)
{
	const LttPerfField items = {.name = field->name,
				    .members = field->members + field->n,
				    .n_members = field->n_members - field->n};
	guint64 count = 0;

	return take_uint(packer, field, sizeof(count), &count) &&
	       pack_fields(packer, field->members, field->n) &&
	       append_uint(packer, field, sizeof(count), count) &&
	       (packer->last_count = count, pack_items(packer, &items, count));
}

static gboolean pack_stack(Packer *packer, const LttPerfField *field)
{
	guint64 size = 0;

	if (!take_uint(packer, field, sizeof(size), &size) ||
	    !append_uint(packer, field, sizeof(size), size))
		return FALSE;
	if (size > left(packer))
		return fail(packer, field, "more bytes than the record has room for");
	if (!copy(packer, field, (gsize)size))
		return FALSE;
	return size > 0 ? copy(packer, field, sizeof(guint64))
			: append_uint(packer, field, sizeof(guint64), 0);
}

static gboolean pack_bits(Packer *packer, const LttPerfField *field)
{
	guint64 n_bits = 0;
	guint64 n_words;

	if (!take_uint(packer, field, sizeof(n_bits), &n_bits))
		return FALSE;
	n_words = n_bits / 64 + (n_bits % 64 != 0);
	if (n_words > left(packer) / sizeof(guint64))
		return fail(packer, field, "more bits than the record has room for");
	return append_uint(packer, field, sizeof(n_bits), n_bits) &&
	       append_uint(packer, field, sizeof(n_words), n_words) &&
	       copy(packer, field, (gsize)n_words * sizeof(guint64));
}

static gboolean pack_string(Packer *packer, const LttPerfField *field)
{
	guint64 length = 0;

	if (!take_uint(packer, field, sizeof(guint32), &length))
		return FALSE;
	if (length > left(packer))
		return fail(packer, field, "a longer text than there is room for");
	return pack_text(packer, field, (gsize)length);
}

static gboolean pack_parts(Packer *packer, const LttPerfField *field)
{
	guint8 parts[LTT_PERF_MAX_PARTS_BYTES];
	guint64 value = 0;
	gsize n_bytes;

	if (!take_uint(packer, field, sizeof(value), &value))
		return FALSE;
	n_bytes = ltt_perf_parts_pack(field, value, packer->context->order, parts);
	return append(packer, field, parts, n_bytes);
}

/* ---- the raw bytes of a tracepoint ---- */

/* @place: of the word that says where the bytes are; @base: what that counts from */
static gboolean find_located(Packer *packer, const LttPerfField *field, const guint8 *bytes,
			     gsize n_bytes, gsize place, gsize base, const guint8 **located,
			     gsize *length)
{
	const guint32 where = ltt_load_u32(bytes + place, packer->context->order);
	const gsize begin = base + (where & 0xffff);

	*length = where >> 16;
	if (begin > n_bytes || *length > n_bytes - begin)
		return fail(packer, field, "it lies outside of the raw bytes");
	*located = bytes + begin;
	return TRUE;
}

static gboolean pack_located(Packer *packer, const LttPerfField *field, const guint8 *bytes,
			     gsize n_bytes)
{
	const guint8 *located;
	gsize length;
	gsize item_bytes;

	if (!find_located(packer, field, bytes, n_bytes, field->place, field->n, &located, &length))
		return FALSE;
	if (field->kind == LTT_PERF_LOC_TEXT)
		return append_text(packer, field, located, length);
	item_bytes = ltt_perf_fields_get_size(field->members, field->n_members);
	return append_uint(packer, field, sizeof(guint32), length / item_bytes) &&
	       append(packer, field, located, length / item_bytes * item_bytes);
}

static gboolean pack_located_texts(Packer *packer, const LttPerfField *field, const guint8 *bytes,
				   gsize n_bytes)
{
	for (guint32 i = 0; i < field->n; i++) {
		const guint8 *located;
		gsize length;

		if (!find_located(packer, field, bytes, n_bytes, field->place + i * sizeof(guint32),
				  0, &located, &length) ||
		    !append_text(packer, field, located, length))
			return FALSE;
	}
	return TRUE;
}

static gboolean pack_placed(Packer *packer, const LttPerfField *field, const guint8 *bytes,
			    gsize n_bytes)
{
	const gsize size = ltt_perf_field_get_placed_size(field);

	if (field->place > n_bytes || size > n_bytes - field->place)
		return fail(packer, field, "the raw bytes end inside of it");
	switch (field->kind) {
	case LTT_PERF_LOC_TEXT:
	case LTT_PERF_LOC_ITEMS:
		return pack_located(packer, field, bytes, n_bytes);
	case LTT_PERF_LOC_TEXTS:
		return pack_located_texts(packer, field, bytes, n_bytes);
	case LTT_PERF_TEXT:
		return append_text(packer, field, bytes + field->place, size);
	default:
		return append(packer, field, bytes + field->place, size);
	}
}

static gboolean pack_trace(Packer *packer, const LttPerfField *field)
{
	const guint8 *bytes;
	guint64 size = 0;

	if (!take_uint(packer, field, sizeof(guint32), &size))
		return FALSE;
	if (size > left(packer))
		return fail(packer, field, "more bytes than the record has room for");
	bytes = packer->at;
	for (guint i = 0; i < field->n_members; i++)
		if (!pack_placed(packer, &field->members[i], bytes, (gsize)size))
			return FALSE;
	packer->at += size;
	return TRUE;
}

/* ---- all kinds ---- */

/* A field that the record has not: none of it, in the form of its kind. */
static gboolean pack_nothing(Packer *packer, const LttPerfField *field)
{
	static const guint8 zeros[8];
	const gsize size = ltt_perf_field_get_size(field);

	if (size > 0) {
		for (gsize done = 0; done < size; done++)
			if (!append(packer, field, zeros, 1))
				return FALSE;
		return TRUE;
	}
	switch (field->kind) {
	case LTT_PERF_TAIL:
	case LTT_PERF_TIMES:
		return append(packer, field, zeros, sizeof(guint32));
	case LTT_PERF_SEQUENCE:
		return append(packer, field, zeros, field->width);
	default:
		return append(packer, field, zeros, 1);
	}
}

static gboolean pack_field(Packer *packer, const LttPerfField *field)
{
	if (field->is_optional && left(packer) == 0)
		return pack_nothing(packer, field);
	switch (field->kind) {
	case LTT_PERF_UINT:
	case LTT_PERF_HEX:
	case LTT_PERF_INT:
	case LTT_PERF_FLOAT:
	case LTT_PERF_LABEL:
		return copy(packer, field, field->width);
	case LTT_PERF_ARRAY:
		return pack_items(packer, field, field->n);
	case LTT_PERF_TEXT:
		return pack_text(packer, field, field->n);
	case LTT_PERF_NAME:
		return pack_text(packer, field, left(packer));
	case LTT_PERF_STRING:
		return pack_string(packer, field);
	case LTT_PERF_STRUCT:
		return pack_fields(packer, field->members, field->n_members);
	case LTT_PERF_SEQUENCE:
		return pack_sequence(packer, field);
	case LTT_PERF_TAIL:
		return pack_tail(packer, field);
	case LTT_PERF_TIMES:
		return append_uint(packer, field, sizeof(guint32), packer->context->n_times) &&
		       pack_items(packer, field, packer->context->n_times);
	case LTT_PERF_UNION:
		return pack_union(packer, field);
	case LTT_PERF_BEHIND:
		return pack_behind(packer, field);
	case LTT_PERF_AGAIN:
		return append_uint(packer, field, sizeof(guint64), packer->last_count) &&
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
		return pack_trace(packer, field);
	default:
		return fail(packer, field, "a field that only raw bytes may have");
	}
}

static gboolean pack_fields(Packer *packer, const LttPerfField *fields, guint n_fields)
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
	Packer packer = {.context = context,
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
