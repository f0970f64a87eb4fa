/* map-next.c - continue the map of an earlier moment of a recording that is running (live-priv.h).
 *
 * The files of a recording grow, so what the earlier map has drawn stays valid up to its end. The spans that
 * were open there are saved with it:
 *
 *	recording  ├──────────────────────┬───────┬────►
 *	before     all lanes, points      │ spans that are open
 *	next       copies of them, without│ these, and the events from here on
 *
 * An event that reaches its file later than LATE_NS (map.c) after its time is missing until the recording ends:
 * the last map is made from the whole trace.
 */
#include "view/counters-priv.h"

#include <ltt/ltt-follow.h>
#include <ltt/ltt-join.h>

static gboolean has_same_files(const LttTrace *a, const LttTrace *b)
{
	const guint n = ltt_trace_get_n_tracefiles(a);

	if (ltt_trace_get_n_tracefiles(b) != n)
		return FALSE;
	for (guint i = 0; i < n; i++)
		if (!g_str_equal(ltt_tracefile_get_label(ltt_trace_get_tracefile(a, i)),
				 ltt_tracefile_get_label(ltt_trace_get_tracefile(b, i))))
			return FALSE;
	return TRUE;
}

/* Called with both locks held. Damage has places that are not kept (damage-priv.h). */
static gboolean can_continue(const LttViewMap *map, const LttViewMap *before)
{
	return before->end.open != NULL && map->until_ns != G_MAXUINT64 &&
	       map->until_ns > before->until_ns && map->axis.start_ns == before->axis.start_ns &&
	       before->n_problems == 0 && before->n_omitted == 0 &&
	       !ltt_trace_is_flight_recorder(map->trace) &&
	       has_same_files(map->trace, before->trace);
}

static void copy_names(LttViewMap *map, const LttViewMap *before)
{
	for (guint i = 0; i < before->names->len; i++)
		ltt_view_map_name(map, before->names->pdata[i]);
}

static void copy_lanes(LttViewMap *map, const LttViewMap *before)
{
	for (guint i = 0; i < before->lanes->len; i++) {
		LttLane *lane = ltt_lane_copy_closed(before->lanes->pdata[i]);

		g_ptr_array_add(map->lanes, lane);
		g_hash_table_insert(map->lanes_by_key, &lane->key, lane);
	}
}

static void copy_points(LttViewMap *map, const LttViewMap *before)
{
	for (guint i = 0; i < before->points->len; i++) {
		LttViewPoint point = g_array_index(before->points, LttViewPoint, i);

		g_bytes_ref(point.open);
		g_array_append_val(map->points, point);
	}
}

/* The bins are as before, or longer by a power of two if the axis needs more of them. */
static void extend_axis(LttViewMap *map, const LttViewMap *before)
{
	LttViewAxis *axis = &map->lane_axis;

	axis->bin_ns = before->lane_axis.bin_ns;
	while (ltt_view_axis_is_full(axis)) {
		axis->bin_ns *= 2;
		for (guint i = 0; i < map->lanes->len; i++)
			ltt_lane_coarsen(map->lanes->pdata[i], axis);
	}
}

gboolean ltt_view_map_continue(LttViewMap *map, LttViewMap *before)
{
	gboolean is_continued;

	ltt_view_map_lock(before);
	ltt_view_map_lock(map);
	is_continued = can_continue(map, before);
	if (is_continued) {
		copy_names(map, before);
		copy_lanes(map, before);
		copy_points(map, before);
		extend_axis(map, before);
		ltt_view_counters_copy(map->counters, before->counters);
		for (guint i = 0; i < ltt_trace_get_n_members(map->trace); i++)
			map->member_last_ns[i] = before->member_last_ns[i];
		map->drawn_ns = before->until_ns;
		map->begin = before->end;
		g_bytes_ref(map->begin.open);
	}
	ltt_view_map_unlock(map);
	ltt_view_map_unlock(before);
	return is_continued;
}
