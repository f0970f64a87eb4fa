/* states.c - the states of rows: spans of a pixel or more one by one, and shorter ones and events by
 * pixel. */
#include "view/tsp/row-priv.h"
#include "view/tsp/style-priv.h"
#include "view/window-priv.h"

static LttTspState make_span(const LttViewMap *map, const LttLaneSpan *span)
{
	const char *name = map->names->pdata[span->name];

	return (LttTspState){
		.start_ns = span->begin_ns,
		.end_ns = span->end_ns,
		.label = g_strdup(name),
		.style = g_strdup_printf("%u", ltt_tsp_colour(name)),
	};
}

static LttTspState make_pixel(const LttViewMap *map, const LttViewWindow *window,
			      const LttViewBin *bin)
{
	const gboolean is_events = bin->depth == LTT_VIEW_EVENTS_DEPTH;
	const char *name = map->names->pdata[bin->name];
	LttTspState state = {
		.start_ns = ltt_view_get_edge(window, bin->pixel),
		.end_ns = ltt_view_get_edge(window, bin->pixel + 1),
		.is_pixel = TRUE,
	};

	if (bin->n == 1 && *name != '\0') {
		state.label = g_strdup(name);
		state.style = g_strdup_printf("%u", ltt_tsp_colour(name));
	} else {
		state.label = g_strdup_printf("%u %s", bin->n, is_events ? "events" : "spans");
		state.style = g_strdup(LTT_TSP_MANY);
	}
	return state;
}

/* Called with the lock held. */
static void take_picture(const LttTspRows *rows, const LttViewMap *map,
			 const LttViewPicture *picture, const LttViewWindow *window)
{
	for (guint i = 0; i < picture->rects->len; i++) {
		const LttViewRect *rect = &g_array_index(picture->rects, LttViewRect, i);
		const LttTspState state = make_span(map, &rect->span);

		ltt_tsp_rows_add(rows, rect->lane, rect->span.depth, &state);
	}
	for (guint i = 0; i < picture->bins->len; i++) {
		const LttViewBin *bin = &g_array_index(picture->bins, LttViewBin, i);
		const LttTspState state = make_pixel(map, window, bin);

		ltt_tsp_rows_add(rows, bin->lane, bin->depth, &state);
	}
}

static gboolean draw(LttTspCall *call, const LttTspWindow *window, const GArray *items,
		     GError **error)
{
	LttViewMap *map = call->view.map;
	const LttJobCallbacks callbacks = {.on_progress = ltt_view_call_is_wanted,
					   .user_data = &call->view};
	const LttViewWindow pixels = {
		.from_ns = window->from_ns, .to_ns = window->to_ns, .n_pixels = window->n};
	g_auto(LttViewPicture) picture = {0};
	g_auto(LttTspRows) rows = {0};

	ltt_tsp_rows_init(&rows, items);
	if (window->to_ns > window->from_ns) {
		if (!ltt_view_draw(map, &pixels, (const guint *)(gpointer)rows.lanes->data,
				   rows.lanes->len, &callbacks, &picture, error))
			return FALSE;
		ltt_view_map_lock(map);
		take_picture(&rows, map, &picture, &pixels);
		ltt_view_map_unlock(map);
	}
	ltt_tsp_rows_append(&rows, items, call->view.answer);
	return TRUE;
}

gboolean ltt_tsp_span_states(LttTspCall *call, GError **error)
{
	g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(gint64));
	LttTspWindow window;

	if (!ltt_tsp_get_window(call, &window, error) ||
	    !ltt_tsp_body_get_numbers(call->body, "requested_items", items, error))
		return FALSE;
	ltt_tsp_begin(call);
	g_string_append(call->view.answer, "{\"rows\":[");
	if (!draw(call, &window, items, error))
		return FALSE;
	g_string_append(call->view.answer, "]}");
	ltt_tsp_end(call, LTT_VIEW_READY);
	return TRUE;
}

gboolean ltt_tsp_span_arrows(LttTspCall *call, GError **error)
{
	(void)error;
	ltt_tsp_begin(call);
	g_string_append(call->view.answer, "[]");
	ltt_tsp_end(call, LTT_VIEW_COUNTING);
	return TRUE;
}
