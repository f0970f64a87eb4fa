/* syncing.c - see syncing.h. */
#include "syncing.h"

#include "amount.h"
#include "progress.h"
#include "tool.h"

#include <ltt/ltt-time.h>

LttSync *syncing_find(LttTrace *const *traces, guint n_traces, char *const *rules,
		      double wander_ppm)
{
	const LttSyncRequest request = {
		.traces = traces,
		.n_traces = n_traces,
		.rules = (const char *const *)rules,
		.wander_ppm = wander_ppm,
		.callbacks = PROGRESS_CALLBACKS,
	};
	g_autoptr(GError) error = NULL;
	LttSync *sync;

	progress_start("messages", FALSE);
	sync = ltt_sync_new(&request, &error);
	progress_end();
	if (sync == NULL)
		tool_fail_error(error);
	return sync;
}

/* Returns: (nullable): a pair of the trace that has no relation */
static const LttSyncPair *find_failed(const LttSync *sync, guint index)
{
	const GArray *pairs = ltt_sync_get_pairs(sync);
	const LttSyncState state = ltt_sync_get_clock(sync, index)->state;

	for (guint i = 0; i < pairs->len; i++) {
		const LttSyncPair *pair = &g_array_index(pairs, LttSyncPair, i);

		if ((pair->first == index || pair->second == index) && pair->state == state)
			return pair;
	}
	return NULL;
}

/* Returns: why two clocks have no relation */
static char *get_pair_reason(const LttSyncPair *pair, LttTrace *const *traces)
{
	const gboolean is_forward = pair->n_to_second > 0;
	const char *first = ltt_trace_get_path(traces[pair->first]);
	const char *second = ltt_trace_get_path(traces[pair->second]);
	g_autofree char *time = amount_time(pair->bad_ns);

	if (pair->state == LTT_SYNC_ONE_WAY)
		return g_strdup_printf("messages only from %s to %s: expected messages in both "
				       "directions",
				       is_forward ? first : second, is_forward ? second : first);
	return g_strdup_printf("messages between %s and %s contradict each other near %s: a clock "
			       "was set, or messages have the same id",
			       first, second, time);
}

char *syncing_get_reason(const LttSync *sync, LttTrace *const *traces, guint index)
{
	const LttSyncPair *pair;

	switch (ltt_sync_get_clock(sync, index)->state) {
	case LTT_SYNC_NO_MESSAGES:
	case LTT_SYNC_ONE_WAY:
	case LTT_SYNC_CONTRADICTION:
		pair = find_failed(sync, index);
		return pair != NULL ? get_pair_reason(pair, traces)
				    : g_strdup("no messages connect it with the first trace");
	default:
		return NULL;
	}
}

char *syncing_format_offset(gint64 offset_ns)
{
	const guint64 size_ns = offset_ns < 0 ? -(guint64)offset_ns : (guint64)offset_ns;
	g_autofree char *seconds = amount_time(size_ns);

	return g_strconcat(offset_ns < 0 ? "-" : "+", seconds, NULL);
}

static void tell(const LttSyncClock *clock, LttTrace *const *traces, guint index)
{
	g_autofree char *offset = syncing_format_offset(clock->offset_ns);
	g_autofree char *bound = amount_duration(clock->bound_ns);

	tool_note("%s: times moved by %s s, rate %+.3f ppm, to the clock of %s, with an error of "
		  "at most %s",
		  ltt_trace_get_path(traces[index]), offset, clock->rate_ppm,
		  ltt_trace_get_path(traces[0]), bound);
}

gboolean syncing_accept(const LttSync *sync, LttTrace *const *traces, guint n_traces)
{
	gboolean has_all = TRUE;

	for (guint i = 0; i < n_traces; i++) {
		g_autofree char *reason = syncing_get_reason(sync, traces, i);

		if (reason != NULL)
			tool_fail("%s: --sync: %s", ltt_trace_get_path(traces[i]), reason);
		has_all = has_all && reason == NULL;
	}
	for (guint i = 0; has_all && i < n_traces; i++) {
		const LttSyncClock *clock = ltt_sync_get_clock(sync, i);

		if (clock->state == LTT_SYNC_FOUND)
			tell(clock, traces, i);
	}
	return has_all;
}
