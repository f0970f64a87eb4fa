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

char *syncing_format_offset(gint64 offset_ns)
{
	const guint64 size_ns = offset_ns < 0 ? -(guint64)offset_ns : (guint64)offset_ns;
	g_autofree char *seconds = amount_time(size_ns);

	return g_strconcat(offset_ns < 0 ? "-" : "+", seconds, NULL);
}

static void tell(const LttSyncClock *clock, LttTrace *const *traces, guint index)
{
	g_autofree char *offset = syncing_format_offset(clock->offset_ns);
	g_autofree char *bound = ltt_duration_to_string(clock->bound_ns);

	tool_note("%s: times moved by %s s, rate %+.3f ppm, to the clock of %s, with an error of "
		  "at most %s",
		  ltt_trace_get_path(traces[index]), offset, clock->rate_ppm,
		  ltt_trace_get_path(traces[0]), bound);
}

gboolean syncing_accept(const LttSync *sync, LttTrace *const *traces, guint n_traces)
{
	gboolean has_all = TRUE;

	for (guint i = 0; i < n_traces; i++) {
		g_autofree char *reason = ltt_sync_dup_reason(sync, traces, i);

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
