/* start-priv.h - from where the events of a window are read, and whether they are.
 *
 *	POINT     from the last point before the window, which has the spans that are open
 *	WINDOW    from the window: the map is not drawn so far. Spans that began earlier are missing
 *	NOWHERE   the window has too many events for an answer within a tenth of a second, or more than its
 *	          pixels show: the bins of the map are drawn instead
 */
#ifndef LTT_VIEW_START_PRIV_H
#define LTT_VIEW_START_PRIV_H

#ifndef LTT_BUILDING
#error "view/start-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/window-priv.h"

/* Events that are read for one picture, and blocks while the events are not counted. */
#define LTT_VIEW_WALK_EVENTS 300000
#define LTT_VIEW_WALK_BLOCKS 8

typedef enum LttViewStart {
	LTT_VIEW_START_POINT,
	LTT_VIEW_START_WINDOW,
	LTT_VIEW_START_NOWHERE,
} LttViewStart;

/* Called with the lock held. Returns: whether [@from_ns, @to_ns) has at most @max_events, or, while events
 * are not counted, LTT_VIEW_WALK_BLOCKS */
gboolean ltt_view_is_short(LttViewMap *map, guint64 from_ns, guint64 to_ns, guint64 max_events);

/* @is_limited: (out): whether the choice would be another without `max_events`
 *
 * Returns: how a window is drawn; with a filter always from a point */
LttViewStart ltt_view_choose_start(LttViewMap *map, const LttViewWindow *window,
				   gboolean *is_limited);

/* Returns: (transfer full): spans from @start, which is not NOWHERE, up to @to_ns. @select: for the
 *   window; must outlive them */
LttSpans *ltt_view_start_spans(LttViewMap *map, LttViewStart start, guint64 from_ns, guint64 to_ns,
			       LttSelect *select);

#endif
