/* paint-spans.c - the spans and events of lanes: spans as rectangles with their names, what is shorter than a
 * pixel as columns whose height is the share of the time covered.
 */
#include "view/png/paint-priv.h"

#include <math.h>
#include <string.h>

#define LEAST_NAME_WIDTH 30

/* ---- bins of a pixel ---- */

/* The greatest number of events in a bin of each row: the column of full height. */
static guint32 *find_most(const LttPngPaint *paint, const LttViewPicture *picture)
{
	guint32 *most = g_new0(guint32, paint->map->lanes->len);

	for (guint i = 0; i < picture->bins->len; i++) {
		const LttViewBin *bin = &g_array_index(picture->bins, LttViewBin, i);

		if (bin->depth == LTT_VIEW_EVENTS_DEPTH)
			most[bin->lane] = MAX(most[bin->lane], bin->n);
	}
	return most;
}

static void paint_events(const LttPngPaint *paint, const LttPngRow *row, const LttViewBin *bin,
			 guint32 most)
{
	const double height = MAX(1, LTT_PNG_EVENTS_HEIGHT * log1p(bin->n) / log1p(MAX(most, 1)));

	ltt_png_fill(&paint->ink, paint->ink.theme->events, LTT_PNG_LABEL_WIDTH + bin->pixel,
		     row->top + row->height - 2 - height, 1, height);
}

static void paint_bin(const LttPngPaint *paint, const LttPngRow *row, const LttViewBin *bin)
{
	const double each_ns =
		(double)(paint->window.to_ns - paint->window.from_ns) / paint->window.n_pixels;
	const double share = MIN(1, (double)bin->covered_ns / each_ns);
	const double height = MAX(2, (LTT_PNG_DEPTH_HEIGHT - 1) * share);

	ltt_png_fill(&paint->ink, ltt_png_get_colour(paint->map->names->pdata[bin->name]),
		     LTT_PNG_LABEL_WIDTH + bin->pixel,
		     row->top + ltt_png_get_spans_top(row) +
			     (bin->depth + 1) * LTT_PNG_DEPTH_HEIGHT - 1 - height,
		     1, height);
}

static void paint_bins(const LttPngPaint *paint, const LttViewPicture *picture)
{
	g_autofree guint32 *most = find_most(paint, picture);

	for (guint i = 0; i < picture->bins->len; i++) {
		const LttViewBin *bin = &g_array_index(picture->bins, LttViewBin, i);
		const LttPngRow *row = ltt_png_get_row(paint, bin->lane);

		if (row == NULL)
			continue;
		if (bin->depth == LTT_VIEW_EVENTS_DEPTH)
			paint_events(paint, row, bin, most[bin->lane]);
		else if (bin->depth < row->n_depths)
			paint_bin(paint, row, bin);
	}
}

/* ---- rectangles ---- */

/* Returns: "request" for "http.request": many names begin alike */
static const char *shorten(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && dot[1] != '\0' ? dot + 1 : name;
}

static void paint_rect(const LttPngPaint *paint, const LttPngRow *row, const LttLaneSpan *span)
{
	const char *name = paint->map->names->pdata[span->name];
	const LttPngColour colour = ltt_png_get_colour(name);
	const double y = row->top + ltt_png_get_spans_top(row) + span->depth * LTT_PNG_DEPTH_HEIGHT;
	double x;
	double end_x;
	double width;

	if (!ltt_png_clip(paint, span->begin_ns, span->end_ns, &x, &end_x))
		return;
	width = MAX(end_x - x, 1);
	ltt_png_fill(&paint->ink, colour, x, y, width > 2 ? width - 0.5 : width,
		     LTT_PNG_DEPTH_HEIGHT - 1);
	if (width >= LEAST_NAME_WIDTH)
		ltt_png_write(&paint->ink,
			      &(LttPngText){.x = x + 3,
					    .y = y + LTT_PNG_DEPTH_HEIGHT - 4.5,
					    .most_width = width - 5,
					    .short_text = shorten(name),
					    .size = 11,
					    .colour = ltt_png_get_contrast(colour)},
			      name);
}

void ltt_png_paint_spans(const LttPngPaint *paint, const LttViewPicture *picture)
{
	paint_bins(paint, picture);
	for (guint i = 0; i < picture->rects->len; i++) {
		const LttViewRect *rect = &g_array_index(picture->rects, LttViewRect, i);
		const LttPngRow *row = ltt_png_get_row(paint, rect->lane);

		if (row != NULL && !rect->is_left_out && rect->span.depth < row->n_depths)
			paint_rect(paint, row, &rect->span);
	}
}
