/* summary.c - summarize a tracefile from its block_start and block_end events.
 *
 * A complete block has its times in its block_start and in the block_end that the final word points
 * to; only open and damaged blocks are decoded.
 */
#include "reader/block-priv.h"
#include "reader/ends-priv.h"
#include "reader/trace-priv.h"

static void add_time(LttTracefileSummary *summary, guint64 time_ns)
{
	summary->first_ns = summary->has_events ? MIN(summary->first_ns, time_ns) : time_ns;
	summary->last_ns = summary->has_events ? MAX(summary->last_ns, time_ns) : time_ns;
	summary->has_events = TRUE;
}

static void add_decoded(const LttBlock *block, LttTracefileSummary *summary)
{
	for (guint32 i = 0; i < block->n_events; i++)
		add_time(summary, block->times_ns[i]);
	summary->n_open_blocks += block->is_open ? 1 : 0;
}

static void decode(LttTracefile *tracefile, guint64 position, LttBlock *block)
{
	g_autoptr(GError) error = NULL;

	if (ltt_block_load(block, tracefile, position, &error))
		add_decoded(block, &tracefile->summary);
	ltt_tracefile_note_failure(tracefile, error);
}

/* Adds the blocks of a file whose scan for the order found the times of the complete ones. */
static void add_scanned(LttTracefile *tracefile, LttBlock *block)
{
	const LttOrder *order = &tracefile->order;

	if (order->first_ns <= order->last_ns) {
		add_time(&tracefile->summary, order->first_ns);
		add_time(&tracefile->summary, order->last_ns);
	}
	for (guint i = 0; i < order->open->len; i++)
		decode(tracefile, g_array_index(order->open, guint64, i), block);
}

static void add_block(LttTracefile *tracefile, guint64 position, LttBlock *block)
{
	LttBlockEnds ends;

	ltt_tracefile_read_ends(tracefile, ltt_tracefile_get_ordered(tracefile, position), &ends);
	if (ends.has_start && ends.is_complete) {
		add_time(&tracefile->summary, ends.first_ns);
		add_time(&tracefile->summary, ends.last_ns);
	} else {
		decode(tracefile, position, block);
	}
}

static void summarize(LttTracefile *tracefile)
{
	const guint64 n_blocks = ltt_tracefile_get_n_ordered(tracefile);
	LttBlock block;

	ltt_block_init(&block);
	tracefile->summary.n_used_blocks = n_blocks;
	if (tracefile->order.is_scanned) {
		add_scanned(tracefile, &block);
	} else {
		for (guint64 i = 0; i < n_blocks; i++)
			add_block(tracefile, i, &block);
	}
	ltt_block_clear(&block);
}

const LttTracefileSummary *ltt_tracefile_get_summary(LttTracefile *tracefile)
{
	g_rec_mutex_lock(&tracefile->lock);
	if (!tracefile->has_summary)
		summarize(tracefile);
	tracefile->has_summary = TRUE;
	g_rec_mutex_unlock(&tracefile->lock);
	return &tracefile->summary;
}

static gboolean add_span(LttTrace *trace, gboolean of_cpus, guint64 *start_ns, guint64 *end_ns)
{
	gboolean found = FALSE;

	for (guint i = 0; i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];
		const LttTracefileSummary *summary;

		if ((tracefile->cpu >= 0) != of_cpus)
			continue;
		summary = ltt_tracefile_get_summary(tracefile);
		if (!summary->has_events)
			continue;
		*start_ns = found ? MIN(*start_ns, summary->first_ns) : summary->first_ns;
		*end_ns = found ? MAX(*end_ns, summary->last_ns) : summary->last_ns;
		found = TRUE;
	}
	return found;
}

gboolean ltt_trace_get_span(LttTrace *trace, guint64 *start_ns, guint64 *end_ns)
{
	return add_span(trace, TRUE, start_ns, end_ns) || add_span(trace, FALSE, start_ns, end_ns);
}
