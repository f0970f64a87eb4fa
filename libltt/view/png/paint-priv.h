/* paint-priv.h - the parts of a picture.
 *
 *	+--------------------------------------+  title and window
 *	| density of the whole trace           |  overview
 *	|          | 0 ms    10 ms     20 ms   |  ruler
 *	| CPUs     |                           |
 *	|   CPU 0  |  ▁▂▇▂▁                     |  rows
 *	| server 7 |                           |
 *	|   main 7 | [ request ]               |
 *	| threads: running, waiting ...        |  legend, if there are states
 *	+--------------------------------------+
 *	 <- labels -> <------- plot ---------->
 */
#ifndef LTT_VIEW_PAINT_PRIV_H
#define LTT_VIEW_PAINT_PRIV_H

#ifndef LTT_BUILDING
#error "view/png/paint-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/counters-priv.h"
#include "view/png/ink-priv.h"
#include "view/png/tree-priv.h"
#include "view/state-window-priv.h"
#include "view/window-priv.h"

#define LTT_PNG_LABEL_WIDTH     220
#define LTT_PNG_TITLE_HEIGHT    26
#define LTT_PNG_OVERVIEW_HEIGHT 48
#define LTT_PNG_RULER_HEIGHT    22
#define LTT_PNG_LEGEND_HEIGHT   20
#define LTT_PNG_ROWS_TOP        (LTT_PNG_TITLE_HEIGHT + LTT_PNG_OVERVIEW_HEIGHT + LTT_PNG_RULER_HEIGHT)

typedef struct LttPngPaint {
	LttPngInk ink;
	LttViewMap *map;
	GHashTable *names;    /* of processes and threads */
	LttViewWindow window; /* its pixels are those of the plot */
	GArray *rows;         /* of LttPngRow, all of them; tops from LTT_PNG_ROWS_TOP */
	guint n_rows;         /* the first ones, for which there is room */
	gint *row_of_lane;    /* by number of the lane; -1: it has no row */
	guint width;          /* of the picture */
	guint height;
	guint rows_end; /* bottom of the last row */
} LttPngPaint;

/* Returns: the place of a time, in pixels from the left of the picture */
double ltt_png_get_x(const LttPngPaint *paint, guint64 time_ns);

/* Returns: (nullable): the row of a lane; NULL: it is not drawn */
const LttPngRow *ltt_png_get_row(const LttPngPaint *paint, guint lane);

/* Title, overview, ruler, and what lies behind the rows. @counts: the density of the whole trace */
void ltt_png_paint_frame(const LttPngPaint *paint, const char *title, const guint64 *counts,
			 gsize n_counts);
void ltt_png_paint_labels(const LttPngPaint *paint);
void ltt_png_paint_bookmarks(const LttPngPaint *paint);

void ltt_png_paint_spans(const LttPngPaint *paint, const LttViewPicture *picture);
void ltt_png_paint_states(const LttPngPaint *paint, const LttViewStatePicture *picture);
/* @n_left_out: wake-ups for which there are no arrows; LTT_PNG_UNCOUNTED: the window has too many events to
 * count them */
#define LTT_PNG_UNCOUNTED G_MAXUINT
void ltt_png_paint_legend(const LttPngPaint *paint, guint n_left_out);
void ltt_png_paint_damage(const LttPngPaint *paint);
void ltt_png_paint_counters(const LttPngPaint *paint, const LttCounterPicture *picture);

/* Draws an arrow for each wake-up between two rows; none if there are so many that they would hide the lanes.
 * @wakeups: (element-type LttViewWakeup). Returns: the number of arrows that were left out: all of them, or 0 */
guint ltt_png_paint_arrows(const LttPngPaint *paint, const GArray *wakeups);

/* Sets the pixels from @begin_ns to @end_ns, at most two beside the plot. Returns: FALSE if nothing of
 * them is in the window */
gboolean ltt_png_clip(const LttPngPaint *paint, guint64 begin_ns, guint64 end_ns, double *x,
		      double *end_x);

#endif
