/* plan-priv.h - the raw bytes of a tracepoint as a few steps, for those that are packed by the
 * million.
 *
 *	raw bytes   type flags count pid   prev_comm[16]   prev_pid ...   (gap)   next_comm[16]
 *(pad) steps       COPY................   TEXT            COPY           ZERO    TEXT ZERO
 *
 * Members that adjoin are copied together. Whether the packed members tell all of the raw bytes is
 * found on the way: bytes of no member, and those behind the NUL of a text, are zeros.
 */
#ifndef LTT_FORMATS_PERF_FILE_PLAN_PRIV_H
#define LTT_FORMATS_PERF_FILE_PLAN_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/plan-priv.h is private to libltt"
#endif

#include "formats/perf/file/arena-priv.h"
#include "formats/perf/file/field-priv.h"

typedef enum LttPerfStepKind {
	LTT_PERF_STEP_COPY,
	LTT_PERF_STEP_TEXT,
	LTT_PERF_STEP_ZERO, /* bytes of no member */
} LttPerfStepKind;

typedef struct LttPerfStep {
	LttPerfStepKind kind;
	guint32 place;
	guint32 length;
} LttPerfStep;

struct LttPerfPlan {
	gsize most_bytes; /* that it gives */
	guint32 end;      /* of the members */
	guint n_steps;
	LttPerfStep steps[];
};

/* Returns: (transfer none) (nullable): owned by @arena; NULL: the members of the TRACE overlap, or
 * tell only where their bytes are */
const LttPerfPlan *ltt_perf_plan_new(LttPerfArena *arena, const LttPerfField *members,
				     guint n_members);

/* Packs raw bytes, plan->end at least, into @out, which has room for plan->most_bytes.
 * @is_told: (out): whether what is packed tells all bytes. Returns: the end of what it gave */
guint8 *ltt_perf_plan_pack(const LttPerfPlan *plan, const guint8 *bytes, gsize n_bytes, guint8 *out,
			   gboolean *is_told);

/* The way back. @raw: plan->end zeros. Returns: (nullable): what is behind the packed members;
 * NULL: they are none of this plan */
const guint8 *ltt_perf_plan_unpack(const LttPerfPlan *plan, const guint8 *packed,
				   const guint8 *packed_end, guint8 *raw);

#endif
