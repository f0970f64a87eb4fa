/* time-range.c - see time-range-priv.h. */
#include "reader/time-range-priv.h"

#include "base/error-priv.h"
#include "reader/block-priv.h"
#include "reader/ends-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-time.h>

/* ---- the range ---- */

static void add_time(LttTimeRange *range, guint64 time_ns)
{
	range->first_ns = range->has_values ? MIN(range->first_ns, time_ns) : time_ns;
	range->last_ns = range->has_values ? MAX(range->last_ns, time_ns) : time_ns;
	range->has_values = TRUE;
}

/* Adds the time values of an open or damaged block. */
static void add_decoded(LttTimeRange *range, LttTracefile *tracefile, guint64 position,
			LttBlock *block)
{
	g_autoptr(GError) error = NULL;

	if (ltt_block_load_untimed(block, tracefile, position, &error)) {
		for (guint i = 0; i < block->stamps->len; i++)
			add_time(range, g_array_index(block->stamps, LttTimeValue, i).time_ns);
	}
	ltt_tracefile_note_failure(tracefile, error);
}

static void add_block(LttTimeRange *range, LttTracefile *tracefile, guint64 position,
		      LttBlock *block)
{
	LttBlockEnds ends;

	ltt_tracefile_read_ends(tracefile, ltt_tracefile_get_ordered(tracefile, position), &ends);
	if (ends.has_start && ends.is_complete) {
		add_time(range, ends.first_ns);
		add_time(range, ends.last_ns);
	} else {
		add_decoded(range, tracefile, position, block);
	}
}

static void add_tracefile(LttTimeRange *range, LttTracefile *tracefile, LttBlock *block)
{
	const guint64 n_blocks = ltt_tracefile_get_n_ordered(tracefile);
	const LttOrder *order = &tracefile->order;

	if (!order->is_scanned) {
		for (guint64 i = 0; i < n_blocks; i++)
			add_block(range, tracefile, i, block);
		return;
	}
	if (order->first_ns <= order->last_ns) {
		add_time(range, order->first_ns);
		add_time(range, order->last_ns);
	}
	for (guint i = 0; i < order->open->len; i++)
		add_decoded(range, tracefile, g_array_index(order->open, guint64, i), block);
}

void ltt_trace_find_values(LttTrace *trace)
{
	LttBlock block;

	ltt_block_init(&block);
	trace->values = (LttTimeRange){.has_values = FALSE};
	for (guint i = 0; i < trace->tracefiles->len; i++)
		add_tracefile(&trace->values, trace->tracefiles->pdata[i], &block);
	ltt_block_clear(&block);
}

/* ---- whether it can be moved ---- */

static gboolean keeps(const LttTrace *member, guint64 time_ns, guint64 most_ns)
{
	const __int128 moved_ns =
		(__int128)time_ns + (member->clock_map != NULL
					     ? ltt_clock_map_get_offset(member->clock_map, time_ns)
					     : member->offset_ns);

	return moved_ns >= 0 && moved_ns <= (__int128)most_ns;
}

/* Returns: (transfer full): "-1050000000.144272091" */
static char *format_offset(gint64 offset_ns)
{
	char text[LTT_TIME_TEXT_BYTES];

	ltt_time_format(offset_ns < 0 ? -(guint64)offset_ns : (guint64)offset_ns, text);
	return g_strdup_printf("%s%s", offset_ns < 0 ? "-" : "+", text);
}

static gboolean fail_offset(const LttTrace *member, guint64 most_ns, GError **error)
{
	g_autofree char *own = format_offset(member->offset_ns);
	g_autofree char *least = format_offset(-(gint64)member->values.first_ns);
	g_autofree char *greatest = format_offset((gint64)(most_ns - member->values.last_ns));

	return ltt_fail(error, LTT_ERROR_INVALID,
			"an offset of %s s gives times out of range: expected %s to %s", own, least,
			greatest);
}

static gboolean fail_map(guint64 most_ns, GError **error)
{
	char most[LTT_TIME_TEXT_BYTES];

	ltt_time_format(most_ns, most);
	return ltt_fail(error, LTT_ERROR_INVALID,
			"times on the clock of the first trace are out of range: expected 0 to %s; "
			"give the trace first whose clock shows the greatest times",
			most);
}

gboolean ltt_trace_check_values(const LttTrace *member, guint64 most_ns, GError **error)
{
	const LttTimeRange *values = &member->values;

	if (!values->has_values ||
	    (keeps(member, values->first_ns, most_ns) && keeps(member, values->last_ns, most_ns)))
		return TRUE;
	return member->clock_map != NULL ? fail_map(most_ns, error)
					 : fail_offset(member, most_ns, error);
}
