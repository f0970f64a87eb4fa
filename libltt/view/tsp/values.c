/* values.c - the values of counters as an XY chart: of each bin the last value so far.
 *
 * The protocol repeats the times of the bins in each series, so that the answer to a short request can be
 * large.
 */
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "view/counters-priv.h"
#include "view/tsp/entry-priv.h"
#include "view/tsp/series-priv.h"
#include "view/tsp/style-priv.h"

/* The value of a counter without an earlier event, and of a value that is not a number. */
#define NO_VALUE "0"

/* Parsers of JSON that know large integers, such as json-bigint, take each longer number for one. */
#define MAX_NUMBER 15
#define SHORT      "%.8g"

/* The lanes of the requested items. */
static void list_lanes(const GArray *items, GArray *lanes)
{
	g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < items->len; i++) {
		guint16 depth;
		guint lane;

		if (ltt_tsp_entry_is_row((guint64)g_array_index(items, gint64, i), &lane, &depth) &&
		    g_hash_table_add(known, GUINT_TO_POINTER(lane)))
			g_array_append_val(lanes, lane);
	}
}

static char *number_to_text(const LttViewNumber *number)
{
	GString *text = g_string_new(NULL);

	ltt_view_number_append(text, number);
	if (g_str_equal(text->str, "null"))
		g_string_assign(text, NO_VALUE);
	if (text->len > MAX_NUMBER) {
		char rounded[G_ASCII_DTOSTR_BUF_SIZE];

		g_string_assign(text, g_ascii_formatd(rounded, sizeof(rounded), SHORT,
						      g_ascii_strtod(text->str, NULL)));
	}
	return g_string_free(text, FALSE);
}

/* Returns: (nullable): the cell @index if it is of the lane */
static const LttCounterCell *get_cell(const GArray *cells, guint index, guint lane)
{
	const LttCounterCell *cell;

	if (index >= cells->len)
		return NULL;
	cell = &g_array_index(cells, LttCounterCell, index);
	return cell->lane == lane ? cell : NULL;
}

/* The next cells of a picture, whose lanes are in the order of the series. */
typedef struct NextCells {
	guint before;
	guint in_window;
} NextCells;

/* @next: (inout): the first cells of the lane; then the first ones after them. Returns: (transfer full):
 * the value of each of @n bins */
static char *list_values(const LttCounterPicture *picture, guint lane, guint n, NextCells *next)
{
	const LttCounterCell *before = get_cell(picture->before, next->before, lane);
	g_autofree char *value =
		before != NULL ? number_to_text(&before->last) : g_strdup(NO_VALUE);
	GString *out = g_string_new(NULL);

	next->before += before != NULL;
	for (guint bin = 0; bin < n; bin++) {
		const LttCounterCell *cell = get_cell(picture->cells, next->in_window, lane);

		if (cell != NULL && cell->bin == bin) {
			g_free(value);
			value = number_to_text(&cell->last);
			next->in_window++;
		}
		g_string_append(out, bin > 0 ? "," : "");
		g_string_append(out, value);
	}
	return g_string_free(out, FALSE);
}

/* Returns: (nullable): the name of a counter; NULL: the lane is none */
static const char *name_counter(LttViewMap *map, guint lane)
{
	const char *name = NULL;

	ltt_view_map_lock(map);
	if (lane < map->lanes->len) {
		const LttLaneKey *key = &((const LttLane *)map->lanes->pdata[lane])->key;

		if (key->kind == LTT_LANE_COUNTER)
			name = map->names->pdata[key->tid];
	}
	ltt_view_map_unlock(map);
	return name;
}

/* Fails if the answer is too large, or the client has closed the connection. */
static gboolean check_answer(const LttTspCall *call, const LttJobCallbacks *callbacks, guint n_done,
			     guint n_total, GError **error)
{
	if (call->view.answer->len > LTT_TSP_FULL_BYTES)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"requested_items: the answer would be larger than %d MiB; request "
				"fewer items, or fewer times",
				LTT_TSP_FULL_BYTES >> 20);
	return ltt_job_progress(callbacks, LTT_PROGRESS_EVENTS, n_done, n_total, error);
}

static gboolean append_all(LttTspCall *call, const LttTspWindow *window, const GArray *lanes,
			   const LttCounterPicture *picture, const LttJobCallbacks *callbacks,
			   GError **error)
{
	static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
					      "#e69f00", "#56b4e9", "#999999"};
	const char *separator = "";
	NextCells next = {0};

	for (guint i = 0; i < lanes->len; i++) {
		const guint lane = g_array_index(lanes, guint, i);
		const char *name = name_counter(call->view.map, lane);
		g_autofree char *values = NULL;

		if (name == NULL)
			continue;
		values = list_values(picture, lane, window->n, &next);
		g_string_append(call->view.answer, separator);
		ltt_tsp_append_series(
			call->view.answer, window,
			&(const LttTspSeries){.id = ltt_tsp_entry(LTT_TSP_ROW, lane, 0),
					      .name = name,
					      .type = "line",
					      .colour = colours[lane % G_N_ELEMENTS(colours)],
					      .values = values});
		separator = ",";
		if (!check_answer(call, callbacks, i + 1, lanes->len, error))
			return FALSE;
	}
	return TRUE;
}

gboolean ltt_tsp_counters(LttTspCall *call, GError **error)
{
	const LttJobCallbacks callbacks = {.on_progress = ltt_view_call_is_wanted,
					   .user_data = &call->view};
	g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(GArray) lanes = g_array_new(FALSE, FALSE, sizeof(guint));
	g_auto(LttCounterPicture) picture = {0};
	LttTspWindow window;
	LttViewWindow pixels = {0};

	if (!ltt_tsp_get_window(call, &window, error) ||
	    !ltt_tsp_body_get_numbers(call->body, "requested_items", items, error))
		return FALSE;
	pixels.from_ns = window.from_ns;
	pixels.to_ns = window.to_ns;
	pixels.n_pixels = window.n;
	list_lanes(items, lanes);
	ltt_tsp_begin(call);
	g_string_append(call->view.answer, "{\"title\":\"Counters\",\"series\":[");
	if (window.to_ns > window.from_ns) {
		if (!ltt_view_draw_counters(call->view.map, &pixels,
					    (const guint *)(gpointer)lanes->data, lanes->len,
					    &callbacks, &picture, error) ||
		    !append_all(call, &window, lanes, &picture, &callbacks, error))
			return FALSE;
	}
	g_string_append(call->view.answer, "]}");
	ltt_tsp_end(call, LTT_VIEW_READY);
	return TRUE;
}
