/* map-lanes.c - what a map names and numbers: names, lanes, types of events (map-priv.h). */
#include "view/map-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>

/* ---- names ---- */

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

/* ---- lanes without room ---- */

/* Two lanes have the same hash once in 2^64. */
static gpointer hash_key(const LttLaneKey *key)
{
	const guint64 place = (guint64)key->kind << 32 | key->member;

	return GSIZE_TO_POINTER((gsize)ltt_hash_pair(place, (guint64)key->pid << 32 | key->tid));
}

static LttLane *omit(LttViewMap *map, const LttLaneKey *key)
{
	static const LttLaneKey others = {.kind = LTT_LANE_OTHERS};

	if (map->stage < LTT_VIEW_READY && g_hash_table_size(map->omitted) < LTT_VIEW_OMITTED)
		g_hash_table_add(map->omitted, hash_key(key));
	return ltt_view_map_add_lane(map, &others);
}

guint ltt_view_map_count_omitted(const LttViewMap *map)
{
	return map->stage < LTT_VIEW_READY ? g_hash_table_size(map->omitted) : map->n_omitted;
}

char *ltt_view_map_name_others(const LttViewMap *map)
{
	const guint n = ltt_view_map_count_omitted(map);

	return g_strdup_printf("%u other lanes%s", n, n == LTT_VIEW_OMITTED ? " or more" : "");
}

/* ---- lanes ---- */

LttLane *ltt_view_map_add_lane(LttViewMap *map, const LttLaneKey *key)
{
	LttLane *lane = g_hash_table_lookup(map->lanes_by_key, key);

	if (lane != NULL)
		return lane;
	if (map->lanes->len >= LTT_VIEW_LANES && key->kind != LTT_LANE_OTHERS)
		return omit(map, key);
	lane = ltt_lane_new(key, map->lanes->len);
	g_ptr_array_add(map->lanes, lane);
	g_hash_table_insert(map->lanes_by_key, &lane->key, lane);
	return lane;
}

LttViewFileLanes *ltt_view_file_lanes_new(const LttTrace *trace)
{
	const guint n = ltt_trace_get_n_tracefiles(trace);
	LttViewFileLanes *lanes = g_new0(LttViewFileLanes, n);

	for (guint i = 0; i < n; i++) {
		const LttTracefile *file = ltt_trace_get_tracefile(trace, i);

		lanes[i].member = ltt_trace_find_member(trace, file);
		lanes[i].host = ltt_tracefile_get_host(file);
	}
	return lanes;
}

static LttViewFileLanes *find_lanes(const LttViewMap *map, const LttTracefile *file)
{
	return &map->file_lanes[ltt_tracefile_get_index(file)];
}

/* Most events are of the thread of the preceding event of their tracefile. */
static LttLane *find_thread_lane(LttViewMap *map, LttViewFileLanes *file, const LttLaneKey *key)
{
	if (file->thread == NULL || !ltt_lane_key_equal(&file->thread->key, key))
		file->thread = ltt_view_map_add_lane(map, key);
	return file->thread;
}

LttLane *ltt_view_map_lane(LttViewMap *map, const LttEvent *event, const char *async_name)
{
	LttViewFileLanes *file = find_lanes(map, event->tracefile);
	LttLaneKey key = {
		.kind = async_name != NULL ? LTT_LANE_ASYNC : LTT_LANE_THREAD,
		.member = file->member,
		.host = file->host,
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
	return async_name != NULL ? ltt_view_map_add_lane(map, &key)
				  : find_thread_lane(map, file, &key);
}

LttLane *ltt_view_map_file_lane(LttViewMap *map, const LttTracefile *tracefile)
{
	const gint cpu = ltt_tracefile_get_cpu(tracefile);
	LttViewFileLanes *file = find_lanes(map, tracefile);
	const LttLaneKey key = {
		.kind = LTT_LANE_CPU,
		.member = file->member,
		.host = file->host,
		.tid = (guint32)cpu,
	};

	if (file->cpu == NULL && cpu >= 0)
		file->cpu = ltt_view_map_add_lane(map, &key);
	return file->cpu;
}

LttLane *ltt_view_map_cpu_lane(LttViewMap *map, const LttEvent *event)
{
	return ltt_view_map_file_lane(map, event->tracefile);
}

void ltt_view_map_note_time(LttViewMap *map, const LttEvent *event)
{
	map->member_last_ns[find_lanes(map, event->tracefile)->member] = event->time_ns;
}

guint64 ltt_view_map_find_last(const LttViewMap *map, const LttEvent *event)
{
	return map->member_last_ns[find_lanes(map, event->tracefile)->member];
}

guint64 ltt_view_map_find_open_end(const LttViewMap *map, const LttEvent *begin, guint64 to_ns)
{
	return map->drawn_ns >= map->axis.end_ns ? MIN(ltt_view_map_find_last(map, begin), to_ns)
						 : to_ns;
}

/* ---- lanes of an earlier map ---- */

/* Returns: the index of a tracefile by its member and its label; -1: there is none */
static gint find_file(const LttTrace *trace, guint member, const char *label)
{
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		const LttTracefile *file = ltt_trace_get_tracefile(trace, i);

		if (g_str_equal(ltt_tracefile_get_label(file), label) &&
		    ltt_trace_find_member(trace, file) == member)
			return (gint)i;
	}
	return -1;
}

/* Converts a key of another map, whose names and tracefiles have other numbers. Returns: FALSE if the
 * tracefile is not there */
static gboolean translate(LttViewMap *map, const LttViewMap *before, LttLaneKey *key)
{
	gint index;

	if (key->kind == LTT_LANE_ASYNC || key->kind == LTT_LANE_COUNTER) {
		key->tid = ltt_view_map_name(map, before->names->pdata[key->tid]);
		return TRUE;
	}
	if (key->kind != LTT_LANE_THREAD || key->has_thread)
		return TRUE;
	index = find_file(
		map->trace, key->member,
		ltt_tracefile_get_label(ltt_trace_get_tracefile(before->trace, key->tid)));
	key->tid = (guint32)index;
	return index >= 0;
}

void ltt_view_map_add_lanes_of(LttViewMap *map, LttViewMap *before)
{
	gboolean is_known = TRUE;

	ltt_view_map_lock(before);
	ltt_view_map_lock(map);
	for (guint i = 0; i < before->lanes->len && is_known; i++) {
		LttLaneKey key = ((const LttLane *)before->lanes->pdata[i])->key;

		is_known = translate(map, before, &key);
		if (is_known)
			ltt_view_map_add_lane(map, &key);
	}
	ltt_view_map_unlock(map);
	ltt_view_map_unlock(before);
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
