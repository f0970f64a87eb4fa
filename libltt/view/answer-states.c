/* answer-states.c - the states of lanes in a window (state-window-priv.h), and what woke the threads. */
#include "view/request-priv.h"
#include "view/state-window-priv.h"

#include <ltt/ltt-print.h>

/* Wake-ups of one answer. */
#define MAX_WAKEUPS 10000

/* ---- states ---- */

static gint64 get_time(const LttViewMap *map, guint64 time_ns)
{
	return (gint64)(time_ns - map->axis.start_ns);
}

static void append_picture(GString *out, const LttViewMap *map, const LttViewStatePicture *picture)
{
	g_string_append_printf(out, "{\"exact\":%s,\"stretches\":[",
			       picture->is_exact ? "true" : "false");
	for (guint i = 0; i < picture->rects->len; i++) {
		const LttViewStateRect *rect = &g_array_index(picture->rects, LttViewStateRect, i);

		g_string_append_printf(
			out, "%s%u,%" G_GINT64_FORMAT ",%" G_GUINT64_FORMAT ",%u,%u,%u,%d",
			i > 0 ? "," : "", rect->lane, get_time(map, rect->begin_ns),
			rect->end_ns - rect->begin_ns, rect->state, rect->reason, rect->waker,
			rect->place);
	}
	g_string_append(out, "],\"bins\":[");
	for (guint i = 0; i < picture->bins->len; i++) {
		const LttViewStateBin *bin = &g_array_index(picture->bins, LttViewStateBin, i);

		g_string_append_printf(out, "%s%u,%u,%u,%" G_GUINT64_FORMAT, i > 0 ? "," : "",
				       bin->lane, bin->pixel, bin->state, bin->covered_ns);
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
	LttViewWindow window = {0};
	guint64 n_pixels = 1000;

	if (!ltt_view_call_get_window(call, &window.from_ns, &window.to_ns, error) ||
	    !ltt_view_call_get_number(call, "pixels", 1, LTT_VIEW_MAX_PIXELS, &n_pixels, error) ||
	    !ltt_view_call_get_lanes(call, lanes, error))
		return FALSE;
	if (call->map->states == NULL) {
		g_string_append(call->answer,
				"{\"exact\":true,\"stretches\":[],\"bins\":[],\"texts\":[\"\"]}");
		return TRUE;
	}
	window.n_pixels = (guint)n_pixels;
	if (!ltt_view_draw_states(call->map->states, &window, (const guint *)(gpointer)lanes->data,
				  lanes->len, &callbacks, &picture, error))
		return FALSE;
	append_picture(call->answer, call->map, &picture);
	return TRUE;
}

/* ---- wake-ups ---- */

typedef struct Wakeup {
	gint waker; /* lane */
	gint woken;
	guint64 woken_ns;
	guint64 runs_ns; /* when the thread begins to run, or loses the state otherwise */
	gboolean has_run;
} Wakeup;

typedef struct Wakeups {
	const LttViewStates *states;
	GHashTable *lanes; /* NULL: all */
	GArray *list;      /* of Wakeup */
} Wakeups;

static gboolean is_wanted(const Wakeups *wakeups, gint lane)
{
	return wakeups->lanes == NULL ||
	       g_hash_table_contains(wakeups->lanes, GINT_TO_POINTER(lane));
}

static void take_stretch(gint lane, const LttStretch *stretch, gpointer data)
{
	Wakeups *wakeups = data;
	Wakeup wakeup = {
		.woken = lane,
		.woken_ns = stretch->begin_ns,
		.runs_ns = stretch->end_ns,
		.has_run = stretch->has_ended && stretch->next == LTT_THREAD_RUNNING,
	};

	if (lane < 0 || stretch->subject != LTT_STRETCH_OF_THREAD ||
	    stretch->state != LTT_THREAD_RUNNABLE || stretch->waker.kind != LTT_WAKER_THREAD)
		return;
	wakeup.waker = ltt_view_states_find_thread(wakeups->states, stretch->machine, TRUE,
						   stretch->waker.pid, stretch->waker.tid);
	if (wakeup.waker >= 0 && (is_wanted(wakeups, lane) || is_wanted(wakeups, wakeup.waker)))
		g_array_append_val(wakeups->list, wakeup);
}

static gint compare_wakeups(gconstpointer a, gconstpointer b)
{
	const Wakeup *first = a;
	const Wakeup *second = b;

	if (first->woken_ns != second->woken_ns)
		return first->woken_ns < second->woken_ns ? -1 : 1;
	return first->woken - second->woken;
}

/* Appends the earliest ones. */
static void append_wakeups(GString *out, const LttViewMap *map, GArray *list, guint64 limit)
{
	g_array_sort(list, compare_wakeups);
	for (guint i = 0; i < MIN(list->len, limit); i++) {
		const Wakeup *wakeup = &g_array_index(list, Wakeup, i);

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
	LttViewStates *states = call->map->states;
	g_autoptr(GArray) lanes = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(Wakeup));
	g_autoptr(GHashTable) wanted = g_hash_table_new(NULL, NULL);
	Wakeups wakeups = {.states = states, .list = list};
	LttViewStatesVisit visit = {
		.func = take_stretch, .user_data = &wakeups, .callbacks = &callbacks};
	gboolean is_read = TRUE;
	gboolean is_exact = TRUE;
	guint64 limit = 1000;

	if (!ltt_view_call_get_window(call, &visit.from_ns, &visit.to_ns, error) ||
	    !ltt_view_call_get_number(call, "limit", 1, MAX_WAKEUPS, &limit, error) ||
	    !ltt_view_call_get_lanes(call, lanes, error))
		return FALSE;
	if (lanes->len > 0)
		wakeups.lanes = wanted;
	for (guint i = 0; i < lanes->len; i++)
		g_hash_table_add(wanted, GUINT_TO_POINTER(g_array_index(lanes, guint, i)));
	if (states != NULL && !ltt_view_states_visit(states, &visit, &is_read, &is_exact, error))
		return FALSE;
	g_string_append(call->answer, "{\"wakeups\":[");
	append_wakeups(call->answer, call->map, list, limit);
	g_string_append_printf(call->answer, "],\"exact\":%s,\"more\":%s}",
			       is_exact ? "true" : "false",
			       list->len > limit || !is_read ? "true" : "false");
	return TRUE;
}
