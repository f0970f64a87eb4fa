/* summary.c - what a tracefile holds as a whole, from the known places of its blocks.
 *
 * A complete block has its times in its block_start and in the block_end that the final word points
 * to; only open and damaged blocks are decoded.
 */
#include "base/bytes-priv.h"
#include "model/ondisk-priv.h"
#include "reader/block-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-time.h>

static void add_time(LttTracefileSummary *summary, guint64 time_ns)
{
	summary->first_ns = summary->has_events ? MIN(summary->first_ns, time_ns) : time_ns;
	summary->last_ns = summary->has_events ? MAX(summary->last_ns, time_ns) : time_ns;
	summary->has_events = TRUE;
}

static guint64 stamp_ns(const guint8 *payload, const LttStampPlan *plan, LttByteOrder order)
{
	return (guint64)ltt_load_u32(payload + plan->seconds_at, order) * LTT_NS_PER_S +
	       ltt_load_u32(payload + plan->nanoseconds_at, order);
}

/* Adds a block by its first and last event. Returns: FALSE if it is open, damaged or of
 * dialect 2.2, and has to be decoded */
static gboolean add_by_ends(LttTracefile *tracefile, guint64 place, LttTracefileSummary *summary)
{
	const LttSlots *slots = tracefile->trace->slots;
	const LttByteOrder order = ltt_system_get_arch(tracefile->trace->system)->byte_order;
	const guint64 start = place * tracefile->block_bytes;
	guint8 first[LTT_BLOCK_EVENT_BYTES];
	guint8 last[LTT_BLOCK_EVENT_BYTES];
	guint8 word[LTT_FINAL_WORD_BYTES];
	guint32 last_at;

	if (ltt_system_is_dialect_22(tracefile->trace->system) ||
	    slots->block_start_bytes != LTT_BLOCK_EVENT_BYTES ||
	    !ltt_tracefile_read(tracefile, start, first, sizeof(first), NULL) ||
	    !ltt_tracefile_read(tracefile, start + tracefile->block_bytes - sizeof(word), word,
				sizeof(word), NULL))
		return FALSE;
	last_at = ltt_load_u32(word, order);
	if (last_at < sizeof(first) ||
	    last_at > tracefile->block_bytes - sizeof(word) - sizeof(last) ||
	    !ltt_tracefile_read(tracefile, start + last_at, last, sizeof(last), NULL) ||
	    ltt_load_u16(first, order) != LTT_ID_BLOCK_START ||
	    ltt_load_u16(last, order) != LTT_ID_BLOCK_END)
		return FALSE;
	add_time(summary, stamp_ns(first + LTT_EVENT_HEADER_BYTES, &slots->block, order));
	add_time(summary, stamp_ns(last + LTT_EVENT_HEADER_BYTES, &slots->block, order));
	return TRUE;
}

static void add_decoded(const LttBlock *block, LttTracefileSummary *summary)
{
	for (guint32 i = 0; i < block->n_events; i++)
		add_time(summary, block->times_ns[i]);
	summary->n_open_blocks += block->is_open ? 1 : 0;
}

static void summarize(LttTracefile *tracefile)
{
	LttTracefileSummary *summary = &tracefile->summary;
	LttBlock block;

	ltt_block_init(&block);
	summary->n_used_blocks = ltt_tracefile_get_n_ordered(tracefile);
	for (guint64 i = 0; i < summary->n_used_blocks; i++) {
		if (!add_by_ends(tracefile, ltt_tracefile_get_ordered(tracefile, i), summary) &&
		    ltt_block_load(&block, tracefile, i, NULL))
			add_decoded(&block, summary);
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
