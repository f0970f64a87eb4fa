/* reason.c - why the clock of a trace has no result, in words. */
#include <ltt/ltt-sync.h>
#include <ltt/ltt-time.h>

const char *ltt_sync_state_name(LttSyncState state)
{
	static const char *const names[] = {
		[LTT_SYNC_REFERENCE] = "reference", [LTT_SYNC_SAME_CLOCK] = "same clock",
		[LTT_SYNC_FOUND] = "found",         [LTT_SYNC_NO_MESSAGES] = "no messages",
		[LTT_SYNC_ONE_WAY] = "one way",     [LTT_SYNC_CONTRADICTION] = "contradiction",
	};

	return names[state];
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
	char time[LTT_TIME_TEXT_BYTES];

	if (pair->state == LTT_SYNC_ONE_WAY)
		return g_strdup_printf("messages only from %s to %s: expected messages in both "
				       "directions",
				       is_forward ? first : second, is_forward ? second : first);
	ltt_time_format(pair->bad_ns, time);
	return g_strdup_printf("messages between %s and %s contradict each other near %s: a clock "
			       "was set, or messages have the same id",
			       first, second, time);
}

char *ltt_sync_dup_reason(const LttSync *sync, LttTrace *const *traces, guint index)
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
