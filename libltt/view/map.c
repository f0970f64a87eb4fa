/* map.c - see map-priv.h. */
#include "view/cache-priv.h"
#include "view/counters-priv.h"
#include "view/damage-priv.h"
#include "view/states-priv.h"

#include <ltt/ltt-follow.h>
#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-time.h>

#include <string.h>

/* Problems whose messages are kept. */
#define MAX_PROBLEMS 1000

/* ---- progress and problems ---- */

static gboolean note_progress(const LttProgress *progress, gpointer user_data)
{
	LttViewMap *map = user_data;

	ltt_view_map_lock(map);
	map->done = *progress;
	ltt_view_map_unlock(map);
	return !g_atomic_int_get(&map->is_cancelled);
}

static void note_problem(const LttProblem *problem, gpointer user_data)
{
	LttViewMap *map = user_data;

	ltt_view_map_lock(map);
	map->n_problems++;
	if (map->problems->len < MAX_PROBLEMS)
		g_ptr_array_add(map->problems, ltt_problem_to_string(problem));
	ltt_view_map_unlock(map);
}

void ltt_view_map_tell_problems(const LttViewMap *map, LttViewProblemFunc on_problem,
				gpointer user_data)
{
	const guint64 n_others = map->n_problems - map->problems->len;

	if (on_problem == NULL)
		return;
	for (guint i = 0; i < map->problems->len; i++)
		on_problem(map->problems->pdata[i], user_data);
	if (n_others > 0) {
		g_autofree char *text =
			g_strdup_printf("%" G_GUINT64_FORMAT " further problems", n_others);

		on_problem(text, user_data);
	}
}

/* ---- counting ---- */

static gboolean count(LttViewMap *map, GError **error)
{
	g_autoptr(LttSelect) select = ltt_view_map_select(map);
	const LttStatRequest request = {
		.trace = map->trace,
		.select = select,
		.interval_ns = map->axis.bin_ns,
		.callbacks = {.on_problem = note_problem,
			      .on_progress = note_progress,
			      .user_data = map},
	};
	LttStatSummary stat = {0};

	if (!ltt_stat(&request, &stat, error))
		return FALSE;
	ltt_view_map_lock(map);
	map->stat = stat;
	map->stage = LTT_VIEW_DRAWING;
	map->done = (LttProgress){.unit = LTT_PROGRESS_EVENTS, .n_total = stat.total.n_events};
	ltt_view_map_unlock(map);
	return TRUE;
}

/* ---- the thread ---- */

/* Returns: whether the two passes, or the cache, made all but the states */
static gboolean fill(LttViewMap *map, const char *name, GError **error)
{
	const gboolean is_cached = name != NULL && ltt_view_cache_load(map->cache, name, map);
	gboolean is_made;

	ltt_view_map_lock(map);
	map->is_cached = is_cached;
	ltt_view_map_unlock(map);
	is_made = is_cached || count(map, error);
	ltt_view_states_start(map->states);
	return is_cached || (is_made && ltt_view_map_draw(map, error));
}

static gpointer make(gpointer data)
{
	LttViewMap *map = data;
	g_autofree char *name = NULL;
	g_autoptr(GError) error = NULL;
	gboolean is_made;

	ltt_view_map_add_cpu_lanes(map);
	if (map->cache != NULL)
		name = ltt_view_cache_find_name(map);
	is_made = fill(map, name, &error);
	is_made = ltt_view_states_finish(map->states, is_made ? &error : NULL) && is_made;
	ltt_view_map_lock(map);
	if (!map->is_cached)
		map->n_omitted = g_hash_table_size(map->omitted);
	g_hash_table_remove_all(map->omitted);
	map->stage = is_made ? LTT_VIEW_READY : LTT_VIEW_FAILED;
	if (!is_made)
		map->failure = g_strdup(error->message);
	ltt_view_map_unlock(map);
	if (is_made && !map->is_cached && name != NULL)
		ltt_view_cache_save(map->cache, name, map);
	return NULL;
}

/* ---- the map ---- */

/* An event reaches its file at most this long after its time, except when a process is stopped in
 * between. */
#define LATE_NS (100 * (LTT_NS_PER_S / 1000))

/* Returns: whether a CPU has events. A trace without any shows those that describe the machine, which
 * are hidden later. */
static gboolean has_cpu_events(LttViewMap *map)
{
	gboolean has_any = FALSE;

	ltt_view_map_lock(map);
	for (guint i = 0; i < map->lanes->len; i++) {
		const LttLane *lane = map->lanes->pdata[i];

		has_any = has_any || (lane->key.kind == LTT_LANE_CPU && lane->n_events > 0);
	}
	ltt_view_map_unlock(map);
	return has_any;
}

/* Sets the axis. The end of a running recording is a moment before the present. */
static void set_axis(LttViewMap *map, LttViewMap *before)
{
	guint64 start_ns = 0;
	guint64 now_ns;

	map->has_events = ltt_trace_get_span(map->trace, &start_ns, &map->last_ns);
	map->until_ns = G_MAXUINT64;
	if (before != NULL && has_cpu_events(before))
		start_ns = before->axis.start_ns;
	if (map->is_running && ltt_trace_get_live_state(map->trace, &now_ns) == LTT_LIVE_RUNNING)
		map->until_ns =
			CLAMP(now_ns - MIN(now_ns, LATE_NS), start_ns + 1, map->last_ns + 1);
	ltt_view_axis_init(&map->axis, start_ns,
			   MAX(MIN(map->last_ns + 1, map->until_ns), start_ns + 1));
	map->lane_axis = map->axis;
}

static LttViewMap *new_map(LttTrace *trace, LttViewMap *before, gboolean is_running,
			   const LttViewCache *cache)
{
	LttViewMap *map = g_new0(LttViewMap, 1);

	map->trace = trace;
	map->owns_trace = before != NULL;
	map->number = before != NULL ? before->number + 1 : 1;
	map->is_running = is_running;
	map->cache = cache;
	map->symbols = ltt_symbols_new(trace);
	set_axis(map, before);
	g_mutex_init(&map->blocks_lock);
	g_mutex_init(&map->turn);
	g_mutex_init(&map->lock);
	map->problems = g_ptr_array_new_with_free_func(g_free);
	map->lanes_by_key = g_hash_table_new(ltt_lane_key_hash, ltt_lane_key_equal);
	map->lanes = g_ptr_array_new_with_free_func(ltt_lane_free);
	map->omitted = g_hash_table_new(NULL, NULL);
	map->file_lanes = ltt_view_file_lanes_new(trace);
	map->member_last_ns = g_new0(guint64, ltt_trace_get_n_members(trace));
	map->names_by_text = g_hash_table_new(ltt_hash_text, g_str_equal);
	map->names = g_ptr_array_new_with_free_func(g_free);
	map->points = g_array_new(FALSE, FALSE, sizeof(LttViewPoint));
	g_array_set_clear_func(map->points, ltt_view_point_clear);
	map->damages = ltt_view_damages_new();
	map->counters = ltt_view_counters_new(&map->axis);
	if (before == NULL || !ltt_view_map_continue(map, before)) {
		ltt_view_map_name(map, "");
		if (before != NULL)
			ltt_view_map_add_lanes_of(map, before);
	}
	if (ltt_states_are_recorded(trace))
		map->states = ltt_view_states_new(map);
	return map;
}

LttViewMap *ltt_view_map_new(LttTrace *trace, gboolean is_running, const LttViewCache *cache)
{
	return new_map(trace, NULL, is_running, cache);
}

LttViewMap *ltt_view_map_new_next(LttTrace *trace, LttViewMap *before, gboolean is_running)
{
	return new_map(trace, before, is_running, NULL);
}

void ltt_view_map_start(LttViewMap *map)
{
	map->thread = g_thread_try_new("map", make, map, NULL);
	if (map->thread == NULL)
		make(map);
}

gboolean ltt_view_map_is_outdated(const LttViewMap *map, LttTrace *trace)
{
	guint64 start_ns = 0;
	guint64 last_ns = 0;

	ltt_trace_get_span(trace, &start_ns, &last_ns);
	return last_ns != map->last_ns || map->last_ns >= map->until_ns ||
	       ltt_trace_get_n_tracefiles(trace) != ltt_trace_get_n_tracefiles(map->trace);
}

gboolean ltt_view_map_wait(LttViewMap *map, GError **error)
{
	if (map->thread != NULL)
		g_thread_join(g_steal_pointer(&map->thread));
	if (map->failure == NULL)
		return TRUE;
	g_set_error(error, LTT_ERROR, LTT_ERROR_IO, "%s", map->failure);
	return FALSE;
}

void ltt_view_map_free(LttViewMap *map)
{
	if (map == NULL)
		return;
	g_atomic_int_set(&map->is_cancelled, TRUE);
	if (map->thread != NULL)
		g_thread_join(map->thread);
	ltt_view_states_free(map->states);
	g_array_unref(map->points);
	g_clear_pointer(&map->begin.open, g_bytes_unref);
	g_clear_pointer(&map->end.open, g_bytes_unref);
	g_array_unref(map->damages);
	ltt_view_counters_free(map->counters);
	g_hash_table_unref(map->lanes_by_key);
	g_ptr_array_unref(map->lanes);
	g_hash_table_unref(map->omitted);
	g_free(map->file_lanes);
	g_free(map->member_last_ns);
	g_hash_table_unref(map->names_by_text);
	g_ptr_array_unref(map->names);
	g_ptr_array_unref(map->problems);
	ltt_stat_summary_clear(&map->stat);
	g_free(map->failure);
	ltt_view_blocks_free(map->blocks);
	ltt_symbols_free(map->symbols);
	if (map->owns_trace)
		ltt_trace_free(map->trace);
	g_mutex_clear(&map->blocks_lock);
	g_mutex_clear(&map->lock);
	g_mutex_clear(&map->turn);
	g_free(map);
}
