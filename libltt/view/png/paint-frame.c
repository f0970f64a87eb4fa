/* paint-frame.c - what is around the lanes: title, overview, ruler, labels and bookmarks. */
#include "view/png/paint-priv.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-time.h>

#include <math.h>

#define SELECT_ALPHA 0.15

/* Least distance of two marks of the ruler, in pixels. */
#define MARK_WIDTH 110

/* ---- times ---- */

typedef struct Unit {
	guint64 ns;
	const char *name;
} Unit;

static const Unit units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};

/* Returns: the largest unit that is not above @ns */
static const Unit *find_unit(guint64 ns)
{
	for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
		if (ns >= units[i].ns)
			return &units[i];
	}
	return &units[G_N_ELEMENTS(units) - 1];
}

/* Returns: (transfer full): the time after the start of the trace, "+1.234567890" */
static char *format_offset(const LttPngPaint *paint, guint64 time_ns)
{
	const guint64 ns = time_ns - paint->map->axis.start_ns;

	return g_strdup_printf("+%" G_GUINT64_FORMAT ".%09u", ns / 1000000000,
			       (guint)(ns % 1000000000));
}

/* Returns: 1, 2 or 5 times a power of ten, at least @least_ns */
static guint64 choose_step(double least_ns)
{
	const guint factors[] = {1, 2, 5};

	for (guint64 power = 1; power <= G_GUINT64_CONSTANT(1000000000000000000); power *= 10) {
		for (guint i = 0; i < G_N_ELEMENTS(factors); i++) {
			if ((double)(power * factors[i]) >= least_ns)
				return power * factors[i];
		}
	}
	return G_GUINT64_CONSTANT(10000000000000000000);
}

/* ---- title and overview ---- */

static void paint_title(const LttPngPaint *paint, const char *title)
{
	const LttViewAxis *axis = &paint->map->axis;
	g_autofree char *from = format_offset(paint, paint->window.from_ns);
	g_autofree char *length =
		ltt_duration_to_string(paint->window.to_ns - paint->window.from_ns);
	g_autofree char *whole = ltt_duration_to_string(axis->end_ns - axis->start_ns);
	g_autofree char *window = g_strdup_printf("%s from %s, of %s", length, from, whole);
	double width;

	ltt_png_fill(&paint->ink, paint->ink.theme->bar, 0, 0, paint->width, LTT_PNG_TITLE_HEIGHT);
	width = ltt_png_write(&paint->ink,
			      &(LttPngText){.x = paint->width - 8.0,
					    .y = LTT_PNG_TITLE_HEIGHT - 8,
					    .size = 12,
					    .is_right = TRUE,
					    .colour = paint->ink.theme->faint},
			      window);
	ltt_png_write(&paint->ink,
		      &(LttPngText){.x = 8,
				    .y = LTT_PNG_TITLE_HEIGHT - 8,
				    .most_width = MAX(paint->width - width - 32, 1),
				    .size = 14,
				    .is_bold = TRUE,
				    .colour = paint->ink.theme->ink},
		      title);
}

/* The density of the whole trace: the busiest column as high as the overview. */
static void paint_overview(const LttPngPaint *paint, const guint64 *counts, gsize n_counts)
{
	const LttViewAxis *axis = &paint->map->axis;
	const double bottom = LTT_PNG_TITLE_HEIGHT + LTT_PNG_OVERVIEW_HEIGHT;
	const double each = (double)paint->width / (double)n_counts;
	const double scale = paint->width / (double)(axis->end_ns - axis->start_ns);
	guint64 most = 1;

	for (gsize i = 0; i < n_counts; i++)
		most = MAX(most, counts[i]);
	for (gsize i = 0; i < n_counts; i++) {
		const double tall = MAX(1, (LTT_PNG_OVERVIEW_HEIGHT - 2) *
						   sqrt((double)counts[i] / (double)most));

		if (counts[i] > 0)
			ltt_png_fill(&paint->ink, paint->ink.theme->events, (double)i * each,
				     bottom - tall, MAX(each, 1), tall);
	}
	if (paint->window.from_ns > axis->start_ns || paint->window.to_ns < axis->end_ns)
		ltt_png_fill_clear(
			&paint->ink, paint->ink.theme->select, 2 * SELECT_ALPHA,
			(double)(paint->window.from_ns - axis->start_ns) * scale,
			LTT_PNG_TITLE_HEIGHT,
			MAX((double)(paint->window.to_ns - paint->window.from_ns) * scale, 2),
			LTT_PNG_OVERVIEW_HEIGHT);
	ltt_png_fill(&paint->ink, paint->ink.theme->grid, 0, bottom - 1, paint->width, 1);
}

/* ---- ruler ---- */

/* A mark that does not fit is left out. */
static void paint_mark(const LttPngPaint *paint, double x, guint64 ns, const Unit *unit)
{
	g_autofree char *text =
		g_strdup_printf("%" G_GUINT64_FORMAT " %s", ns / unit->ns, unit->name);

	if (x + MARK_WIDTH * 0.6 < paint->width)
		ltt_png_write(&paint->ink,
			      &(LttPngText){.x = x + 4,
					    .y = LTT_PNG_ROWS_TOP - 6,
					    .size = 11,
					    .colour = paint->ink.theme->faint},
			      text);
}

static void paint_ruler(const LttPngPaint *paint)
{
	const guint64 start_ns = paint->map->axis.start_ns;
	const double each_ns =
		(double)(paint->window.to_ns - paint->window.from_ns) / paint->window.n_pixels;
	const guint64 step_ns = choose_step(each_ns * MARK_WIDTH);
	const guint64 from_ns = paint->window.from_ns - start_ns;
	const guint64 to_ns = paint->window.to_ns - start_ns;
	const double top = LTT_PNG_TITLE_HEIGHT + LTT_PNG_OVERVIEW_HEIGHT;
	guint64 ns = from_ns / step_ns * step_ns;

	if (ns < from_ns && to_ns - ns <= step_ns)
		return; /* a window without a mark */
	if (ns < from_ns)
		ns += step_ns;
	while (ns < to_ns) {
		const double x = floor(ltt_png_get_x(paint, start_ns + ns));

		ltt_png_fill(&paint->ink, paint->ink.theme->grid, x, top, 1, paint->rows_end - top);
		paint_mark(paint, x, ns, find_unit(step_ns));
		if (to_ns - ns <= step_ns)
			break;
		ns += step_ns;
	}
	ltt_png_fill(&paint->ink, paint->ink.theme->grid, 0, LTT_PNG_ROWS_TOP - 1, paint->width, 1);
}

void ltt_png_paint_frame(const LttPngPaint *paint, const char *title, const guint64 *counts,
			 gsize n_counts)
{
	ltt_png_fill(&paint->ink, paint->ink.theme->paper, 0, 0, paint->width, paint->height);
	paint_title(paint, title);
	paint_overview(paint, counts, n_counts);
	paint_ruler(paint);
	for (guint i = 0; i < paint->n_rows; i++) {
		const LttPngRow *row = &g_array_index(paint->rows, LttPngRow, i);

		ltt_png_fill(&paint->ink, paint->ink.theme->grid, 0, row->top + row->height - 1.0,
			     paint->width, 1);
	}
}

/* ---- labels ---- */

static guint count_lanes(const LttPngPaint *paint, guint first)
{
	guint n = 0;

	for (guint i = first; i < paint->rows->len; i++)
		n += g_array_index(paint->rows, LttPngRow, i).lane != NULL;
	return n;
}

/* What has no room is counted. */
static void paint_rest(const LttPngPaint *paint)
{
	const guint n = count_lanes(paint, paint->n_rows);
	g_autofree char *text = g_strdup_printf("%u more %s below", n, n == 1 ? "lane" : "lanes");

	if (n > 0)
		ltt_png_write(&paint->ink,
			      &(LttPngText){.x = 8,
					    .y = paint->rows_end + 13.0,
					    .size = 11,
					    .colour = paint->ink.theme->faint},
			      text);
}

void ltt_png_paint_labels(const LttPngPaint *paint)
{
	const LttPngTheme *theme = paint->ink.theme;

	/* Over what begins before the plot. */
	ltt_png_fill(&paint->ink, theme->paper, 0, LTT_PNG_ROWS_TOP, LTT_PNG_LABEL_WIDTH,
		     paint->rows_end - LTT_PNG_ROWS_TOP);
	for (guint i = 0; i < paint->n_rows; i++) {
		const LttPngRow *row = &g_array_index(paint->rows, LttPngRow, i);
		const double x = 4 + 10.0 * row->level;

		if (row->lane == NULL)
			ltt_png_fill(&paint->ink, theme->bar, 0, row->top, LTT_PNG_LABEL_WIDTH,
				     row->height - 1.0);
		ltt_png_fill(&paint->ink, theme->grid, 0, row->top + row->height - 1.0,
			     LTT_PNG_LABEL_WIDTH, 1);
		ltt_png_write(&paint->ink,
			      &(LttPngText){.x = x,
					    .y = row->top + 14.0,
					    .most_width = LTT_PNG_LABEL_WIDTH - x - 6,
					    .size = 12,
					    .is_bold = row->lane == NULL,
					    .colour = theme->ink},
			      row->label);
	}
	ltt_png_fill(&paint->ink, theme->grid, LTT_PNG_LABEL_WIDTH - 1, LTT_PNG_ROWS_TOP, 1,
		     paint->rows_end - LTT_PNG_ROWS_TOP);
	paint_rest(paint);
}

/* ---- bookmarks ---- */

static void paint_bookmark(const LttPngPaint *paint, const LttBookmark *bookmark)
{
	const LttPngColour colour = paint->ink.theme->ink;
	const double top = LTT_PNG_TITLE_HEIGHT + LTT_PNG_OVERVIEW_HEIGHT;
	double x;
	double end_x;

	if (!ltt_png_clip(paint, bookmark->start, MAX(bookmark->end, bookmark->start + 1), &x,
			  &end_x))
		return;
	if (bookmark->is_interval)
		ltt_png_fill_clear(&paint->ink, colour, 0.08, x, top, MAX(end_x - x, 1),
				   paint->rows_end - top);
	ltt_png_fill(&paint->ink, colour, x, top, 1, paint->rows_end - top);
	ltt_png_write(&paint->ink,
		      &(LttPngText){.x = x + 4,
				    .y = top + 10,
				    .most_width = MAX(paint->width - x - 8, 1),
				    .size = 10,
				    .is_bold = TRUE,
				    .colour = colour},
		      bookmark->name);
}

void ltt_png_paint_bookmarks(const LttPngPaint *paint)
{
	const GPtrArray *bookmarks = ltt_trace_read_bookmarks(paint->map->trace);

	for (guint i = 0; i < bookmarks->len; i++) {
		const LttBookmark *bookmark = bookmarks->pdata[i];

		if (bookmark->unit == LTT_BOOKMARK_TIME)
			paint_bookmark(paint, bookmark);
	}
}
