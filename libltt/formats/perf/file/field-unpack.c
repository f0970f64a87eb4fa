/* field-unpack.c - unpack fields to the bytes of a record (field-priv.h). */
#include "formats/perf/file/field-priv.h"

#include "base/bytes-priv.h"
#include "formats/perf/file/number-parts-priv.h"

#include <string.h>

typedef struct Unpacker {
	const LttPerfContext *context;
	const guint8 *at;
	const guint8 *end;
	GByteArray *out;
	guint begin; /* offset of the body in out */
} Unpacker;

/* Maximum size of a body: the size of a record has 16 bits. */
#define MAX_BODY_BYTES 65536

static gboolean unpack_fields(Unpacker *unpacker, const LttPerfField *fields, guint n_fields);

static gsize left(const Unpacker *unpacker)
{
	return (gsize)(unpacker->end - unpacker->at);
}

static gboolean append(Unpacker *unpacker, gconstpointer bytes, gsize n_bytes)
{
	if (n_bytes > MAX_BODY_BYTES ||
	    unpacker->out->len - unpacker->begin > MAX_BODY_BYTES - n_bytes)
		return FALSE;
	/* ltt_perf_unpack() has reserved the memory. */
	if (n_bytes > 0)
		memcpy(unpacker->out->data + unpacker->out->len, bytes, n_bytes);
	unpacker->out->len += (guint)n_bytes;
	return TRUE;
}

static gboolean append_zeros(Unpacker *unpacker, gsize n_bytes)
{
	const guint before = unpacker->out->len;

	if (n_bytes > MAX_BODY_BYTES || before - unpacker->begin > MAX_BODY_BYTES - n_bytes)
		return FALSE;
	if (n_bytes > 0)
		memset(unpacker->out->data + before, 0, n_bytes);
	unpacker->out->len += (guint)n_bytes;
	return TRUE;
}

static gboolean append_uint(Unpacker *unpacker, guint width, guint64 value)
{
	guint8 bytes[sizeof(value)];

	ltt_store_uint(bytes, width, value, unpacker->context->order);
	return append(unpacker, bytes, width);
}

static gboolean copy(Unpacker *unpacker, gsize n_bytes)
{
	if (n_bytes > left(unpacker) || !append(unpacker, unpacker->at, n_bytes))
		return FALSE;
	unpacker->at += n_bytes;
	return TRUE;
}

static gboolean take_uint(Unpacker *unpacker, guint width, guint64 *value)
{
	if (width > left(unpacker))
		return FALSE;
	*value = ltt_load_uint(unpacker->at, width, unpacker->context->order);
	unpacker->at += width;
	return TRUE;
}

/* Takes a text. Returns: (nullable): its bytes; NULL if it is not terminated by NUL */
static const guint8 *take_text(Unpacker *unpacker, gsize *length)
{
	const guint8 *text = unpacker->at;
	const guint8 *nul = left(unpacker) > 0 ? memchr(text, '\0', left(unpacker)) : NULL;

	if (nul == NULL)
		return NULL;
	*length = (gsize)(nul - text);
	unpacker->at = nul + 1;
	return text;
}

static gboolean unpack_text(Unpacker *unpacker, gsize n_bytes)
{
	gsize length;
	const guint8 *text = take_text(unpacker, &length);

	return text != NULL && length <= n_bytes && append(unpacker, text, length) &&
	       append_zeros(unpacker, n_bytes - length);
}

/* Appends zeros until the size of the record is a multiple of 8. */
static gboolean pad(Unpacker *unpacker)
{
	const gsize size = unpacker->out->len - unpacker->begin + unpacker->context->size_bytes;

	return append_zeros(unpacker, (8 - size % 8) % 8);
}

static gboolean unpack_name(Unpacker *unpacker)
{
	gsize length;
	const guint8 *text = take_text(unpacker, &length);

	return text != NULL && append(unpacker, text, length) && append_zeros(unpacker, 1) &&
	       pad(unpacker);
}

static gboolean unpack_items(Unpacker *unpacker, const LttPerfField *members, guint n_members,
			     guint64 count)
{
	const gsize item_bytes = ltt_perf_fields_get_size(members, n_members);

	if (item_bytes > 0)
		return count <= left(unpacker) / item_bytes &&
		       copy(unpacker, (gsize)count * item_bytes);
	if (count > left(unpacker))
		return FALSE;
	for (guint64 i = 0; i < count; i++)
		if (!unpack_fields(unpacker, members, n_members))
			return FALSE;
	return TRUE;
}

static gboolean unpack_behind(Unpacker *unpacker, const LttPerfField *field)
{
	const guint count_at = unpacker->out->len;
	guint64 count;

	if (!append_zeros(unpacker, sizeof(count)) ||
	    !unpack_fields(unpacker, field->members, field->n) ||
	    !take_uint(unpacker, sizeof(count), &count))
		return FALSE;
	ltt_store_u64(unpacker->out->data + count_at, count, unpacker->context->order);
	return unpack_items(unpacker, field->members + field->n, field->n_members - field->n,
			    count);
}

static gboolean unpack_union(Unpacker *unpacker, const LttPerfField *field)
{
	guint64 code;

	return take_uint(unpacker, field->width, &code) && code < field->n_members &&
	       append_uint(unpacker, field->width, code) &&
	       unpack_fields(unpacker, &field->members[code], 1);
}

static gboolean unpack_stack(Unpacker *unpacker)
{
	guint64 size;
	guint64 used;

	if (!take_uint(unpacker, sizeof(size), &size) ||
	    !append_uint(unpacker, sizeof(size), size) || size > left(unpacker) ||
	    !copy(unpacker, (gsize)size) || !take_uint(unpacker, sizeof(used), &used))
		return FALSE;
	return size == 0 || append_uint(unpacker, sizeof(used), used);
}

static gboolean unpack_bits(Unpacker *unpacker)
{
	guint64 n_bits;
	guint64 n_words;

	return take_uint(unpacker, sizeof(n_bits), &n_bits) &&
	       append_uint(unpacker, sizeof(n_bits), n_bits) &&
	       take_uint(unpacker, sizeof(n_words), &n_words) &&
	       n_words <= left(unpacker) / sizeof(n_words) &&
	       copy(unpacker, (gsize)n_words * sizeof(n_words));
}

static gboolean unpack_parts(Unpacker *unpacker, const LttPerfField *field)
{
	guint64 value;
	gsize taken_bytes;

	if (!ltt_perf_parts_unpack(field, unpacker->context->order, unpacker->at, left(unpacker),
				   &value, &taken_bytes))
		return FALSE;
	unpacker->at += taken_bytes;
	return append_uint(unpacker, sizeof(value), value);
}

/* ---- the raw bytes of a tracepoint ---- */

static gsize fixed_end(const LttPerfField *field)
{
	gsize end = 0;

	for (guint i = 0; i < field->n_members; i++) {
		const LttPerfField *member = &field->members[i];

		end = MAX(end, member->place + ltt_perf_field_get_placed_size(member));
	}
	return end;
}

/* Makes the word at @place locate the bytes from @where up to the end of the output. @base:
 * subtracted from the offset */
static void store_where(Unpacker *unpacker, guint raw_at, gsize place, guint where, guint32 base)
{
	const guint length = unpacker->out->len - raw_at - where;

	ltt_store_u32(unpacker->out->data + raw_at + place,
		      (guint32)(length << 16 | ((where - base) & 0xffff)),
		      unpacker->context->order);
}

static gboolean copy_text(Unpacker *unpacker)
{
	gsize length;
	const guint8 *text = take_text(unpacker, &length);

	return text != NULL && append(unpacker, text, length) && append_zeros(unpacker, 1);
}

/* Appends the located data of a member to the raw bytes, as the kernel does. */
static gboolean unpack_located(Unpacker *unpacker, const LttPerfField *field, guint raw_at)
{
	const guint where = unpacker->out->len - raw_at;
	guint64 count;

	if (field->kind == LTT_PERF_LOC_TEXT) {
		if (!copy_text(unpacker))
			return FALSE;
	} else if (!take_uint(unpacker, sizeof(guint32), &count) || count > left(unpacker) ||
		   !unpack_items(unpacker, field->members, field->n_members, count)) {
		return FALSE;
	}
	store_where(unpacker, raw_at, field->place, where, field->n);
	return TRUE;
}

static gboolean unpack_located_texts(Unpacker *unpacker, const LttPerfField *field, guint raw_at)
{
	for (guint32 i = 0; i < field->n; i++) {
		const guint where = unpacker->out->len - raw_at;

		if (!copy_text(unpacker))
			return FALSE;
		store_where(unpacker, raw_at, field->place + i * sizeof(guint32), where, 0);
	}
	return TRUE;
}

static gboolean unpack_placed(Unpacker *unpacker, const LttPerfField *field, guint raw_at)
{
	guint8 *there = unpacker->out->data + raw_at + field->place;
	gsize length;

	if (field->kind == LTT_PERF_LOC_TEXT || field->kind == LTT_PERF_LOC_ITEMS)
		return unpack_located(unpacker, field, raw_at);
	if (field->kind == LTT_PERF_LOC_TEXTS)
		return unpack_located_texts(unpacker, field, raw_at);
	if (field->kind == LTT_PERF_TEXT) {
		const guint8 *text = take_text(unpacker, &length);

		if (text == NULL || length > field->n)
			return FALSE;
		memcpy(there, text, length);
		return TRUE;
	}
	length = ltt_perf_field_get_size(field);
	if (length > left(unpacker))
		return FALSE;
	memcpy(there, unpacker->at, length);
	unpacker->at += length;
	return TRUE;
}

static gboolean unpack_trace(Unpacker *unpacker, const LttPerfField *field)
{
	const guint size_at = unpacker->out->len;
	const guint raw_at = size_at + sizeof(guint32);

	if (!append_zeros(unpacker, sizeof(guint32) + fixed_end(field)))
		return FALSE;
	for (guint i = 0; i < field->n_members; i++)
		if (!unpack_placed(unpacker, &field->members[i], raw_at))
			return FALSE;
	if (!pad(unpacker))
		return FALSE;
	ltt_store_u32(unpacker->out->data + size_at, unpacker->out->len - raw_at,
		      unpacker->context->order);
	return TRUE;
}

/* ---- all kinds ---- */

static gboolean unpack_counted(Unpacker *unpacker, const LttPerfField *field, guint width,
			       gboolean is_written)
{
	guint64 count;

	return take_uint(unpacker, width, &count) &&
	       (!is_written || append_uint(unpacker, width, count)) &&
	       unpack_items(unpacker, field->members, field->n_members, count);
}

static gboolean unpack_field(Unpacker *unpacker, const LttPerfField *field)
{
	switch (field->kind) {
	case LTT_PERF_UINT:
	case LTT_PERF_HEX:
	case LTT_PERF_INT:
	case LTT_PERF_FLOAT:
	case LTT_PERF_LABEL:
		return copy(unpacker, field->width);
	case LTT_PERF_ARRAY:
		return unpack_items(unpacker, field->members, field->n_members, field->n);
	case LTT_PERF_TEXT:
		return unpack_text(unpacker, field->n);
	case LTT_PERF_NAME:
		return unpack_name(unpacker);
	case LTT_PERF_STRUCT:
		return unpack_fields(unpacker, field->members, field->n_members);
	case LTT_PERF_SEQUENCE:
		return unpack_counted(unpacker, field, field->width, TRUE);
	case LTT_PERF_TAIL:
	case LTT_PERF_TIMES:
		return unpack_counted(unpacker, field, sizeof(guint32), FALSE);
	case LTT_PERF_AGAIN:
		return unpack_counted(unpacker, field, sizeof(guint64), FALSE);
	case LTT_PERF_UNION:
		return unpack_union(unpacker, field);
	case LTT_PERF_BEHIND:
		return unpack_behind(unpacker, field);
	case LTT_PERF_STACK:
		return unpack_stack(unpacker);
	case LTT_PERF_BITS:
		return unpack_bits(unpacker);
	case LTT_PERF_PARTS:
		return unpack_parts(unpacker, field);
	case LTT_PERF_PAD:
		return pad(unpacker);
	case LTT_PERF_TRACE:
		return unpack_trace(unpacker, field);
	default:
		return FALSE;
	}
}

static gboolean unpack_fields(Unpacker *unpacker, const LttPerfField *fields, guint n_fields)
{
	for (guint i = 0; i < n_fields; i++)
		if (!unpack_field(unpacker, &fields[i]))
			return FALSE;
	return TRUE;
}

gboolean ltt_perf_unpack(const LttPerfField *fields, guint n_fields, const LttPerfContext *context,
			 const guint8 *packed, gsize packed_bytes, GByteArray *out,
			 gsize *taken_bytes)
{
	/* @packed may be NULL if it is empty: pointer arithmetic on NULL is undefined. */
	const guint8 *begin = packed_bytes > 0 ? packed : (const guint8 *)"";
	Unpacker unpacker = {.context = context,
			     .at = begin,
			     .end = begin + packed_bytes,
			     .out = out,
			     .begin = out->len};

	ltt_perf_make_room(out, MAX_BODY_BYTES);
	if (!unpack_fields(&unpacker, fields, n_fields))
		return FALSE;
	*taken_bytes = (gsize)(unpacker.at - begin);
	return TRUE;
}
