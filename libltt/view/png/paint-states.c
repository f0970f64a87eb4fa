/* paint-states.c - the states of threads and CPUs, as a strip over the spans of a lane, and what woke threads.
 *
 * People with any kind of colour vision tell the colours apart; what runs is also high, what waits is low.
 */
#include "view/png/paint-priv.h"
#include "view/wakeups-priv.h"

#include <ltt/ltt-states.h>

#include <string.h>

#define LEAST_NAME_WIDTH 36

/* More arrows would hide the lanes. */
#define MAX_ARROWS 40

/* Length of an arrow whose end is outside of the window, and opacity of the lines, through which names are readable */
#define STUB       12
#define LINE_ALPHA 0.5
#define HEAD       5

typedef struct Style {
	const char *name; /* NULL: nothing is drawn */
	LttPngColour colour;
	double height; /* share of the strip */
} Style;

static const Style of_threads[LTT_VIEW_N_STATES] = {
	[LTT_VIEW_RUNNING] = {"running", {0, 158, 115}, 1},
	[LTT_VIEW_RUNNABLE] = {"runnable, without a CPU", {230, 159, 0}, 0.75},
	[LTT_VIEW_PREEMPTED] = {"preempted", {213, 94, 0}, 0.75},
	[LTT_VIEW_SLEEPING] = {"waiting", {154, 167, 181}, 0.3},
	[LTT_VIEW_DISK_SLEEPING] = {"waiting, uninterruptible", {122, 59, 143}, 0.5},
	[LTT_VIEW_STOPPED] = {"stopped", {86, 180, 233}, 0.3},
};

static const Style of_cpus[] = {
	[LTT_CPU_UNKNOWN] = {NULL, {0, 0, 0}, 0},
	[LTT_CPU_THREAD] = {"thread", {0, 158, 115}, 1},
	[LTT_CPU_SOFTIRQ] = {"softirq", {0, 114, 178}, 1},
	[LTT_CPU_IRQ] = {"interrupt", {140, 74, 47}, 1},
	[LTT_CPU_IDLE] = {"idle", {107, 119, 133}, 0.15},
};

/* Returns: (nullable): NULL: nothing is drawn for the state */
static const Style *find_style(const LttLane *lane, guint16 state)
{
	const gboolean is_cpu = lane->key.kind == LTT_LANE_CPU;
	const Style *styles = is_cpu ? of_cpus : of_threads;

	if (state >= (is_cpu ? G_N_ELEMENTS(of_cpus) : G_N_ELEMENTS(of_threads)))
		return NULL;
	return styles[state].name != NULL ? &styles[state] : NULL;
}

static void fill(const LttPngPaint *paint, const LttPngRow *row, LttPngColour colour, double share,
		 double x, double width)
{
	const double height = MAX((LTT_PNG_STATE_HEIGHT - 2) * share, 1);

	ltt_png_fill(&paint->ink, colour, x, row->top + LTT_PNG_STATE_HEIGHT - 1 - height, width,
		     height);
}

/* ---- stretches ---- */

static void paint_name(const LttPngPaint *paint, const char *text, double x, double width, double y,
		       LttPngColour colour)
{
	if (text[0] != '\0' && width >= LEAST_NAME_WIDTH)
		ltt_png_write(&paint->ink,
			      &(LttPngText){.x = x + 3,
					    .y = y,
					    .most_width = width - 5,
					    .size = 10,
					    .colour = colour},
			      text);
}

/* Returns: (transfer full) (nullable): the label of the thread that a CPU runs; NULL: no thread, or an
 * unknown one */
static char *find_thread(const LttPngPaint *paint, const LttPngRow *row,
			 const LttViewStateRect *rect)
{
	LttViewMap *map = paint->map;
	char *label;

	if (row->lane->key.kind != LTT_LANE_CPU || rect->state != LTT_CPU_THREAD || rect->place < 0)
		return NULL;
	ltt_view_map_lock(map);
	label = ltt_png_label_lane(map, paint->names, map->lanes->pdata[rect->place]);
	ltt_view_map_unlock(map);
	return label;
}

static void paint_stretch(const LttPngPaint *paint, const LttPngRow *row, const Style *style,
			  const LttViewStateRect *rect, const char *reason)
{
	g_autofree char *thread = find_thread(paint, row, rect);
	const LttPngColour colour = thread != NULL ? ltt_png_get_colour(thread) : style->colour;
	double x;
	double end_x;
	double width;

	if (!ltt_png_clip(paint, rect->begin_ns, rect->end_ns, &x, &end_x))
		return;
	width = end_x - x;
	fill(paint, row, colour, style->height, x, MAX(width > 3 ? width - 0.5 : width, 1));
	if (thread != NULL)
		paint_name(paint, thread, x, width, row->top + LTT_PNG_STATE_HEIGHT - 3,
			   ltt_png_get_contrast(colour));
	else if (row->lane->key.kind == LTT_LANE_THREAD && strcmp(reason, "unknown") != 0)
		paint_name(paint, reason, x, width, row->top + LTT_PNG_STATE_HEIGHT - 6,
			   paint->ink.theme->faint);
}

/* ---- bins ---- */

/* A pixel is divided by the shares of the states, from the bottom to the top. What waits is the rest. */
static void paint_bins(const LttPngPaint *paint, const LttViewStatePicture *picture)
{
	const double each_ns =
		(double)(paint->window.to_ns - paint->window.from_ns) / paint->window.n_pixels;
	const double whole = LTT_PNG_STATE_HEIGHT - 2;
	const LttViewStateBin *last = NULL;
	double sum = 0;

	for (guint i = 0; i < picture->bins->len; i++) {
		const LttViewStateBin *bin = &g_array_index(picture->bins, LttViewStateBin, i);
		const LttPngRow *row = ltt_png_get_row(paint, bin->lane);
		const Style *style = row != NULL ? find_style(row->lane, bin->state) : NULL;
		double height;

		if (last == NULL || last->lane != bin->lane || last->pixel != bin->pixel)
			sum = 0;
		last = bin;
		if (style == NULL || style->height < 0.5)
			continue;
		height = whole * MIN((double)bin->covered_ns / each_ns, 1 - sum);
		ltt_png_fill(&paint->ink, style->colour, LTT_PNG_LABEL_WIDTH + bin->pixel,
			     row->top + LTT_PNG_STATE_HEIGHT - 1 - whole * sum - MAX(height, 0.5),
			     1, MAX(height, 0.5));
		sum = MIN(1, sum + (double)bin->covered_ns / each_ns);
	}
}

void ltt_png_paint_states(const LttPngPaint *paint, const LttViewStatePicture *picture)
{
	paint_bins(paint, picture);
	for (guint i = 0; i < picture->rects->len; i++) {
		const LttViewStateRect *rect = &g_array_index(picture->rects, LttViewStateRect, i);
		const LttPngRow *row = ltt_png_get_row(paint, rect->lane);
		const Style *style = row != NULL ? find_style(row->lane, rect->state) : NULL;

		if (style != NULL)
			paint_stretch(paint, row, style, rect, picture->texts->pdata[rect->reason]);
	}
}

/* ---- legend ---- */

static double paint_entry(const LttPngPaint *paint, const Style *style, double x, double y)
{
	const double height = MAX(10 * style->height, 2);
	LttPngText text = {.x = x + 18, .y = y, .size = 11, .colour = paint->ink.theme->ink};

	ltt_png_fill(&paint->ink, style->colour, x, y + 1 - height, 14, height);
	return text.x + ltt_png_write(&paint->ink, &text, style->name) + 12;
}

static double paint_heading(const LttPngPaint *paint, const char *name, double x, double y)
{
	const LttPngText text = {
		.x = x, .y = y, .size = 11, .is_bold = TRUE, .colour = paint->ink.theme->ink};

	return x + ltt_png_write(&paint->ink, &text, name) + 8;
}

void ltt_png_paint_legend(const LttPngPaint *paint, guint n_left_out)
{
	const double y = paint->height - 6;
	double x = paint_heading(paint, "threads", 8, y);

	for (guint i = LTT_VIEW_RUNNING; i < LTT_VIEW_N_STATES; i++)
		x = paint_entry(paint, &of_threads[i], x, y);
	x = paint_heading(paint, "CPUs", x, y);
	for (guint i = LTT_CPU_THREAD + 1; i < G_N_ELEMENTS(of_cpus); i++)
		x = paint_entry(paint, &of_cpus[i], x, y);
	if (n_left_out > 0) {
		g_autofree char *words =
			n_left_out == LTT_PNG_UNCOUNTED
				? g_strdup("wake-ups are not drawn")
				: g_strdup_printf("%u wake-ups, not drawn", n_left_out);

		paint_heading(paint, words, x, y);
	}
}

/* ---- arrows ---- */

typedef struct Arrow {
	double x;
	double y;
	double to_x;
	double to_y;
	gboolean arrives; /* the woken thread runs within the window */
} Arrow;

static void set_ink(const LttPngPaint *paint, double alpha)
{
	const LttPngColour colour = paint->ink.theme->ink;

	cairo_set_source_rgba(paint->ink.cairo, colour.red / 255.0, colour.green / 255.0,
			      colour.blue / 255.0, alpha);
}

/* Draws a thin curve that leaves and arrives vertically, with a dot at its begin and a head at its end. If its end is
 * outside of the window, draws the begin only. */
static void paint_arrow(const LttPngPaint *paint, const Arrow *arrow)
{
	cairo_t *cairo = paint->ink.cairo;
	const double x = arrow->x;
	const double y = arrow->y;
	const double to_x = arrow->to_x;
	const double to_y = arrow->to_y;
	const double way = to_y >= y ? 1 : -1;
	const double end = to_y - way * HEAD;

	set_ink(paint, LINE_ALPHA);
	cairo_set_line_width(cairo, 1);
	cairo_move_to(cairo, x, y);
	if (arrow->arrives)
		cairo_curve_to(cairo, x, (y + end) / 2, to_x, (y + end) / 2, to_x, end);
	else
		cairo_line_to(cairo, x, y + way * STUB);
	cairo_stroke(cairo);
	set_ink(paint, 1);
	cairo_arc(cairo, x, y, 2, 0, 2 * G_PI);
	cairo_fill(cairo);
	if (!arrow->arrives)
		return;
	cairo_move_to(cairo, to_x, to_y);
	cairo_line_to(cairo, to_x - HEAD * 0.7, end);
	cairo_line_to(cairo, to_x + HEAD * 0.7, end);
	cairo_fill(cairo);
}

/* Returns: whether the wake-up is between two rows and in the window; sets @arrow then */
static gboolean find_arrow(const LttPngPaint *paint, const LttViewWakeup *wakeup, Arrow *arrow)
{
	const LttPngRow *waker = ltt_png_get_row(paint, wakeup->waker);
	const LttPngRow *woken = ltt_png_get_row(paint, wakeup->woken);

	if (waker == NULL || woken == NULL || waker == woken ||
	    wakeup->woken_ns < paint->window.from_ns || wakeup->woken_ns >= paint->window.to_ns)
		return FALSE;
	*arrow = (Arrow){
		.x = ltt_png_get_x(paint, wakeup->woken_ns),
		.y = waker->top + LTT_PNG_STATE_HEIGHT / 2.0,
		.to_x = ltt_png_get_x(paint, wakeup->runs_ns),
		.to_y = woken->top + LTT_PNG_STATE_HEIGHT / 2.0,
		.arrives = wakeup->has_run && wakeup->runs_ns <= paint->window.to_ns,
	};
	return TRUE;
}

guint ltt_png_paint_arrows(const LttPngPaint *paint, const GArray *wakeups)
{
	g_autoptr(GArray) arrows = g_array_new(FALSE, FALSE, sizeof(Arrow));
	Arrow arrow;

	for (guint i = 0; i < wakeups->len; i++)
		if (find_arrow(paint, &g_array_index(wakeups, LttViewWakeup, i), &arrow))
			g_array_append_val(arrows, arrow);
	if (arrows->len > MAX_ARROWS)
		return arrows->len;
	for (guint i = 0; i < arrows->len; i++)
		paint_arrow(paint, &g_array_index(arrows, Arrow, i));
	return 0;
}
