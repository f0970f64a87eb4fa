/* reopen.c - the recording that a trace comes from: its state, and its files as they are now. See
 * ltt-follow.h. */
#include "reader/live-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-follow.h>
#include <ltt/ltt-join.h>

/* ---- the state ---- */

/* @trace: not joined. Sets @now_ns if it is running */
static LttLiveState get_state(const LttTrace *trace, guint64 *now_ns)
{
	g_autoptr(LttLive) live = NULL;

	if (!ltt_live_open(ltt_trace_get_path(trace), &live, NULL) || live == NULL)
		return LTT_LIVE_ENDED;
	if (ltt_live_is_over(live, 0))
		return LTT_LIVE_ABANDONED;
	*now_ns = ltt_live_get_now_ns(live);
	return LTT_LIVE_RUNNING;
}

LttLiveState ltt_trace_get_live_state(const LttTrace *trace, guint64 *now_ns)
{
	LttLiveState state = LTT_LIVE_ENDED;
	guint64 least_ns = G_MAXUINT64;

	for (guint i = 0; i < ltt_trace_get_n_members(trace); i++) {
		guint64 member_ns = 0;
		const LttLiveState of_member =
			get_state(ltt_trace_get_member(trace, i), &member_ns);

		state = MAX(state, of_member);
		if (of_member == LTT_LIVE_RUNNING)
			least_ns = MIN(least_ns, ltt_trace_to_joined_time(trace, i, member_ns));
	}
	if (now_ns != NULL)
		*now_ns = least_ns;
	return state;
}

gboolean ltt_trace_is_flight_recorder(const LttTrace *trace)
{
	for (guint i = 0; i < ltt_trace_get_n_members(trace); i++) {
		const char *path = ltt_trace_get_path(ltt_trace_get_member(trace, i));
		g_autoptr(LttLive) live = NULL;

		if (ltt_live_open(path, &live, NULL) && live != NULL &&
		    ltt_live_get_flight_blocks(live) != 0)
			return TRUE;
	}
	return FALSE;
}

/* ---- the files ---- */

static LttTrace *reopen_joined(const LttTrace *trace, GError **error)
{
	g_autoptr(GPtrArray) members =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_trace_free);
	g_autofree gint64 *offsets_ns = g_new0(gint64, trace->members->len);
	g_autofree LttClockMap **maps = g_new0(LttClockMap *, trace->members->len);
	gboolean has_maps = FALSE;

	for (guint i = 0; i < trace->members->len; i++) {
		const LttTrace *member = trace->members->pdata[i];
		LttTrace *opened = ltt_trace_open(ltt_trace_get_path(member), error);

		if (opened == NULL)
			return NULL;
		g_ptr_array_add(members, opened);
		offsets_ns[i] = member->offset_ns;
		maps[i] = member->clock_map;
		has_maps = has_maps || maps[i] != NULL;
	}
	g_ptr_array_set_free_func(members, NULL); /* the joined trace owns them */
	if (has_maps)
		return ltt_trace_join_by_maps((LttTrace *const *)members->pdata, members->len, maps,
					      error);
	return ltt_trace_join((LttTrace *const *)members->pdata, members->len, offsets_ns, error);
}

LttTrace *ltt_trace_reopen(const LttTrace *trace, GError **error)
{
	g_return_val_if_fail(trace != NULL, NULL);
	return trace->members != NULL ? reopen_joined(trace, error)
				      : ltt_trace_open(ltt_trace_get_path(trace), error);
}
