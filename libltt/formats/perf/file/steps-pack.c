/* steps-pack.c - pack a sample with its steps (steps-priv.h); steps-unpack.c unpacks it. */
#include "formats/perf/file/steps-priv.h"

#include "base/bytes-priv.h"

#include <string.h>

#define WORD_BYTES sizeof(guint64)

/* State of packing a body. */
typedef struct Packing {
	LttPerfMemo *memo;
	LttByteOrder order;
	const guint8 *at;
	const guint8 *end;
	guint8 *out;
	const guint8 *raw;  /* raw bytes of a tracepoint */
	const guint8 *tail; /* end of the fixed members and of the data located so far */
} Packing;

static inline gboolean is_zero(const guint8 *bytes, gsize length)
{
	guint64 any = 0;

	for (; length >= sizeof(guint64); bytes += sizeof(guint64), length -= sizeof(guint64))
		any |= ltt_load_u64(bytes, LTT_NATIVE_ENDIAN);
	if (length >= sizeof(guint32)) {
		any |= ltt_load_u32(bytes, LTT_NATIVE_ENDIAN);
		bytes += sizeof(guint32);
		length -= sizeof(guint32);
	}
	for (gsize i = 0; i < length; i++)
		any |= bytes[i];
	return any == 0;
}

static inline gsize left(const Packing *packing)
{
	return (gsize)(packing->end - packing->at);
}

static inline gboolean copy(Packing *packing, gsize size)
{
	if (size > left(packing))
		return FALSE;
	memcpy(packing->out, packing->at, size);
	packing->at += size;
	packing->out += size;
	return TRUE;
}

/* Copies a count or code. Returns: FALSE at the end of the body */
static inline gboolean copy_number(Packing *packing, guint width, guint64 *value)
{
	if (width > left(packing))
		return FALSE;
	*value = ltt_load_uint(packing->at, width, packing->order);
	return copy(packing, width);
}

static gboolean pack_branches(Packing *packing, const LttPerfStep *step, guint64 count)
{
	const gsize item_bytes = step->size + WORD_BYTES;

	if (count > left(packing) / item_bytes)
		return FALSE;
	for (guint64 i = 0; i < count; i++) {
		memcpy(packing->out, packing->at, step->size);
		packing->out = ltt_perf_numbers_pack(
			step->numbers, ltt_load_u64(packing->at + step->size, packing->order),
			packing->order, packing->out + step->size);
		packing->at += item_bytes;
	}
	return TRUE;
}

static gboolean pack_items(Packing *packing, const LttPerfStep *step)
{
	guint64 count;

	if (step->front > 0) {
		/* In the record, the count precedes the front members; in packed form, it follows
		 * them. */
		if (left(packing) < step->width + step->front)
			return FALSE;
		count = ltt_load_uint(packing->at, step->width, packing->order);
		memcpy(packing->out, packing->at + step->width, step->front);
		memcpy(packing->out + step->front, packing->at, step->width);
		packing->at += step->width + step->front;
		packing->out += step->width + step->front;
	} else if (!copy_number(packing, step->width, &count)) {
		return FALSE;
	}
	if (step->numbers != NULL)
		return pack_branches(packing, step, count);
	return count <= left(packing) / step->size && copy(packing, (gsize)count * step->size);
}

static gboolean pack_choice(Packing *packing, const LttPerfStep *step)
{
	guint64 code;

	return copy_number(packing, step->width, &code) && code < step->size &&
	       copy(packing, step->sizes[code]);
}

/* In a record, no number follows an empty stack. In packed form, a number always follows. */
static gboolean pack_stack(Packing *packing)
{
	guint64 size;

	if (!copy_number(packing, WORD_BYTES, &size) || size > left(packing))
		return FALSE;
	if (size > 0)
		return copy(packing, (gsize)size) && copy(packing, WORD_BYTES);
	memset(packing->out, 0, WORD_BYTES);
	packing->out += WORD_BYTES;
	return TRUE;
}

static gboolean pack_parts(Packing *packing, const LttPerfStep *step)
{
	if (left(packing) < WORD_BYTES)
		return FALSE;
	packing->out += ltt_perf_memo_pack(packing->memo, step->field,
					   ltt_load_u64(packing->at, packing->order),
					   packing->order, packing->out);
	packing->at += WORD_BYTES;
	return TRUE;
}

/* Packs a text. Returns: FALSE if the bytes after its NUL are not zeros */
static inline gboolean pack_text(Packing *packing, const guint8 *text, gsize n_bytes,
				 gsize *text_bytes)
{
	const guint8 *nul = memchr(text, '\0', n_bytes);

	*text_bytes = nul != NULL ? (gsize)(nul - text) : n_bytes;
	memcpy(packing->out, text, *text_bytes);
	packing->out[*text_bytes] = '\0';
	packing->out += *text_bytes + 1;
	return nul == NULL || is_zero(nul, n_bytes - *text_bytes);
}

/* Checks the word that locates data. Returns: FALSE if the data is not at the tail, where the
 * kernel puts it */
static gboolean find_located(Packing *packing, const LttPerfStep *step, gsize *length)
{
	const guint32 where = ltt_load_u32(packing->at, packing->order);

	packing->at += sizeof(where);
	*length = where >> 16;
	return step->base + (gsize)(where & G_MAXUINT16) == (gsize)(packing->tail - packing->raw) &&
	       *length <= (gsize)(packing->end - packing->tail);
}

static gboolean pack_located(Packing *packing, const LttPerfStep *step)
{
	gsize length;
	gsize text_bytes;

	if (!find_located(packing, step, &length))
		return FALSE;
	if (step->kind == LTT_PERF_STEP_LOC_TEXT) {
		if (length == 0 || !pack_text(packing, packing->tail, length, &text_bytes) ||
		    text_bytes + 1 != length)
			return FALSE;
	} else {
		if (length % step->size != 0)
			return FALSE;
		ltt_store_u32(packing->out, (guint32)(length / step->size), packing->order);
		memcpy(packing->out + sizeof(guint32), packing->tail, length);
		packing->out += sizeof(guint32) + length;
	}
	packing->tail += length;
	return TRUE;
}

static inline gsize padded(gsize size)
{
	return (size + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
}

/* Begins the raw bytes. Their size includes the padding. */
static gboolean begin_raw(Packing *packing, const LttPerfStep *step, const guint8 **raw_end)
{
	guint32 size;

	if (left(packing) < sizeof(size))
		return FALSE;
	size = ltt_load_u32(packing->at, packing->order);
	packing->at += sizeof(size);
	if (size > left(packing) || size < step->size)
		return FALSE;
	packing->raw = packing->at;
	packing->tail = packing->at + step->size;
	*raw_end = packing->at + size;
	return TRUE;
}

static gboolean end_raw(Packing *packing, const guint8 *body, const guint8 *raw_end)
{
	const guint8 *tail = packing->tail;

	packing->at = raw_end;
	return tail <= raw_end && (gsize)(raw_end - body) == padded((gsize)(tail - body)) &&
	       is_zero(tail, (gsize)(raw_end - tail));
}

/* memcpy() without a call, because fields of a fixed size are short. */
static inline void copy_few(guint8 *to, const guint8 *from, gsize size)
{
	enum { CHUNK = 16 };
	gsize at = 0;

	for (; at + CHUNK <= size; at += CHUNK)
		memcpy(to + at, from + at, CHUNK);
	for (; at + sizeof(guint32) <= size; at += sizeof(guint32))
		memcpy(to + at, from + at, sizeof(guint32));
	for (; at < size; at++)
		to[at] = from[at];
}

/* Packs a body of steps->body_bytes, so no step needs to check the size. */
static guint8 *pack_fixed(const LttPerfSteps *steps, LttPerfMemo *memo, LttByteOrder order,
			  const guint8 *at, guint8 *out)
{
	const LttPerfStep *end = steps->steps + steps->n_steps;

	for (const LttPerfStep *step = steps->steps; step < end; step++) {
		if (step->kind == LTT_PERF_STEP_COPY) {
			copy_few(out, at, step->size);
			at += step->size;
			out += step->size;
		} else if (step->kind == LTT_PERF_STEP_PARTS) {
			out += ltt_perf_memo_pack(memo, step->field, ltt_load_u64(at, order), order,
						  out);
			at += WORD_BYTES;
		} else if (step->kind == LTT_PERF_STEP_RAW) {
			if (ltt_load_u32(at, order) != step->base)
				return NULL;
			at += sizeof(guint32);
		} else {
			if (!is_zero(at, step->size))
				return NULL;
			at += step->size;
		}
	}
	return out;
}

guint8 *ltt_perf_steps_pack(const LttPerfSteps *steps, LttPerfMemo *memo, LttByteOrder order,
			    const guint8 *body, gsize body_bytes, guint8 *out)
{
	Packing packing = {.memo = memo,
			   .order = order,
			   .at = body,
			   .end = body + body_bytes,
			   .out = out,
			   .raw = body,
			   .tail = body};
	const LttPerfStep *end = steps->steps + steps->n_steps;
	const guint8 *raw_end = NULL;
	gsize text_bytes;
	gboolean ok = TRUE;

	if (steps->body_bytes > 0)
		return body_bytes == steps->body_bytes ? pack_fixed(steps, memo, order, body, out)
						       : NULL;
	/* Between RAW and RAW_END, the steps need not check the size: begin_raw() has done so. */
	for (const LttPerfStep *step = steps->steps; step < end && ok; step++) {
		switch (step->kind) {
		case LTT_PERF_STEP_COPY:
			ok = copy(&packing, step->size);
			break;
		case LTT_PERF_STEP_ITEMS:
			ok = pack_items(&packing, step);
			break;
		case LTT_PERF_STEP_CHOICE:
			ok = pack_choice(&packing, step);
			break;
		case LTT_PERF_STEP_STACK:
			ok = pack_stack(&packing);
			break;
		case LTT_PERF_STEP_PARTS:
			ok = pack_parts(&packing, step);
			break;
		case LTT_PERF_STEP_RAW:
			ok = begin_raw(&packing, step, &raw_end);
			break;
		case LTT_PERF_STEP_TEXT:
			ok = pack_text(&packing, packing.at, step->size, &text_bytes);
			packing.at += step->size;
			break;
		case LTT_PERF_STEP_ZERO:
			ok = is_zero(packing.at, step->size);
			packing.at += step->size;
			break;
		case LTT_PERF_STEP_LOC_TEXT:
		case LTT_PERF_STEP_LOC_ITEMS:
			ok = pack_located(&packing, step);
			break;
		case LTT_PERF_STEP_RAW_END:
			ok = end_raw(&packing, body, raw_end);
			break;
		}
	}
	return ok && packing.at == packing.end ? packing.out : NULL;
}

/* ---- bodies that are identical in packed form ---- */

static gboolean skip(const guint8 **at, const guint8 *end, guint64 size)
{
	if (size > (gsize)(end - *at))
		return FALSE;
	*at += size;
	return TRUE;
}

static gboolean skip_number(const guint8 **at, const guint8 *end, LttByteOrder order, guint width,
			    guint64 *value)
{
	if (width > (gsize)(end - *at))
		return FALSE;
	*value = ltt_load_uint(*at, width, order);
	*at += width;
	return TRUE;
}

gboolean ltt_perf_steps_fit(const LttPerfSteps *steps, LttByteOrder order, const guint8 *body,
			    gsize body_bytes)
{
	const guint8 *end = body + body_bytes;
	gboolean ok = TRUE;
	guint64 value;

	for (guint i = 0; i < steps->n_steps && ok; i++) {
		const LttPerfStep *step = &steps->steps[i];

		switch (step->kind) {
		case LTT_PERF_STEP_COPY:
			ok = skip(&body, end, step->size);
			break;
		case LTT_PERF_STEP_ITEMS:
			ok = skip_number(&body, end, order, step->width, &value) &&
			     value <= (gsize)(end - body) / step->size &&
			     skip(&body, end, value * step->size);
			break;
		case LTT_PERF_STEP_CHOICE:
			ok = skip_number(&body, end, order, step->width, &value) &&
			     value < step->size && skip(&body, end, step->sizes[value]);
			break;
		case LTT_PERF_STEP_STACK:
			ok = skip_number(&body, end, order, WORD_BYTES, &value) && value > 0 &&
			     skip(&body, end, value) && skip(&body, end, WORD_BYTES);
			break;
		default:
			ok = FALSE;
			break;
		}
	}
	return ok && body == end;
}
