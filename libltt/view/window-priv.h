/* window-priv.h - what a window of the time shows, for a number of pixels.
 *
 * A span of a pixel or more is a rectangle. Shorter ones, and events, are counted in bins of one pixel:
 * however many there are, the answer is no larger than the picture.
 */
#ifndef LTT_VIEW_WINDOW_PRIV_H
#define LTT_VIEW_WINDOW_PRIV_H

#ifndef LTT_BUILDING
#error "view/window-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/map-priv.h"

/* The request: [from_ns, to_ns) in n_pixels. */
typedef struct LttViewWindow {
	guint64 from_ns;
	guint64 to_ns;
	guint n_pixels;
	guint64 max_events; /* to read; 0: as many as an answer within a tenth of a second allows */
	LttFilter *filter;  /* (nullable): only the selected events, and spans whose begin or end
			    * event is selected */
} LttViewWindow;

#define LTT_VIEW_MAX_PIXELS 16384

/* Returns: the pixel of a time; that of the nearest time if it lies outside */
static inline guint ltt_view_get_pixel(const LttViewWindow *window, guint64 time_ns)
{
	const guint64 at_ns = CLAMP(time_ns, window->from_ns, window->to_ns - 1) - window->from_ns;

	return (guint)((unsigned __int128)at_ns * window->n_pixels /
		       (window->to_ns - window->from_ns));
}

/* Returns: the first time of a pixel */
static inline guint64 ltt_view_get_edge(const LttViewWindow *window, guint pixel)
{
	const unsigned __int128 length_ns = window->to_ns - window->from_ns;

	return window->from_ns +
	       (guint64)((length_ns * pixel + window->n_pixels - 1) / window->n_pixels);
}

/* A rectangle: flags of a span. */
typedef struct LttViewRect {
	guint lane;
	LttLaneSpan span;     /* not clipped; an open one ends with its trace or the window */
	gboolean is_left_out; /* by the filter. Asynchronous spans keep their row nevertheless */
} LttViewRect;

/* A bin of one pixel. */
typedef struct LttViewBin {
	guint lane;
	guint pixel;
	guint16 depth; /* or LTT_VIEW_EVENTS_DEPTH */
	guint32 n;     /* spans that begin in it, or events */
	guint32 name;
	guint64 longest_ns;
	guint64 covered_ns;
} LttViewBin;

/* Adds to the bin of a pixel. @added: of the same pixel and depth */
void ltt_view_pixel_merge(LttViewBin *bin, const LttViewBin *added);

/* Sorts bins by lane, depth and pixel, and merges those of one pixel. Spans come in the order of their ends,
 * and long ones before the cells of the map. */
void ltt_view_pixels_join(GArray *bins);

typedef struct LttViewPicture {
	GArray *rects;       /* of LttViewRect */
	GArray *bins;        /* of LttViewBin; those of a lane and a depth by pixel */
	gboolean is_exact;   /* from all of its events, not from bins of the map */
	gboolean is_limited; /* without `max_events` it would be drawn from events */
	guint64 n_read;      /* events that were read */
} LttViewPicture;

/**
 * ltt_view_draw:
 * @lanes: (array zero-terminated=0): numbers of the wanted lanes; unknown ones are left out
 * @picture: (out): free with ltt_view_picture_clear()
 *
 * Returns: FALSE with LTT_ERROR_CANCELLED or LTT_ERROR_IO
 */
gboolean ltt_view_draw(LttViewMap *map, const LttViewWindow *window, const guint *lanes,
		       guint n_lanes, const LttJobCallbacks *callbacks, LttViewPicture *picture,
		       GError **error);

void ltt_view_picture_clear(LttViewPicture *picture);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttViewPicture, ltt_view_picture_clear)

#endif
