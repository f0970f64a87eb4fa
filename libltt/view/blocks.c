/* blocks.c - see blocks-priv.h. */
#include "view/blocks-priv.h"

#include <ltt/ltt-join.h>

/* The estimated number of events of a block. */
#define BLOCK_EVENTS 1000

void ltt_view_bins_add(const LttViewBins *bins, guint64 time_ns, guint64 n)
{
	const unsigned __int128 at_ns = time_ns - bins->from_ns;

	if (time_ns >= bins->from_ns && time_ns < bins->to_ns)
		bins->counts[(gsize)(at_ns * bins->n / (bins->to_ns - bins->from_ns))] += n;
}

LttViewBlocks *ltt_view_blocks_new(LttTrace *trace)
{
	LttViewBlocks *blocks = g_new0(LttViewBlocks, 1);

	blocks->trace = trace;
	blocks->list = ltt_partitions_new(trace, NULL, 1);
	return blocks;
}

void ltt_view_blocks_free(LttViewBlocks *blocks)
{
	if (blocks == NULL)
		return;
	g_array_unref(blocks->list);
	g_free(blocks);
}

/* Adds the estimate of a block at steps of a bin. Times may be as late as 2^64 - 1, so nothing is added
 * to them. */
static void fill(const LttPartition *block, const LttViewBins *bins)
{
	const guint64 first_ns = MAX(block->first_ns, bins->from_ns);
	const guint64 last_ns = MIN(block->last_ns, bins->to_ns - 1);
	const guint64 step_ns = (bins->to_ns - bins->from_ns) / bins->n + 1;
	const unsigned __int128 length_ns = (unsigned __int128)block->last_ns - block->first_ns + 1;
	const guint64 n_events =
		1 + (guint64)(BLOCK_EVENTS * (unsigned __int128)step_ns / length_ns);

	for (guint64 at_ns = first_ns; at_ns <= last_ns; at_ns += step_ns) {
		ltt_view_bins_add(bins, at_ns, n_events);
		if (last_ns - at_ns < step_ns)
			break;
	}
}

void ltt_view_blocks_fill(const LttViewBlocks *blocks, const LttViewBins *bins)
{
	for (guint i = 0; i < blocks->list->len; i++)
		fill(&g_array_index(blocks->list, LttPartition, i), bins);
}

void ltt_view_blocks_fill_cpu(const LttViewBlocks *blocks, guint member, gint cpu,
			      const LttViewBins *bins)
{
	for (guint i = 0; i < blocks->list->len; i++) {
		const LttPartition *block = &g_array_index(blocks->list, LttPartition, i);

		if (ltt_tracefile_get_cpu(block->tracefile) == cpu &&
		    ltt_trace_find_member(blocks->trace, block->tracefile) == member)
			fill(block, bins);
	}
}

guint64 ltt_view_blocks_count(const LttViewBlocks *blocks, guint64 from_ns, guint64 to_ns)
{
	guint64 n = 0;

	for (guint i = 0; i < blocks->list->len; i++) {
		const LttPartition *block = &g_array_index(blocks->list, LttPartition, i);

		if (block->first_ns < to_ns && block->last_ns >= from_ns)
			n += block->n_blocks;
	}
	return n;
}
