/* live-priv.h - the maps of a view: one for a complete trace, a sequence of them for a recording
 * that is running.
 *
 * A map describes a trace at one moment. While the recording runs, a thread opens the trace again,
 * makes the next map beside the present one, and replaces it. Requests hold a reference to the map
 * that they began with, so all of an answer is of one moment.
 *
 *	recording  ├────────────┬───────────┬─────────┤ ends
 *	map        │     1      │     2     │    3    │ 4: as of a trace that is opened now
 *	requests   ├───┤   ├──────┤  ├──┤    ├──┤
 *
 * The lanes of a map continue those of the one before, if possible (ltt_view_map_continue()). Events are
 * counted, and the states of threads read, from the whole trace, which takes less time; the last map is
 * made from the whole trace. The pause before the next map is three times as long as the last one took to
 * make, so the thread uses at most a quarter of the time.
 */
#ifndef LTT_VIEW_LIVE_PRIV_H
#define LTT_VIEW_LIVE_PRIV_H

#ifndef LTT_BUILDING
#error "view/live-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/map-priv.h"

typedef struct LttViewLive LttViewLive;

/* @trace: must outlive it. @cache: (nullable): likewise, for the map of a complete trace.
 * Returns: (transfer full): the maps; the first is empty */
LttViewLive *ltt_view_live_new(LttTrace *trace, const LttViewCache *cache);

/* Starts to make the maps. Returns: FALSE with LTT_ERROR_LIMIT if the trace is being recorded and no thread
 * can be started to follow it */
gboolean ltt_view_live_start(LttViewLive *live, GError **error);

/* Ends the threads, and the waits and long jobs of requests. */
void ltt_view_live_stop(LttViewLive *live);

/* Called after ltt_view_live_stop(), when no request holds a map. NULL is allowed and ignored. */
void ltt_view_live_free(LttViewLive *live);

/* Returns: the present map; release it with ltt_view_live_release() */
LttViewMap *ltt_view_live_take(LttViewLive *live);
void ltt_view_live_release(LttViewLive *live, LttViewMap *map);

/* The answer to a client that waits for the next map. */
typedef struct LttViewMoment {
	guint64 number;      /* of the present map */
	guint64 length_ns;   /* of its axis */
	gboolean is_running; /* further maps will follow */
} LttViewMoment;

/* Waits until a map with a number above @after is the present one, no further ones will follow, or
 * LTT_VIEW_WAIT_SECONDS have passed. */
#define LTT_VIEW_WAIT_SECONDS 10
LttViewMoment ltt_view_live_wait(LttViewLive *live, guint64 after);

#endif
