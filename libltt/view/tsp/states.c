/* states.c - the states of rows: spans of a pixel or more one by one, and shorter ones and events by
 * pixel. */
#include "view/tsp/call-priv.h"
#include "view/tsp/entry-priv.h"
#include "view/tsp/style-priv.h"
#include "view/window-priv.h"

#include <ltt/ltt-print.h>

typedef struct State {
	guint64 start_ns;
	guint64 end_ns;
	guint32 n; /* spans or events; 1: a single one */
	guint32 name;
	gboolean is_span; /* not a pixel */
	gboolean is_events;
} State;

/* ---- from the picture ---- */

/* Returns: (nullable): the states of a row; NULL: it is not asked for */
static GArray *find_row(GHashTable *rows, guint lane, guint16 depth)
{
	const gint64 id = (gint64)ltt_tsp_entry(LTT_TSP_ROW, lane, depth);

	return g_hash_table_lookup(rows, &id);
}

static void take_picture(GHashTable *rows, const LttViewPicture *picture,
			 const LttViewWindow *window)
{
	for (guint i = 0; i < picture->rects->len; i++) {
		const LttViewRect *rect = &g_array_index(picture->rects, LttViewRect, i);
		const State state = {
			.start_ns = rect->span.begin_ns,
			.end_ns = rect->span.end_ns,
			.name = rect->span.name,
			.n = 1,
			.is_span = TRUE,
		};
		GArray *row = find_row(rows, rect->lane, rect->span.depth);

		if (row != NULL)
			g_array_append_val(row, state);
	}
	for (guint i = 0; i < picture->bins->len; i++) {
		const LttViewBin *bin = &g_array_index(picture->bins, LttViewBin, i);
		const State state = {
			.start_ns = ltt_view_get_edge(window, bin->pixel),
			.end_ns = ltt_view_get_edge(window, bin->pixel + 1),
			.name = bin->name,
			.n = bin->n,
			.is_events = bin->depth == LTT_VIEW_EVENTS_DEPTH,
		};
		GArray *row = find_row(rows, bin->lane, bin->depth);

		if (row != NULL)
			g_array_append_val(row, state);
	}
}

/* ---- rows ---- */

static gint compare_starts(gconstpointer a, gconstpointer b)
{
	const State *first = a;
	const State *second = b;

	if (first->start_ns != second->start_ns)
		return first->start_ns < second->start_ns ? -1 : 1;
	return (gint)second->is_span - (gint)first->is_span;
}

/* States of a row must not overlap: pixels give way to spans. */
static void separate(GArray *row)
{
	guint64 free_ns = 0;

	g_array_sort(row, compare_starts);
	for (guint i = 0; i < row->len; i++) {
		State *state = &g_array_index(row, State, i);
		const State *next = i + 1 < row->len ? state + 1 : NULL;

		if (!state->is_span) {
			state->start_ns = MAX(state->start_ns, free_ns);
			if (next != NULL && next->is_span)
				state->end_ns = MIN(state->end_ns, next->start_ns);
			state->end_ns = MAX(state->end_ns, state->start_ns);
		}
		free_ns = MAX(free_ns, state->end_ns);
	}
}

static void append_state(GString *out, const LttViewMap *map, const State *state)
{
	const char *name = map->names->pdata[state->name];
	const gboolean is_many = state->n != 1 || *name == '\0';
	g_autofree char *many =
		g_strdup_printf("%u %s", state->n, state->is_events ? "events" : "spans");

	g_string_append_printf(out, "{\"start\":%" G_GUINT64_FORMAT ",\"end\":%" G_GUINT64_FORMAT,
			       state->start_ns, state->end_ns);
	g_string_append_c(out, ',');
	ltt_tsp_append_text(out, "label", is_many ? many : name);
	if (is_many)
		g_string_append(out,
				",\"style\":{\"parentKey\":\"" LTT_TSP_MANY "\",\"values\":{}}}");
	else
		g_string_append_printf(out, ",\"style\":{\"parentKey\":\"%u\",\"values\":{}}}",
				       ltt_tsp_colour(name));
}

static void append_row(GString *out, const LttViewMap *map, gint64 id, GArray *row)
{
	separate(row);
	g_string_append_printf(out, "{\"entryId\":%" G_GINT64_FORMAT ",\"states\":[", id);
	for (guint i = 0; i < row->len; i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		append_state(out, map, &g_array_index(row, State, i));
	}
	g_string_append(out, "]}");
}

/* ---- the answer ---- */

/* Adds an empty row for each item, and its lane to @lanes. Items that are not rows have no states. */
static void add_rows(GHashTable *rows, GArray *lanes, const GArray *items)
{
	g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < items->len; i++) {
		const gint64 *item = &g_array_index(items, gint64, i);
		guint16 depth;
		guint lane;

		if (!ltt_tsp_entry_is_row((guint64)*item, &lane, &depth))
			continue;
		g_hash_table_insert(rows, (gpointer)item, g_array_new(FALSE, FALSE, sizeof(State)));
		if (g_hash_table_add(known, GUINT_TO_POINTER(lane)))
			g_array_append_val(lanes, lane);
	}
}

static void append_rows(LttTspCall *call, GHashTable *rows, const GArray *items)
{
	const char *separator = "";

	for (guint i = 0; i < items->len; i++) {
		const gint64 *item = &g_array_index(items, gint64, i);
		GArray *row = g_hash_table_lookup(rows, item);

		if (row == NULL)
			continue;
		g_string_append(call->view.answer, separator);
		append_row(call->view.answer, call->view.map, *item, row);
		g_hash_table_remove(rows, item);
		separator = ",";
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
	g_autoptr(GHashTable) rows = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL,
							   (GDestroyNotify)g_array_unref);
	g_autoptr(GArray) lanes = g_array_new(FALSE, FALSE, sizeof(guint));
	g_auto(LttViewPicture) picture = {0};

	add_rows(rows, lanes, items);
	if (window->to_ns > window->from_ns) {
		if (!ltt_view_draw(map, &pixels, (const guint *)(gpointer)lanes->data, lanes->len,
				   &callbacks, &picture, error))
			return FALSE;
		take_picture(rows, &picture, &pixels);
	}
	ltt_view_map_lock(map);
	append_rows(call, rows, items);
	ltt_view_map_unlock(map);
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
