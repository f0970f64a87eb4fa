/* block-times.c - the times of a block's events (doc/format.md, 6). */
#include "reader/block-priv.h"

static const LttTimeValue *stamp(const LttBlock *block, guint index)
{
	return &g_array_index(block->stamps, LttTimeValue, index);
}

LttRate ltt_block_get_rate(const LttBlock *block)
{
	if (block->stamps->len < 2)
		return (LttRate){0, 0};
	return ltt_rate_between(stamp(block, 0), stamp(block, block->stamps->len - 1));
}

/* The rate behind the last time value: the first that there is (doc/format.md, 6.3). */
static LttRate open_rate(const LttBlock *block, LttTracefile *tracefile)
{
	const guint n_stamps = block->stamps->len;
	LttRate rate = block->clock_rate;

	if (rate.dc_cycles == 0 && n_stamps >= 2)
		rate = ltt_rate_between(stamp(block, n_stamps - 2), stamp(block, n_stamps - 1));
	if (rate.dc_cycles == 0)
		rate = ltt_tracefile_get_rate_before(tracefile, block->position);
	return rate;
}

static void set_times(LttBlock *block, LttTracefile *tracefile)
{
	for (guint i = 0; i < block->stamps->len; i++) {
		const gboolean is_last = i + 1 == block->stamps->len;
		const guint32 *events = &g_array_index(block->stamp_events, guint32, i);
		const guint32 end = is_last ? block->n_events : events[1];
		LttRate rate = {0, 0};

		if (!is_last)
			rate = ltt_rate_between(stamp(block, i), stamp(block, i + 1));
		else if (end - events[0] > 1)
			rate = open_rate(block, tracefile);
		ltt_clock_times(stamp(block, i), &rate, block->cycles + events[0], end - events[0],
				block->times_ns + events[0]);
	}
}

gboolean ltt_block_load(LttBlock *block, LttTracefile *tracefile, guint64 position, GError **error)
{
	if (!ltt_block_load_untimed(block, tracefile, position, error))
		return FALSE;
	set_times(block, tracefile);
	return TRUE;
}
