/* state-window-priv.h - the states of lanes in a window of the time, for a number of pixels.
 *
 * A stretch of two pixels or more is a rectangle. Of shorter ones, the time in each state is added up
 * for each pixel.
 */
#ifndef LTT_VIEW_STATE_WINDOW_PRIV_H
#define LTT_VIEW_STATE_WINDOW_PRIV_H

#ifndef LTT_BUILDING
#error "view/state-window-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/states-priv.h"
#include "view/window-priv.h"

typedef struct LttViewStateRect {
	guint lane;
	guint64 begin_ns; /* not clipped */
	guint64 end_ns;
	guint16 state; /* ltt_view_state_of() */
	guint reason;  /* what a thread waits for: index into the texts of the picture */
	guint waker;   /* likewise: what wakes it; PREEMPTED: gets its CPU */
	gint place;    /* of a thread: its CPU; of a CPU: the lane of its thread; -1: unknown */
} LttViewStateRect;

typedef struct LttViewStateBin {
	guint lane;
	guint pixel;
	guint16 state;
	guint64 covered_ns;
} LttViewStateBin;

typedef struct LttViewStatePicture {
	GArray *rects;       /* of LttViewStateRect */
	GArray *bins;        /* of LttViewStateBin; by lane, pixel and state */
	GPtrArray *texts;    /* of char; the first one is empty */
	GHashTable *numbers; /* of texts */
	gboolean is_exact;   /* from all events of the window */
	gboolean is_limited; /* without `max_events` of the window it would be */
	guint64 n_read;      /* events that were read */
} LttViewStatePicture;

/* Returns: as ltt_view_draw(), which draws the spans of lanes */
gboolean ltt_view_draw_states(LttViewStates *states, const LttViewWindow *window,
			      const guint *lanes, guint n_lanes, const LttJobCallbacks *callbacks,
			      LttViewStatePicture *picture, GError **error);

void ltt_view_state_picture_clear(LttViewStatePicture *picture);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttViewStatePicture, ltt_view_state_picture_clear)

#endif
