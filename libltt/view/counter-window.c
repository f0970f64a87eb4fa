/* counter-window.c - the counters of a window (counters-priv.h).
 *
 * The events are read from the begin of the bin in which the window begins. The track has the value
 * before it, so the value at the begin of the window is known however long ago it was recorded.
 */
#include "view/counters-priv.h"
#include "view/request-priv.h"
#include "view/start-priv.h"

typedef struct Painter {
	LttViewMap *map;
	const LttViewWindow *window;
	GHashTable *wanted; /* by lane: its cells so far (GArray) */
	GHashTable *before; /* by lane: LttCounterCell */
	guint64 time_ns;    /* of the event that is visited */
} Painter;

static void set_before(Painter *painter, guint lane, const LttViewNumber *value)
{
	const LttCounterCell cell = {
		.lane = lane, .n = 1, .min = *value, .max = *value, .last = *value};

	g_hash_table_insert(painter->before, GUINT_TO_POINTER(lane),
			    g_memdup2(&cell, sizeof(cell)));
}

/* ---- from the events ---- */

static void take_number(guint lane, const LttViewNumber *number, gpointer data)
{
	Painter *painter = data;
	GArray *cells = g_hash_table_lookup(painter->wanted, GUINT_TO_POINTER(lane));
	const LttCounterCell added = {.lane = lane,
				      .bin = ltt_view_get_pixel(painter->window, painter->time_ns),
				      .n = 1,
				      .min = *number,
				      .max = *number,
				      .last = *number};

	if (cells == NULL)
		return;
	if (painter->time_ns < painter->window->from_ns)
		set_before(painter, lane, number);
	else
		ltt_view_counters_add(cells, &added);
}

static gboolean paint_from_events(Painter *painter, guint64 first_ns,
				  const LttJobCallbacks *callbacks, GError **error)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttMerge) merge = NULL;
	g_autofree char *names = NULL;
	const LttEvent *event;
	LttStep step;

	ltt_view_map_lock(painter->map);
	g_ptr_array_add(painter->map->counters->names, NULL);
	names = g_strjoinv(",", (char **)painter->map->counters->names->pdata);
	g_ptr_array_set_size(painter->map->counters->names,
			     (gint)painter->map->counters->names->len - 1);
	ltt_view_map_unlock(painter->map);
	if (*names == '\0')
		return TRUE;
	if (!ltt_select_set_events(select, names, error))
		return FALSE;
	ltt_select_set_window(select, first_ns, painter->window->to_ns);
	merge = ltt_merge_new(painter->map->trace, select);
	ltt_merge_set_callbacks(merge, callbacks);
	while ((step = ltt_view_next(merge, &event, error)) == LTT_STEP_EVENT) {
		painter->time_ns = event->time_ns;
		ltt_view_map_lock(painter->map);
		ltt_view_counters_visit(painter->map, event, take_number, painter);
		ltt_view_map_unlock(painter->map);
	}
	return step == LTT_STEP_END;
}

/* ---- from the tracks ---- */

/* Sets the last value before @bin, and returns the index of the first cell that is not before it. */
static guint find_cell(Painter *painter, guint lane, const GArray *track, guint32 bin)
{
	guint low = 0;
	guint high = track->len;

	while (low < high) {
		const guint middle = low + (high - low) / 2;

		if (g_array_index(track, LttCounterCell, middle).bin < bin)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0)
		set_before(painter, lane, &g_array_index(track, LttCounterCell, low - 1).last);
	return low;
}

/* Called with the lock held. @with_cells: FALSE: only the values at the begin of the window */
static void paint_from_tracks(Painter *painter, gboolean with_cells)
{
	const LttViewCounters *counters = painter->map->counters;
	const LttViewAxis *axis = &counters->axis;
	const guint32 first = ltt_view_axis_bin(axis, painter->window->from_ns);
	const guint32 last = ltt_view_axis_bin(axis, painter->window->to_ns - 1);
	GHashTableIter iter;
	gpointer lane;
	gpointer cells;

	g_hash_table_iter_init(&iter, painter->wanted);
	while (g_hash_table_iter_next(&iter, &lane, &cells)) {
		const GArray *track = g_hash_table_lookup(counters->tracks, lane);
		guint i = track != NULL ? find_cell(painter, GPOINTER_TO_UINT(lane), track, first)
					: 0;

		for (; with_cells && track != NULL && i < track->len; i++) {
			LttCounterCell cell = g_array_index(track, LttCounterCell, i);

			if (cell.bin > last)
				break;
			cell.bin = ltt_view_get_pixel(painter->window,
						      axis->start_ns + cell.bin * axis->bin_ns);
			ltt_view_counters_add(cells, &cell);
		}
	}
}

/* ---- the picture ---- */

/* Appends what was painted, in the order of @lanes. */
static void collect(const Painter *painter, const guint *lanes, guint n_lanes,
		    LttCounterPicture *picture)
{
	for (guint i = 0; i < n_lanes; i++) {
		gpointer lane = GUINT_TO_POINTER(lanes[i]);
		const GArray *cells = g_hash_table_lookup(painter->wanted, lane);
		const LttCounterCell *before = g_hash_table_lookup(painter->before, lane);

		if (before != NULL)
			g_array_append_vals(picture->before, before, 1);
		if (cells->len > 0)
			g_array_append_vals(picture->cells, cells->data, cells->len);
		g_hash_table_remove(painter->before, lane);
		g_array_set_size((GArray *)cells, 0);
	}
}

gboolean ltt_view_draw_counters(LttViewMap *map, const LttViewWindow *window, const guint *lanes,
				guint n_lanes, const LttJobCallbacks *callbacks,
				LttCounterPicture *picture, GError **error)
{
	g_autoptr(GHashTable) wanted =
		g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	g_autoptr(GHashTable) before = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	Painter painter = {.map = map, .window = window, .wanted = wanted, .before = before};
	guint64 first_ns;
	gboolean is_read;

	for (guint i = 0; i < n_lanes; i++)
		g_hash_table_insert(wanted, GUINT_TO_POINTER(lanes[i]),
				    g_array_new(FALSE, FALSE, sizeof(LttCounterCell)));
	ltt_view_map_lock(map);
	first_ns = map->axis.start_ns + ltt_view_axis_bin(&map->counters->axis, window->from_ns) *
						map->counters->axis.bin_ns;
	is_read = (window->to_ns - window->from_ns) / window->n_pixels <
			  2 * map->counters->axis.bin_ns &&
		  ltt_view_is_short(map, first_ns, window->to_ns, LTT_VIEW_WALK_EVENTS);
	picture->is_exact = is_read && map->stage == LTT_VIEW_READY;
	paint_from_tracks(&painter, !is_read);
	ltt_view_map_unlock(map);
	if (is_read && !paint_from_events(&painter, first_ns, callbacks, error))
		return FALSE;
	picture->before = g_array_new(FALSE, FALSE, sizeof(LttCounterCell));
	picture->cells = g_array_new(FALSE, FALSE, sizeof(LttCounterCell));
	collect(&painter, lanes, n_lanes, picture);
	return TRUE;
}

void ltt_counter_picture_clear(LttCounterPicture *picture)
{
	g_clear_pointer(&picture->before, g_array_unref);
	g_clear_pointer(&picture->cells, g_array_unref);
}
