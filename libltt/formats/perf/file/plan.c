/* plan.c - see plan-priv.h. */
#include "formats/perf/file/plan-priv.h"

#include <string.h>

/* Raw bytes begin behind a size of 4 bytes, at a multiple of 8, and end at one. */
#define SIZE_BYTES  4
#define ALIGN_BYTES 8

static gboolean is_zero(const guint8 *bytes, gsize length)
{
	guint8 any = 0;

	for (gsize i = 0; i < length; i++)
		any |= bytes[i];
	return any == 0;
}

static gboolean is_located(const LttPerfField *member)
{
	return member->kind == LTT_PERF_LOC_TEXT || member->kind == LTT_PERF_LOC_ITEMS ||
	       member->kind == LTT_PERF_LOC_TEXTS;
}

static void add_step(LttPerfPlan *plan, LttPerfStepKind kind, guint32 place, guint32 length)
{
	LttPerfStep *last = plan->n_steps > 0 ? &plan->steps[plan->n_steps - 1] : NULL;

	if (last != NULL && kind == LTT_PERF_STEP_COPY && last->kind == kind)
		last->length += length;
	else
		plan->steps[plan->n_steps++] = (LttPerfStep){kind, place, length};
}

const LttPerfPlan *ltt_perf_plan_new(LttPerfArena *arena, const LttPerfField *members,
				     guint n_members)
{
	/* A gap and a member for each. */
	LttPerfPlan *plan =
		g_malloc0(sizeof(LttPerfPlan) + (gsize)n_members * 2 * sizeof(LttPerfStep));

	g_ptr_array_add(arena, plan);
	for (guint i = 0; i < n_members; i++) {
		const LttPerfField *member = &members[i];
		const gsize size = ltt_perf_field_get_placed_size(member);
		const gboolean is_text = member->kind == LTT_PERF_TEXT;

		if (is_located(member) || member->place < plan->end || size == 0)
			return NULL;
		if (member->place > plan->end)
			add_step(plan, LTT_PERF_STEP_ZERO, plan->end, member->place - plan->end);
		add_step(plan, is_text ? LTT_PERF_STEP_TEXT : LTT_PERF_STEP_COPY, member->place,
			 (guint32)size);
		plan->most_bytes += size + (is_text ? 1 : 0);
		plan->end = member->place + (guint32)size;
	}
	return plan;
}

static guint8 *pack_text(const guint8 *bytes, gsize length, guint8 *out, gboolean *is_told)
{
	const guint8 *nul = memchr(bytes, '\0', length);
	const gsize text_bytes = nul != NULL ? (gsize)(nul - bytes) : length;

	memcpy(out, bytes, text_bytes);
	out[text_bytes] = '\0';
	if (nul != NULL && !is_zero(nul, length - text_bytes))
		*is_told = FALSE;
	return out + text_bytes + 1;
}

guint8 *ltt_perf_plan_pack(const LttPerfPlan *plan, const guint8 *bytes, gsize n_bytes, guint8 *out,
			   gboolean *is_told)
{
	const gsize full_bytes =
		(SIZE_BYTES + plan->end + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES - SIZE_BYTES;

	*is_told = n_bytes == full_bytes && is_zero(bytes + plan->end, n_bytes - plan->end);
	for (guint i = 0; i < plan->n_steps; i++) {
		const LttPerfStep *step = &plan->steps[i];
		const guint8 *from = bytes + step->place;

		switch (step->kind) {
		case LTT_PERF_STEP_COPY:
			memcpy(out, from, step->length);
			out += step->length;
			break;
		case LTT_PERF_STEP_TEXT:
			out = pack_text(from, step->length, out, is_told);
			break;
		case LTT_PERF_STEP_ZERO:
			if (!is_zero(from, step->length))
				*is_told = FALSE;
			break;
		}
	}
	return out;
}

/* Returns: (nullable): as ltt_perf_plan_unpack() */
static const guint8 *unpack_text(const guint8 *packed, gsize left, guint8 *raw, gsize length)
{
	const guint8 *nul = left > 0 ? memchr(packed, '\0', left) : NULL;

	if (nul == NULL || (gsize)(nul - packed) > length)
		return NULL;
	memcpy(raw, packed, (gsize)(nul - packed));
	return nul + 1;
}

const guint8 *ltt_perf_plan_unpack(const LttPerfPlan *plan, const guint8 *packed,
				   const guint8 *packed_end, guint8 *raw)
{
	for (guint i = 0; i < plan->n_steps && packed != NULL; i++) {
		const LttPerfStep *step = &plan->steps[i];
		const gsize left = (gsize)(packed_end - packed);

		if (step->kind == LTT_PERF_STEP_TEXT) {
			packed = unpack_text(packed, left, raw + step->place, step->length);
		} else if (step->kind == LTT_PERF_STEP_COPY) {
			if (step->length > left)
				return NULL;
			memcpy(raw + step->place, packed, step->length);
			packed += step->length;
		}
	}
	return packed;
}
