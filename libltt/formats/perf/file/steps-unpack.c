/* steps-unpack.c - unpack the body of a sample with its steps (steps-priv.h). */
#include "formats/perf/file/steps-priv.h"

#include "base/bytes-priv.h"

#include <string.h>

#define WORD_BYTES sizeof(guint64)

/* State of unpacking a body. */
typedef struct Unpacking {
	LttPerfMemo *memo;
	LttByteOrder order;
	const guint8 *at;
	const guint8 *end;
	guint8 *out;
	guint8 *out_end;
	guint8 *raw;  /* raw bytes of a tracepoint */
	guint8 *tail; /* end of the fixed members and of the data located so far */
} Unpacking;

static inline gsize left(const Unpacking *unpacking)
{
	return (gsize)(unpacking->end - unpacking->at);
}

static inline gsize room(const Unpacking *unpacking)
{
	return (gsize)(unpacking->out_end - unpacking->out);
}

static inline gboolean copy(Unpacking *unpacking, gsize size)
{
	if (size > left(unpacking) || size > room(unpacking))
		return FALSE;
	memcpy(unpacking->out, unpacking->at, size);
	unpacking->at += size;
	unpacking->out += size;
	return TRUE;
}

static inline gboolean copy_number(Unpacking *unpacking, guint width, guint64 *value)
{
	if (width > left(unpacking))
		return FALSE;
	*value = ltt_load_uint(unpacking->at, width, unpacking->order);
	return copy(unpacking, width);
}

static gboolean unpack_branches(Unpacking *unpacking, const LttPerfStep *step, guint64 count)
{
	const gsize packed_bytes = step->size + step->numbers->n_bytes;

	if (count > left(unpacking) / packed_bytes ||
	    count > room(unpacking) / (step->size + WORD_BYTES))
		return FALSE;
	for (guint64 i = 0; i < count; i++) {
		guint64 value;

		memcpy(unpacking->out, unpacking->at, step->size);
		if (!ltt_perf_numbers_unpack(step->numbers, unpacking->order,
					     unpacking->at + step->size, &value))
			return FALSE;
		ltt_store_u64(unpacking->out + step->size, value, unpacking->order);
		unpacking->at += packed_bytes;
		unpacking->out += step->size + WORD_BYTES;
	}
	return TRUE;
}

static gboolean unpack_items(Unpacking *unpacking, const LttPerfStep *step)
{
	guint64 count;

	if (step->front > 0) {
		const gsize both = step->front + (gsize)step->width;

		if (left(unpacking) < both || room(unpacking) < both)
			return FALSE;
		count = ltt_load_uint(unpacking->at + step->front, step->width, unpacking->order);
		memcpy(unpacking->out, unpacking->at + step->front, step->width);
		memcpy(unpacking->out + step->width, unpacking->at, step->front);
		unpacking->at += both;
		unpacking->out += both;
	} else if (!copy_number(unpacking, step->width, &count)) {
		return FALSE;
	}
	if (step->numbers != NULL)
		return unpack_branches(unpacking, step, count);
	return count <= left(unpacking) / step->size && copy(unpacking, (gsize)count * step->size);
}

static gboolean unpack_choice(Unpacking *unpacking, const LttPerfStep *step)
{
	guint64 code;

	return copy_number(unpacking, step->width, &code) && code < step->size &&
	       copy(unpacking, step->sizes[code]);
}

static gboolean unpack_stack(Unpacking *unpacking)
{
	guint64 size;

	if (!copy_number(unpacking, WORD_BYTES, &size) || size > left(unpacking) ||
	    !copy(unpacking, (gsize)size))
		return FALSE;
	if (size > 0)
		return copy(unpacking, WORD_BYTES);
	if (left(unpacking) < WORD_BYTES)
		return FALSE;
	unpacking->at += WORD_BYTES;
	return TRUE;
}

static gboolean unpack_parts(Unpacking *unpacking, const LttPerfStep *step)
{
	guint64 value;
	gsize taken_bytes;

	if (room(unpacking) < WORD_BYTES ||
	    !ltt_perf_memo_unpack(unpacking->memo, step->field, unpacking->order, unpacking->at,
				  left(unpacking), &value, &taken_bytes))
		return FALSE;
	ltt_store_u64(unpacking->out, value, unpacking->order);
	unpacking->at += taken_bytes;
	unpacking->out += WORD_BYTES;
	return TRUE;
}

/* Takes a text. Returns: (nullable): its bytes; NULL if it is not terminated by NUL */
static const guint8 *take_text(Unpacking *unpacking, gsize *text_bytes)
{
	const guint8 *text = unpacking->at;
	const guint8 *nul = left(unpacking) > 0 ? memchr(text, '\0', left(unpacking)) : NULL;

	if (nul == NULL)
		return NULL;
	*text_bytes = (gsize)(nul - text);
	unpacking->at = nul + 1;
	return text;
}

static gboolean unpack_text(Unpacking *unpacking, const LttPerfStep *step)
{
	gsize text_bytes;
	const guint8 *text = take_text(unpacking, &text_bytes);

	if (text == NULL || text_bytes > step->size)
		return FALSE;
	memcpy(unpacking->out, text, text_bytes);
	memset(unpacking->out + text_bytes, 0, step->size - text_bytes);
	unpacking->out += step->size;
	return TRUE;
}

/* Appends @length bytes and @n_zeros at the tail, and makes the word of the fixed member locate
 * them. */
static gboolean put_located(Unpacking *unpacking, const LttPerfStep *step, const guint8 *bytes,
			    gsize length, gsize n_zeros)
{
	const gsize where = (gsize)(unpacking->tail - unpacking->raw) - step->base;

	if (length > G_MAXUINT16 ||
	    (gsize)(unpacking->out_end - unpacking->tail) < length + n_zeros)
		return FALSE;
	memcpy(unpacking->tail, bytes, length);
	memset(unpacking->tail + length, 0, n_zeros);
	unpacking->tail += length + n_zeros;
	ltt_store_u32(unpacking->out, (guint32)((length + n_zeros) << 16 | (where & G_MAXUINT16)),
		      unpacking->order);
	unpacking->out += sizeof(guint32);
	return TRUE;
}

static gboolean unpack_located(Unpacking *unpacking, const LttPerfStep *step)
{
	const guint8 *bytes;
	gsize length;
	guint32 count;

	if (step->kind == LTT_PERF_STEP_LOC_TEXT) {
		bytes = take_text(unpacking, &length);
		return bytes != NULL && put_located(unpacking, step, bytes, length, 1);
	}
	if (left(unpacking) < sizeof(count))
		return FALSE;
	count = ltt_load_u32(unpacking->at, unpacking->order);
	unpacking->at += sizeof(count);
	bytes = unpacking->at;
	if (count > left(unpacking) / step->size)
		return FALSE;
	length = (gsize)count * step->size;
	unpacking->at += length;
	return put_located(unpacking, step, bytes, length, 0);
}

static gboolean begin_raw(Unpacking *unpacking, const LttPerfStep *step)
{
	if (room(unpacking) < sizeof(guint32) + step->size)
		return FALSE;
	unpacking->raw = unpacking->out + sizeof(guint32);
	unpacking->tail = unpacking->raw + step->size;
	unpacking->out = unpacking->raw;
	return TRUE;
}

static gboolean end_raw(Unpacking *unpacking, const guint8 *body)
{
	const gsize n_zeros =
		(WORD_BYTES - (gsize)(unpacking->tail - body) % WORD_BYTES) % WORD_BYTES;

	if ((gsize)(unpacking->out_end - unpacking->tail) < n_zeros)
		return FALSE;
	memset(unpacking->tail, 0, n_zeros);
	unpacking->out = unpacking->tail + n_zeros;
	ltt_store_u32(unpacking->raw - sizeof(guint32), (guint32)(unpacking->out - unpacking->raw),
		      unpacking->order);
	return TRUE;
}

guint8 *ltt_perf_steps_unpack(const LttPerfSteps *steps, LttPerfMemo *memo, LttByteOrder order,
			      const guint8 *packed, gsize packed_bytes, guint8 *out,
			      gsize out_bytes, gsize *taken_bytes)
{
	Unpacking unpacking = {.memo = memo,
			       .order = order,
			       .at = packed,
			       .end = packed + packed_bytes,
			       .out = out,
			       .out_end = out + out_bytes,
			       .raw = out,
			       .tail = out};
	const LttPerfStep *end = steps->steps + steps->n_steps;
	gboolean ok = TRUE;

	/* Between RAW and RAW_END, the steps need not check the space: begin_raw() has done so. */
	for (const LttPerfStep *step = steps->steps; step < end && ok; step++) {
		switch (step->kind) {
		case LTT_PERF_STEP_COPY:
			ok = copy(&unpacking, step->size);
			break;
		case LTT_PERF_STEP_ITEMS:
			ok = unpack_items(&unpacking, step);
			break;
		case LTT_PERF_STEP_CHOICE:
			ok = unpack_choice(&unpacking, step);
			break;
		case LTT_PERF_STEP_STACK:
			ok = unpack_stack(&unpacking);
			break;
		case LTT_PERF_STEP_PARTS:
			ok = unpack_parts(&unpacking, step);
			break;
		case LTT_PERF_STEP_RAW:
			ok = begin_raw(&unpacking, step);
			break;
		case LTT_PERF_STEP_TEXT:
			ok = unpack_text(&unpacking, step);
			break;
		case LTT_PERF_STEP_ZERO:
			memset(unpacking.out, 0, step->size);
			unpacking.out += step->size;
			break;
		case LTT_PERF_STEP_LOC_TEXT:
		case LTT_PERF_STEP_LOC_ITEMS:
			ok = unpack_located(&unpacking, step);
			break;
		case LTT_PERF_STEP_RAW_END:
			ok = end_raw(&unpacking, out);
			break;
		}
	}
	*taken_bytes = (gsize)(unpacking.at - packed);
	return ok ? unpacking.out : NULL;
}
