/* map-lanes.c - what a map names and numbers: names, lanes, types of events (map-priv.h). */
#include "view/map-priv.h"

#include <ltt/ltt-join.h>

/* ---- names and lanes ---- */

guint32 ltt_view_map_name(LttViewMap *map, const char *name)
{
	gpointer number;
	char *copy;

	if (g_hash_table_lookup_extended(map->names_by_text, name, NULL, &number))
		return GPOINTER_TO_UINT(number);
	copy = g_strdup(name);
	g_hash_table_insert(map->names_by_text, copy, GUINT_TO_POINTER(map->names->len));
	g_ptr_array_add(map->names, copy);
	return map->names->len - 1;
}

LttLane *ltt_view_map_add_lane(LttViewMap *map, const LttLaneKey *key)
{
	LttLane *lane = g_hash_table_lookup(map->lanes_by_key, key);

	if (lane != NULL)
		return lane;
	lane = ltt_lane_new(key, map->lanes->len);
	g_ptr_array_add(map->lanes, lane);
	g_hash_table_insert(map->lanes_by_key, &lane->key, lane);
	return lane;
}

LttLane *ltt_view_map_lane(LttViewMap *map, const LttEvent *event, const char *async_name)
{
	LttLaneKey key = {
		.kind = async_name != NULL ? LTT_LANE_ASYNC : LTT_LANE_THREAD,
		.member = ltt_trace_find_member(map->trace, event->tracefile),
	};

	if (async_name != NULL) {
		key.tid = ltt_view_map_name(map, async_name);
	} else if (event->has_thread && event->tid != 0) { /* 0: each CPU has an idle thread */
		key.has_thread = TRUE;
		key.pid = event->pid;
		key.tid = event->tid;
	} else {
		key.tid = ltt_tracefile_get_index(event->tracefile);
	}
	return ltt_view_map_add_lane(map, &key);
}

LttLane *ltt_view_map_file_lane(LttViewMap *map, const LttTracefile *file)
{
	const gint cpu = ltt_tracefile_get_cpu(file);
	const LttLaneKey key = {
		.kind = LTT_LANE_CPU,
		.member = ltt_trace_find_member(map->trace, file),
		.tid = (guint32)cpu,
	};

	return cpu >= 0 ? ltt_view_map_add_lane(map, &key) : NULL;
}

LttLane *ltt_view_map_cpu_lane(LttViewMap *map, const LttEvent *event)
{
	return ltt_view_map_file_lane(map, event->tracefile);
}

/* ---- types of events ---- */

GHashTable *ltt_view_types_new(void)
{
	return g_hash_table_new_full(NULL, NULL, NULL, g_free);
}

const LttViewType *ltt_view_types_find(GHashTable *types, LttViewMap *map, const LttEventType *type)
{
	LttViewType *known = g_hash_table_lookup(types, type);

	if (known != NULL)
		return known;
	known = g_new(LttViewType, 1);
	known->is_of_span = ltt_span_role_find(type, NULL, NULL) != LTT_SPAN_NONE;
	known->name = ltt_view_map_name(map, type->full_name);
	g_hash_table_insert(types, (gpointer)type, known);
	return known;
}

/* ---- the lock ---- */

/* A request that waits for the lock holds the turn, without which the thread does not take the lock
 * again. */
void ltt_view_map_lock(LttViewMap *map)
{
	g_mutex_lock(&map->turn);
	g_mutex_lock(&map->lock);
	g_mutex_unlock(&map->turn);
}

void ltt_view_map_unlock(LttViewMap *map)
{
	g_mutex_unlock(&map->lock);
}

void ltt_view_map_yield(LttViewMap *map)
{
	ltt_view_map_unlock(map);
	ltt_view_map_lock(map);
}

/* ---- the headers of the blocks ---- */

const LttViewBlocks *ltt_view_map_read_blocks(LttViewMap *map)
{
	g_mutex_lock(&map->blocks_lock);
	if (map->blocks == NULL)
		map->blocks = ltt_view_blocks_new(map->trace);
	g_mutex_unlock(&map->blocks_lock);
	return map->blocks;
}

void ltt_view_map_add_cpu_lanes(LttViewMap *map)
{
	const LttViewBlocks *blocks = ltt_view_map_read_blocks(map);

	ltt_view_map_lock(map);
	for (guint i = 0; i < blocks->list->len; i++) {
		const LttTracefile *file = g_array_index(blocks->list, LttPartition, i).tracefile;

		if (i == 0 || file != g_array_index(blocks->list, LttPartition, i - 1).tracefile)
			ltt_view_map_file_lane(map, file);
	}
	ltt_view_map_unlock(map);
}

/* ---- memory ---- */

static guint64 count_cells(const LttViewMap *map)
{
	guint64 n = 0;

	for (guint i = 0; i < map->lanes->len; i++) {
		const LttLane *lane = map->lanes->pdata[i];

		n += lane->cells->len + lane->longs->len;
	}
	return n;
}

void ltt_view_map_limit_cells(LttViewMap *map)
{
	while (count_cells(map) > LTT_VIEW_CELLS &&
	       map->lane_axis.bin_ns < map->lane_axis.end_ns - map->lane_axis.start_ns) {
		map->lane_axis.bin_ns *= 2;
		for (guint i = 0; i < map->lanes->len; i++)
			ltt_lane_coarsen(map->lanes->pdata[i], &map->lane_axis);
	}
}
