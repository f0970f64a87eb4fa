/* live.c - see live-priv.h. */
#include "view/live-priv.h"

#include "base/thread-priv.h"
#include "view/cache-priv.h"

#include <ltt/ltt-fingerprint.h>
#include <ltt/ltt-follow.h>

/* Pauses between two maps. */
#define LEAST_PAUSE_US (G_USEC_PER_SEC / 4)
#define PAUSE_FACTOR   3

/* An abandoned recording counts as ended after this time: a process may attach to it. */
#define PATIENCE_US G_USEC_PER_SEC

struct LttViewLive {
	LttTrace *trace;           /* of the first map, borrowed */
	const LttViewCache *cache; /* NULL: none */
	GThread *thread;           /* makes further maps; NULL: the trace is not being recorded */

	GMutex lock; /* of all below, and of the references of maps */
	GCond changed;
	GPtrArray *maps;  /* of LttViewMap, owned: the present one, the next one, and those that
			   * requests hold */
	LttViewMap *map;  /* the present one */
	gboolean is_over; /* no further map will follow */
	gboolean is_stopped;
};

/* ---- references ---- */

LttViewMap *ltt_view_live_take(LttViewLive *live)
{
	LttViewMap *map;

	g_mutex_lock(&live->lock);
	map = live->map;
	map->n_references++;
	g_mutex_unlock(&live->lock);
	return map;
}

void ltt_view_live_release(LttViewLive *live, LttViewMap *map)
{
	gboolean is_last;

	g_mutex_lock(&live->lock);
	is_last = --map->n_references == 0;
	if (is_last)
		g_ptr_array_remove_fast(live->maps, map);
	g_mutex_unlock(&live->lock);
	if (is_last)
		ltt_view_map_free(map);
}

/* Adds a map with one reference. A map that is added after ltt_view_live_stop() is cancelled. */
static void add(LttViewLive *live, LttViewMap *map)
{
	g_mutex_lock(&live->lock);
	map->n_references = 1;
	g_ptr_array_add(live->maps, map);
	if (live->is_stopped)
		g_atomic_int_set(&map->is_cancelled, TRUE);
	g_mutex_unlock(&live->lock);
}

/* Makes @map the present one. */
static void replace(LttViewLive *live, LttViewMap *map)
{
	LttViewMap *before;

	g_mutex_lock(&live->lock);
	before = live->map;
	live->map = map;
	g_cond_broadcast(&live->changed);
	g_mutex_unlock(&live->lock);
	ltt_view_live_release(live, before);
}

/* ---- the thread ---- */

/* Returns: FALSE if the server stops */
static gboolean pause_for(LttViewLive *live, gint64 pause_us)
{
	const gint64 end_us = g_get_monotonic_time() + pause_us;
	gboolean is_stopped;

	g_mutex_lock(&live->lock);
	while (!live->is_stopped && g_cond_wait_until(&live->changed, &live->lock, end_us))
		continue;
	is_stopped = live->is_stopped;
	g_mutex_unlock(&live->lock);
	return !is_stopped;
}

/* Makes the next map, unless the trace has not changed. A trace that cannot be opened now, because
 * its files are being replaced, is opened later. */
static void renew(LttViewLive *live, gboolean is_running)
{
	LttTrace *trace = ltt_trace_reopen(live->trace, NULL);
	LttViewMap *map;

	if (trace == NULL)
		return;
	if (is_running && !ltt_view_map_is_outdated(live->map, trace)) {
		ltt_trace_free(trace);
		return;
	}
	ltt_trace_read_bookmarks(trace); /* parses them in this thread */
	map = ltt_view_map_new_next(trace, live->map, is_running);
	add(live, map);
	ltt_view_map_start(map);
	ltt_view_map_wait(map, NULL);
	replace(live, map);
}

static void end(LttViewLive *live)
{
	g_mutex_lock(&live->lock);
	live->is_over = TRUE;
	g_atomic_int_set(&live->map->is_running, FALSE);
	g_cond_broadcast(&live->changed);
	g_mutex_unlock(&live->lock);
}

/* Returns: whether the map has the times that a trace which is opened now has: its begin may be that of the
 * first map instead */
static gboolean is_as_opened(const LttViewMap *map)
{
	guint64 start_ns = 0;
	guint64 last_ns = 0;

	ltt_trace_get_span(map->trace, &start_ns, &last_ns);
	return map->stage == LTT_VIEW_READY && map->axis.start_ns == start_ns &&
	       map->axis.end_ns == MAX(last_ns, start_ns) + 1;
}

/* Stores the last map. A trace is not recognized by files that changed a moment ago. */
static void store(LttViewLive *live)
{
	g_autofree char *name = NULL;

	if (live->cache == NULL || !is_as_opened(live->map) ||
	    !pause_for(live, LTT_FINGERPRINT_QUIET_NS / 1000 + LEAST_PAUSE_US))
		return;
	name = ltt_view_cache_find_name(live->map);
	if (name != NULL)
		ltt_view_cache_save(live->cache, name, live->map);
}

static gpointer follow(gpointer data)
{
	LttViewLive *live = data;
	LttLiveState state = LTT_LIVE_RUNNING;
	gint64 pause_us = LEAST_PAUSE_US;

	ltt_view_map_wait(live->map, NULL);
	while (state == LTT_LIVE_RUNNING && pause_for(live, pause_us)) {
		const gint64 begin_us = g_get_monotonic_time();

		state = ltt_trace_get_live_state(live->trace, NULL);
		if (state == LTT_LIVE_ABANDONED && pause_for(live, PATIENCE_US))
			state = ltt_trace_get_live_state(live->trace, NULL);
		renew(live, state == LTT_LIVE_RUNNING);
		pause_us = MAX(PAUSE_FACTOR * (g_get_monotonic_time() - begin_us), LEAST_PAUSE_US);
	}
	end(live);
	store(live);
	return NULL;
}

/* ---- the view ---- */

LttViewLive *ltt_view_live_new(LttTrace *trace, const LttViewCache *cache)
{
	LttViewLive *live = g_new0(LttViewLive, 1);
	const gboolean is_running = ltt_trace_get_live_state(trace, NULL) == LTT_LIVE_RUNNING;

	live->trace = trace;
	live->cache = cache;
	g_mutex_init(&live->lock);
	g_cond_init(&live->changed);
	live->maps = g_ptr_array_new();
	live->map = ltt_view_map_new(trace, is_running, is_running ? NULL : cache);
	add(live, live->map);
	live->is_over = !is_running;
	return live;
}

gboolean ltt_view_live_start(LttViewLive *live, GError **error)
{
	ltt_view_map_start(live->map);
	if (live->is_over)
		return TRUE;
	live->thread = ltt_thread_start("live", follow, live, error);
	return live->thread != NULL;
}

void ltt_view_live_stop(LttViewLive *live)
{
	g_mutex_lock(&live->lock);
	live->is_stopped = TRUE;
	for (guint i = 0; i < live->maps->len; i++)
		g_atomic_int_set(&((LttViewMap *)live->maps->pdata[i])->is_cancelled, TRUE);
	g_cond_broadcast(&live->changed);
	g_mutex_unlock(&live->lock);
}

void ltt_view_live_free(LttViewLive *live)
{
	if (live == NULL)
		return;
	ltt_view_live_stop(live);
	if (live->thread != NULL)
		g_thread_join(live->thread);
	ltt_view_live_release(live, live->map);
	g_ptr_array_unref(live->maps);
	g_mutex_clear(&live->lock);
	g_cond_clear(&live->changed);
	g_free(live);
}

LttViewMoment ltt_view_live_wait(LttViewLive *live, guint64 after)
{
	const gint64 end_us =
		g_get_monotonic_time() + LTT_VIEW_WAIT_SECONDS * (gint64)G_USEC_PER_SEC;
	LttViewMoment moment;

	g_mutex_lock(&live->lock);
	while (!live->is_stopped && !live->is_over && live->map->number <= after &&
	       g_cond_wait_until(&live->changed, &live->lock, end_us))
		continue;
	moment = (LttViewMoment){
		.number = live->map->number,
		.length_ns = live->map->axis.end_ns - live->map->axis.start_ns,
		.is_running = !live->is_over,
	};
	g_mutex_unlock(&live->lock);
	return moment;
}
