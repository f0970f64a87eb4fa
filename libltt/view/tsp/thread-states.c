/* thread-states.c - the states of threads and CPUs, and the wake-ups, as a time graph. */
#include "view/state-window-priv.h"
#include "view/tsp/entry-priv.h"
#include "view/tsp/row-priv.h"
#include "view/tsp/style-priv.h"
#include "view/wakeups-priv.h"

/* ---- states ---- */

static gboolean is_cpu(const LttViewMap *map, guint lane)
{
	return lane < map->lanes->len &&
	       ((const LttLane *)map->lanes->pdata[lane])->key.kind == LTT_LANE_CPU;
}

/* Returns: (transfer full): "waiting: futex 0x1234", or of a CPU "thread 17" */
static char *name_rect(const LttViewMap *map, const LttViewStatePicture *picture,
		       const LttViewStateRect *rect)
{
	const char *name = ltt_tsp_state_name(is_cpu(map, rect->lane), rect->state);
	const char *reason = picture->texts->pdata[rect->reason];

	if (is_cpu(map, rect->lane) && rect->place >= 0)
		return g_strdup_printf("thread %u",
				       ((const LttLane *)map->lanes->pdata[rect->place])->key.tid);
	return *reason != '\0' ? g_strdup_printf("%s: %s", name, reason) : g_strdup(name);
}

/* The stretches that no event proves are left out. Called with the lock held. */
static void take_rects(const LttTspRows *rows, const LttViewMap *map,
		       const LttViewStatePicture *picture)
{
	for (guint i = 0; i < picture->rects->len; i++) {
		const LttViewStateRect *rect = &g_array_index(picture->rects, LttViewStateRect, i);
		LttTspState state = {.start_ns = rect->begin_ns, .end_ns = rect->end_ns};

		if (rect->state == LTT_VIEW_UNKNOWN)
			continue;
		state.label = name_rect(map, picture, rect);
		state.style = ltt_tsp_state_style(is_cpu(map, rect->lane), rect->state);
		ltt_tsp_rows_add(rows, rect->lane, 0, &state);
	}
}

/* A pixel has the state that takes most of its time. Called with the lock held. */
static void take_bins(const LttTspRows *rows, const LttViewMap *map,
		      const LttViewStatePicture *picture, const LttViewWindow *window)
{
	const LttViewStateBin *bins = (const LttViewStateBin *)(gpointer)picture->bins->data;

	for (guint i = 0; i < picture->bins->len;) {
		const LttViewStateBin *most = &bins[i];
		LttTspState state = {.is_pixel = TRUE};
		guint next = i;

		for (; next < picture->bins->len && bins[next].lane == bins[i].lane &&
		       bins[next].pixel == bins[i].pixel;
		     next++)
			if (bins[next].covered_ns > most->covered_ns)
				most = &bins[next];
		i = next;
		if (most->state == LTT_VIEW_UNKNOWN)
			continue;
		state.start_ns = ltt_view_get_edge(window, most->pixel);
		state.end_ns = ltt_view_get_edge(window, most->pixel + 1);
		state.label = g_strdup(ltt_tsp_state_name(is_cpu(map, most->lane), most->state));
		state.style = ltt_tsp_state_style(is_cpu(map, most->lane), most->state);
		ltt_tsp_rows_add(rows, most->lane, 0, &state);
	}
}

static gboolean draw(LttTspCall *call, const LttViewWindow *window, const guint *lanes,
		     guint n_lanes, LttViewStatePicture *picture, GError **error)
{
	const LttJobCallbacks callbacks = {.on_progress = ltt_view_call_is_wanted,
					   .user_data = &call->view};

	return ltt_view_draw_states(call->view.map->states, window, lanes, n_lanes, &callbacks,
				    picture, error);
}

gboolean ltt_tsp_thread_states(LttTspCall *call, GError **error)
{
	LttViewMap *map = call->view.map;
	g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_auto(LttViewStatePicture) picture = {0};
	g_auto(LttTspRows) rows = {0};
	LttTspWindow asked;
	LttViewWindow window = {0};

	if (!ltt_tsp_get_window(call, &asked, error) ||
	    !ltt_tsp_body_get_numbers(call->body, "requested_items", items, error))
		return FALSE;
	window.from_ns = asked.from_ns;
	window.to_ns = asked.to_ns;
	window.n_pixels = asked.n;
	ltt_tsp_rows_init(&rows, items);
	if (map->states != NULL && asked.to_ns > asked.from_ns) {
		if (!draw(call, &window, (const guint *)(gpointer)rows.lanes->data, rows.lanes->len,
			  &picture, error))
			return FALSE;
		ltt_view_map_lock(map);
		take_rects(&rows, map, &picture);
		take_bins(&rows, map, &picture, &window);
		ltt_view_map_unlock(map);
	}
	ltt_tsp_begin(call);
	g_string_append(call->view.answer, "{\"rows\":[");
	ltt_tsp_rows_append(&rows, items, call->view.answer);
	g_string_append(call->view.answer, "]}");
	ltt_tsp_end(call, LTT_VIEW_READY);
	return TRUE;
}

/* ---- wake-ups ---- */

static void append_arrow(GString *out, const LttViewWakeup *wakeup)
{
	g_string_append_printf(out,
			       "{\"sourceId\":%" G_GUINT64_FORMAT ",\"targetId\":%" G_GUINT64_FORMAT
			       ",\"start\":%" G_GUINT64_FORMAT ",\"end\":%" G_GUINT64_FORMAT
			       ",\"style\":{\"parentKey\":\"" LTT_TSP_WAKEUP "\",\"values\":{}}}",
			       ltt_tsp_entry(LTT_TSP_ROW, wakeup->waker, 0),
			       ltt_tsp_entry(LTT_TSP_ROW, wakeup->woken, 0), wakeup->woken_ns,
			       wakeup->runs_ns);
}

gboolean ltt_tsp_thread_arrows(LttTspCall *call, GError **error)
{
	const LttJobCallbacks callbacks = {.on_progress = ltt_view_call_is_wanted,
					   .user_data = &call->view};
	g_autoptr(GArray) lanes = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(LttViewWakeup));
	LttViewWakeupsRequest request = {
		.states = call->view.map->states, .lanes = lanes, .callbacks = &callbacks};
	LttTspWindow window;
	gboolean is_read;
	gboolean is_exact;

	if (!ltt_tsp_get_window(call, &window, error))
		return FALSE;
	request.from_ns = window.from_ns;
	request.to_ns = window.to_ns;
	if (window.to_ns > window.from_ns &&
	    !ltt_view_find_wakeups(&request, list, &is_read, &is_exact, error))
		return FALSE;
	ltt_tsp_begin(call);
	g_string_append_c(call->view.answer, '[');
	for (guint i = 0; i < MIN(list->len, LTT_VIEW_MAX_WAKEUPS); i++) {
		if (i > 0)
			g_string_append_c(call->view.answer, ',');
		append_arrow(call->view.answer, &g_array_index(list, LttViewWakeup, i));
	}
	g_string_append_c(call->view.answer, ']');
	ltt_tsp_end(call, LTT_VIEW_READY);
	return TRUE;
}

/* ---- the state at a time ---- */

static void append_rect(LttTspCall *call, const LttViewStatePicture *picture,
			const LttViewStateRect *rect)
{
	const LttViewMap *map = call->view.map;
	const char *waker = picture->texts->pdata[rect->waker];
	g_autofree char *name = name_rect(map, picture, rect);
	GString *out = call->view.answer;

	ltt_tsp_append_text(out, "State", name);
	if (!is_cpu(map, rect->lane) && rect->place >= 0)
		g_string_append_printf(out, ",\"CPU\":\"%d\"", rect->place);
	if (*waker != '\0') {
		g_string_append_c(out, ',');
		ltt_tsp_append_text(out,
				    rect->state == LTT_VIEW_PREEMPTED ? "Preempted by" : "Woken by",
				    waker);
	}
	g_string_append_c(out, ',');
	ltt_tsp_append_times(out, rect->begin_ns, rect->end_ns);
}

gboolean ltt_tsp_thread_tooltip(LttTspCall *call, GError **error)
{
	LttViewMap *map = call->view.map;
	g_auto(LttViewStatePicture) picture = {0};
	const LttViewStateRect *found = NULL;
	LttViewWindow window;
	guint64 time_ns;
	guint16 depth;
	guint lane;

	if (!ltt_tsp_get_place(call, &lane, &depth, &time_ns, error))
		return FALSE;
	window = (LttViewWindow){.from_ns = time_ns, .to_ns = time_ns + 1, .n_pixels = 1};
	if (map->states != NULL && !draw(call, &window, &lane, 1, &picture, error))
		return FALSE;
	/* The window is 1 ns and one pixel: a shorter stretch would be in a bin, and there is none. */
	for (guint i = 0; picture.rects != NULL && i < picture.rects->len; i++)
		found = &g_array_index(picture.rects, LttViewStateRect, i);
	ltt_tsp_begin(call);
	g_string_append_c(call->view.answer, '{');
	ltt_view_map_lock(map);
	if (found != NULL)
		append_rect(call, &picture, found);
	ltt_view_map_unlock(map);
	g_string_append_c(call->view.answer, '}');
	ltt_tsp_end(call, LTT_VIEW_COUNTING);
	return TRUE;
}
