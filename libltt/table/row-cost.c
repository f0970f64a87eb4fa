/* row-cost.c - limit the bytes that an event takes as a row of a table (cost-priv.h).
 *
 * For most types, a bound for all events of a block is below the limits, and no event is looked at.
 */
#include "table/rows-priv.h"

#include "base/error-priv.h"

/* Maximum bytes that a tame block adds to a batch between two looks at its size. */
#define TAME_BYTES ((guint64)LTT_HUGE_BYTES)

/* Returns: a bound for the rows of a plan */
static const LttCost *need_cost(const LttRowPlan *plan, const LttLayout *layout)
{
	LttCost all = {plan->row_bytes, 0};

	if (plan->last->layout == layout && layout != NULL)
		return &plan->last->cost;
	for (guint i = 0; i < plan->n_members; i++) {
		const LttLayout *member =
			layout->kind == LTT_STRUCT ? layout->members[i].layout : layout;
		LttCost cost;

		if (plan->builders[i] == NULL)
			continue;
		cost = ltt_cost_of_values(plan->builders[i], member);
		all.bytes = ltt_cost_add(all.bytes, cost.bytes);
		all.factor = MAX(all.factor, cost.factor);
	}
	*plan->last = (LttRowCost){layout, all};
	return &plan->last->cost;
}

/* Returns: the bytes of the event in the columns */
static guint64 measure(const LttRowPlan *plan, const LttEvent *event, const guint8 *limit)
{
	const LttLayout *layout = event->layout;
	LttPlaces place = {.n = 1, .byte_order = event->byte_order, .limit = limit};
	const guint8 *at = event->payload;
	guint64 n_bytes = plan->row_bytes;

	for (guint i = 0; i < plan->n_members; i++) {
		place.layout = layout->kind == LTT_STRUCT ? layout->members[i].layout : layout;
		n_bytes = ltt_cost_add(n_bytes, ltt_cost_measure(plan->builders[i], &place, &at));
	}
	return n_bytes;
}

gboolean ltt_rows_are_tame(const LttRowPlan *plan, const LttLayout *layout, guint64 block_bytes)
{
	const LttCost *cost = need_cost(plan, layout);

	return cost->factor <= LTT_ROW_FACTOR &&
	       ltt_cost_add(ltt_cost_multiply(cost->bytes, LTT_CHUNK_ROWS),
			    ltt_cost_multiply(cost->factor, block_bytes)) <= TAME_BYTES;
}

gboolean ltt_rows_admit(LttRows *rows, const LttRowPlan *plan, const LttEvent *event,
			const guint8 *limit, GError **error)
{
	const guint64 most = ltt_cost_get_limit(event->payload_bytes);
	guint64 n_bytes = ltt_cost_at_most(need_cost(plan, event->layout), event->payload_bytes);

	if (n_bytes > most)
		n_bytes = measure(plan, event, limit);
	rows->chunk.n_decoded += MIN(n_bytes, most);
	rows->n_admitted += MIN(n_bytes, most);
	return n_bytes <= most ||
	       ltt_fail_at(error, LTT_ERROR_LIMIT, event->tracefile->name, (gint64)event->block,
			   event->offset_bytes,
			   "event %s of %u bytes takes %" G_GUINT64_FORMAT
			   " bytes in the columns of a table: expected at most %" G_GUINT64_FORMAT,
			   event->type->full_name, event->payload_bytes, n_bytes, most);
}
