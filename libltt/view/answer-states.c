/* answer-states.c - the states of lanes in a window (state-window-priv.h), and what woke the threads. */
#include "view/request-priv.h"
#include "view/state-window-priv.h"
#include "view/wakeups-priv.h"

#include <ltt/ltt-print.h>

/* ---- states ---- */

static gint64 get_time(const LttViewMap *map, guint64 time_ns)
{
	return (gint64)(time_ns - map->axis.start_ns);
}

static void append_picture(GString *out, const LttViewMap *map, const LttViewStatePicture *picture)
{
	g_string_append_printf(
		out, "{\"exact\":%s,\"limited\":%s,\"read\":%" G_GUINT64_FORMAT ",\"stretches\":[",
		picture->is_exact ? "true" : "false", picture->is_limited ? "true" : "false",
		picture->n_read);
	for (guint i = 0; i < picture->rects->len; i++) {
		const LttViewStateRect *rect = &g_array_index(picture->rects, LttViewStateRect, i);

		ltt_view_append_unsigned(out, rect->lane);
		ltt_view_append_signed(out, get_time(map, rect->begin_ns));
		ltt_view_append_unsigned(out, rect->end_ns - rect->begin_ns);
		ltt_view_append_unsigned(out, rect->state);
		ltt_view_append_unsigned(out, rect->reason);
		ltt_view_append_unsigned(out, rect->waker);
		ltt_view_append_signed(out, rect->place);
	}
	g_string_append(out, "],\"bins\":[");
	for (guint i = 0; i < picture->bins->len; i++) {
		const LttViewStateBin *bin = &g_array_index(picture->bins, LttViewStateBin, i);

		ltt_view_append_unsigned(out, bin->lane);
		ltt_view_append_unsigned(out, bin->pixel);
		ltt_view_append_unsigned(out, bin->state);
		ltt_view_append_unsigned(out, bin->covered_ns);
	}
	g_string_append(out, "],\"texts\":[");
	for (guint i = 0; i < picture->texts->len; i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		ltt_json_append_string(out, picture->texts->pdata[i], -1);
	}
	g_string_append(out, "]}");
}

gboolean ltt_view_answer_states(LttViewCall *call, GError **error)
{
	const LttJobCallbacks callbacks = {.on_progress = ltt_view_call_is_wanted,
					   .user_data = call};
	g_autoptr(GArray) lanes = g_array_new(FALSE, FALSE, sizeof(guint));
	g_auto(LttViewStatePicture) picture = {0};
	LttViewWindow window;

	if (!ltt_view_call_get_picture(call, &window, lanes, error))
		return FALSE;
	if (call->map->states == NULL) {
		g_string_append(call->answer, "{\"exact\":true,\"limited\":false,\"stretches\":[],"
					      "\"bins\":[],\"texts\":[\"\"]}");
		return TRUE;
	}
	if (!ltt_view_draw_states(call->map->states, &window, (const guint *)(gpointer)lanes->data,
				  lanes->len, &callbacks, &picture, error))
		return FALSE;
	append_picture(call->answer, call->map, &picture);
	return TRUE;
}

/* ---- wake-ups ---- */

/* Appends the earliest ones. */
static void append_wakeups(GString *out, const LttViewMap *map, const GArray *list, guint64 limit)
{
	for (guint i = 0; i < MIN(list->len, limit); i++) {
		const LttViewWakeup *wakeup = &g_array_index(list, LttViewWakeup, i);

		g_string_append_printf(out, "%s%d,%" G_GINT64_FORMAT ",%d,%" G_GINT64_FORMAT ",%d",
				       i > 0 ? "," : "", wakeup->waker,
				       get_time(map, wakeup->woken_ns), wakeup->woken,
				       get_time(map, wakeup->runs_ns), wakeup->has_run);
	}
}

gboolean ltt_view_answer_wakeups(LttViewCall *call, GError **error)
{
	const LttJobCallbacks callbacks = {.on_progress = ltt_view_call_is_wanted,
					   .user_data = call};
	g_autoptr(GArray) lanes = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(LttViewWakeup));
	LttViewWakeupsRequest request = {
		.states = call->map->states, .lanes = lanes, .callbacks = &callbacks};
	gboolean is_read = TRUE;
	gboolean is_exact = TRUE;
	guint64 limit = 1000;

	if (!ltt_view_call_get_window(call, &request.from_ns, &request.to_ns, error) ||
	    !ltt_view_call_get_number(call, "limit", 1, LTT_VIEW_MAX_WAKEUPS, &limit, error) ||
	    !ltt_view_call_get_lanes(call, lanes, error) ||
	    !ltt_view_find_wakeups(&request, list, &is_read, &is_exact, error))
		return FALSE;
	g_string_append(call->answer, "{\"wakeups\":[");
	append_wakeups(call->answer, call->map, list, limit);
	g_string_append_printf(call->answer, "],\"exact\":%s,\"more\":%s}",
			       is_exact ? "true" : "false",
			       list->len > limit || !is_read ? "true" : "false");
	return TRUE;
}
