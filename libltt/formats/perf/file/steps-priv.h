/* steps-priv.h - the fields of a sample compiled into a few steps, for samples by the million.
 *
 * A recording is nearly all samples, and those of one event have the same fields. Most of the
 * fields have a fixed size and lie next to each other, so one step copies many of them:
 *
 *	record   identifier ip time cpu  | raw: size  type flags pid  comm[16]  gap  prio  | padding
 *	steps    COPY..................  | RAW        COPY..........  TEXT      ZERO COPY  | RAW_END
 *
 * The steps take the fast path only: they accept a body if the packed fields give it back to the
 * byte, and refuse any other. ltt_perf_pack() and ltt_perf_unpack() accept everything, and give the
 * same bytes where both do.
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
	LTT_PERF_STEP_ITEMS,     /* a count, front bytes, so many items of size bytes */
	LTT_PERF_STEP_CHOICE,    /* a code below size, sizes[code] bytes */
	LTT_PERF_STEP_STACK,     /* a size, so many bytes, a number */
	LTT_PERF_STEP_PARTS,     /* the number of field in parts */
	LTT_PERF_STEP_RAW,       /* a size, raw bytes with size bytes of fixed members */
	LTT_PERF_STEP_TEXT,      /* size bytes: a text and zeros */
	LTT_PERF_STEP_ZERO,      /* size bytes of no member */
	LTT_PERF_STEP_LOC_TEXT,  /* where a text lies, counted from base */
	LTT_PERF_STEP_LOC_ITEMS, /* where items of size bytes lie, counted from base */
	LTT_PERF_STEP_RAW_END,   /* zeros up to a multiple of 8 */
} LttPerfStepKind;

typedef struct LttPerfStep {
	LttPerfStepKind kind;
	guint8 width; /* of a count or code */
	guint32 size;
	guint32 front;
	guint32 base;
	const LttPerfField *field; /* of PARTS */
	const guint32 *sizes;
	const LttPerfNumbers *numbers; /* that end each item of ITEMS; NULL: none */
} LttPerfStep;

typedef struct LttPerfSteps {
	gboolean are_same; /* the packed fields are the same bytes as the body */
	guint n_steps;
	LttPerfStep steps[];
} LttPerfSteps;

/* What a body may grow by when it is packed: half of its size, for branches, and so many bytes. */
#define LTT_PERF_STEPS_SPARE ((gsize)32 * 1024)

/* Returns: (transfer none) (nullable): owned by @arena; NULL if steps cannot express the fields */
const LttPerfSteps *ltt_perf_steps_new(LttPerfArena *arena, const LttPerfField *fields,
				       guint n_fields);

/* Returns: whether @body consists of exactly these fields. @steps: with are_same */
gboolean ltt_perf_steps_fit(const LttPerfSteps *steps, LttByteOrder order, const guint8 *body,
			    gsize body_bytes);

/**
 * ltt_perf_steps_pack:
 * @memo: of a catalog whose order is @order
 * @out: room for body_bytes + body_bytes / 2 + LTT_PERF_STEPS_SPARE
 *
 * Returns: (nullable): the end of the packed fields; NULL if these would not give the body back, or
 *   if it is not of these fields
 */
guint8 *ltt_perf_steps_pack(const LttPerfSteps *steps, LttPerfMemo *memo, LttByteOrder order,
			    const guint8 *body, gsize body_bytes, guint8 *out);

/**
 * ltt_perf_steps_unpack:
 * @packed: packed fields, with anything behind them
 * @out: @out_bytes of room
 * @taken_bytes: (out): of @packed
 *
 * Returns: (nullable): the end of the body; NULL if @packed does not begin with these fields, or if
 *   there is no room
 */
guint8 *ltt_perf_steps_unpack(const LttPerfSteps *steps, LttByteOrder order, const guint8 *packed,
			      gsize packed_bytes, guint8 *out, gsize out_bytes, gsize *taken_bytes);

#endif
