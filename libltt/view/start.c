/* start.c - see start-priv.h. */
#include "view/start-priv.h"

/* Called with the lock held. Returns: (nullable): the last point that is not after a time */
static const LttViewPoint *find_point(const LttViewMap *map, guint64 time_ns)
{
	guint n = 0;

	while (n < map->points->len &&
	       g_array_index(map->points, LttViewPoint, n).time_ns <= time_ns)
		n++;
	return n > 0 ? &g_array_index(map->points, LttViewPoint, n - 1) : NULL;
}

/* The map is exact enough if a pixel holds two of its bins. */
static gboolean is_coarse(const LttViewMap *map, const LttViewWindow *window)
{
	return (window->to_ns - window->from_ns) / window->n_pixels >= 2 * map->lane_axis.bin_ns;
}

/* Returns: the index of the first window of @stat that ends after a time */
static guint find_window(const LttStatSummary *stat, guint64 bin_ns, guint64 time_ns)
{
	guint low = 0;
	guint high = stat->n_windows;

	while (low < high) {
		const guint middle = low + (high - low) / 2;
		const guint64 start_ns = stat->windows[middle].start_ns;

		if (start_ns <= time_ns && time_ns - start_ns >= bin_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

gboolean ltt_view_is_short(LttViewMap *map, guint64 from_ns, guint64 to_ns, guint64 max_events)
{
	const LttStatSummary *stat = &map->stat;
	guint64 n_events = 0;

	if (map->stage == LTT_VIEW_COUNTING)
		return ltt_view_blocks_count(ltt_view_map_read_blocks(map), from_ns, to_ns) <=
		       LTT_VIEW_WALK_BLOCKS;
	for (guint i = find_window(stat, map->axis.bin_ns, from_ns);
	     i < stat->n_windows && stat->windows[i].start_ns < to_ns && n_events <= max_events;
	     i++)
		n_events += stat->windows[i].count.n_events;
	return n_events <= max_events;
}

/* Called with the lock held. */
static LttViewStart choose(LttViewMap *map, const LttViewWindow *window, guint64 max_events)
{
	const LttViewPoint *point = find_point(map, window->from_ns);
	const gboolean is_drawn = map->drawn_ns >= window->to_ns;

	if (is_coarse(map, window))
		return LTT_VIEW_START_NOWHERE;
	if (ltt_view_is_short(map, point != NULL ? point->time_ns : 0, window->to_ns, max_events))
		return LTT_VIEW_START_POINT;
	if (max_events < LTT_VIEW_WALK_EVENTS && is_drawn)
		return LTT_VIEW_START_NOWHERE; /* the bins have the spans that began earlier */
	return ltt_view_is_short(map, window->from_ns, window->to_ns, max_events)
		       ? LTT_VIEW_START_WINDOW
		       : LTT_VIEW_START_NOWHERE;
}

LttViewStart ltt_view_choose_start(LttViewMap *map, const LttViewWindow *window,
				   gboolean *is_limited)
{
	LttViewStart start;

	*is_limited = FALSE;
	if (window->filter != NULL)
		return LTT_VIEW_START_POINT;
	ltt_view_map_lock(map);
	start = choose(map, window, LTT_VIEW_WALK_EVENTS);
	if (window->max_events > 0 && window->max_events < LTT_VIEW_WALK_EVENTS) {
		const LttViewStart unlimited = start;

		start = choose(map, window, window->max_events);
		*is_limited = start != unlimited;
	}
	ltt_view_map_unlock(map);
	return start;
}

LttSpans *ltt_view_start_spans(LttViewMap *map, LttViewStart start, guint64 from_ns, guint64 to_ns,
			       LttSelect *select)
{
	const LttViewPoint *point = NULL;
	LttSpans *spans;

	ltt_view_map_lock(map);
	if (start == LTT_VIEW_START_POINT)
		point = find_point(map, from_ns);
	else
		ltt_select_set_window(select, from_ns, to_ns);
	if (start == LTT_VIEW_START_POINT)
		ltt_select_set_window(select, point != NULL ? point->time_ns : 0, to_ns);
	spans = ltt_view_spans_new(map, select, point != NULL ? point->open : NULL);
	ltt_spans_set_symbols(spans, map->symbols);
	ltt_view_map_unlock(map);
	return spans;
}
