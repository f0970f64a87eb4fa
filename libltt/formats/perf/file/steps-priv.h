/* steps-priv.h - compile the fields of a sample into steps, which pack samples fast.
 *
 * Nearly all records of a recording are samples, and the samples of one event have the same fields.
 * Most of the fields have a fixed size and are adjacent, so one step copies many of them:
 *
 *	record   identifier ip time cpu  | raw: size  type flags pid  comm[16]  gap  prio  | padding
 *	steps    COPY..................  | RAW        COPY..........  TEXT      ZERO COPY  | RAW_END
 *
 * Steps are a fast path. They reject a body if unpacking would not restore it exactly; the caller
 * then uses ltt_perf_pack() or ltt_perf_unpack(). If both can handle a body, the result is the
 * same.
 */
#ifndef LTT_FORMATS_PERF_FILE_STEPS_PRIV_H
#define LTT_FORMATS_PERF_FILE_STEPS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/steps-priv.h is private to libltt"
#endif

#include "formats/perf/file/arena-priv.h"
#include "formats/perf/file/number-parts-priv.h"

typedef enum LttPerfStepKind {
	LTT_PERF_STEP_COPY,      /* size bytes */
	LTT_PERF_STEP_ITEMS,     /* a count, front bytes, count items of size bytes */
	LTT_PERF_STEP_CHOICE,    /* a code < size, sizes[code] bytes */
	LTT_PERF_STEP_STACK,     /* a u64 n, n bytes, a u64 */
	LTT_PERF_STEP_PARTS,     /* a u64 whose bits are the members of field */
	LTT_PERF_STEP_RAW,       /* a u32 n, begin of n raw bytes; fixed members take size bytes */
	LTT_PERF_STEP_TEXT,      /* size bytes: a text and zeros */
	LTT_PERF_STEP_ZERO,      /* size zeros, which belong to no member */
	LTT_PERF_STEP_LOC_TEXT,  /* a word that locates a text; base is added to its offset */
	LTT_PERF_STEP_LOC_ITEMS, /* a word that locates items of size bytes; likewise */
	LTT_PERF_STEP_RAW_END,   /* zeros up to a multiple of 8 */
} LttPerfStepKind;

typedef struct LttPerfStep {
	LttPerfStepKind kind;
	guint8 width; /* of a count or code */
	guint32 size; /* RAW_END in bodies of a fixed size: number of zeros */
	guint32 front;
	guint32 base;              /* RAW in bodies of a fixed size: size of the raw bytes */
	const LttPerfField *field; /* of PARTS */
	const guint32 *sizes;
	const LttPerfNumbers *numbers; /* at the end of each item of ITEMS; NULL: none */
} LttPerfStep;

typedef struct LttPerfSteps {
	gboolean are_same;     /* the packed fields are identical to the body */
	gboolean have_numbers; /* packing enlarges the body by up to half of its size */
	gsize spare_bytes;     /* maximum additional growth of the packed form */
	gsize body_bytes;      /* fixed size of a body; 0: it varies */
	guint n_steps;
	LttPerfStep steps[];
} LttPerfSteps;

/* A packed body is larger than the body by at most half of its size, for branches, and this number
 * of bytes. */
#define LTT_PERF_STEPS_SPARE ((gsize)32 * 1024)

/* Returns: the maximum packed size of a body of @body_bytes */
static inline gsize ltt_perf_steps_get_room(const LttPerfSteps *steps, gsize body_bytes)
{
	return body_bytes + (steps->have_numbers ? body_bytes / 2 : 0) + steps->spare_bytes;
}

/* Returns: (transfer none) (nullable): steps that @arena owns; NULL if steps cannot represent the
 * fields */
const LttPerfSteps *ltt_perf_steps_new(LttPerfArena *arena, const LttPerfField *fields,
				       guint n_fields);

/* Returns: whether @body consists of exactly these fields. @steps: their are_same must be TRUE */
gboolean ltt_perf_steps_fit(const LttPerfSteps *steps, LttByteOrder order, const guint8 *body,
			    gsize body_bytes);

/**
 * ltt_perf_steps_pack:
 * @memo: cache of a catalog with the byte order @order
 * @out: buffer of ltt_perf_steps_get_room() bytes
 *
 * Returns: (nullable): the end of the packed fields; NULL if the body does not match the fields, or
 *   if unpacking would not restore it exactly
 */
guint8 *ltt_perf_steps_pack(const LttPerfSteps *steps, LttPerfMemo *memo, LttByteOrder order,
			    const guint8 *body, gsize body_bytes, guint8 *out);

/**
 * ltt_perf_steps_unpack:
 * @memo: like that of ltt_perf_steps_pack(), but another one
 * @packed: packed fields, possibly followed by other bytes
 * @out: buffer of @out_bytes
 * @taken_bytes: (out): number of bytes of @packed that the fields take
 *
 * Returns: (nullable): the end of the body; NULL if @packed does not begin with these fields, or if
 *   @out is too small
 */
guint8 *ltt_perf_steps_unpack(const LttPerfSteps *steps, LttPerfMemo *memo, LttByteOrder order,
			      const guint8 *packed, gsize packed_bytes, guint8 *out,
			      gsize out_bytes, gsize *taken_bytes);

#endif
