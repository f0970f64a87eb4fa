/* paint-counters.c - the values of counters, as step curves. */
#include "view/png/paint-priv.h"

#include <math.h>

static double to_double(const LttViewNumber *number)
{
	switch (number->kind) {
	case LTT_INT:
		return (double)number->i;
	case LTT_FLOAT:
		return number->f;
	default:
		return (double)number->u;
	}
}

/* The values of a lane: cells of the window from @begin to @end, after @before. */
typedef struct Curve {
	const LttPngRow *row;
	const LttCounterCell *before; /* (nullable): NULL: no value before the window */
	const LttCounterCell *begin;
	const LttCounterCell *end;
	double least;
	double most;
} Curve;

static void extend(Curve *curve, double value)
{
	if (!isfinite(value))
		return;
	curve->least = MIN(curve->least, value);
	curve->most = MAX(curve->most, value);
}

/* The scale: from the smallest to the largest value, and 0 is between them. */
static void find_range(Curve *curve)
{
	curve->least = 0;
	curve->most = 0;
	if (curve->before != NULL)
		extend(curve, to_double(&curve->before->last));
	for (const LttCounterCell *cell = curve->begin; cell < curve->end; cell++) {
		extend(curve, to_double(&cell->min));
		extend(curve, to_double(&cell->max));
	}
}

static double get_y(const Curve *curve, double value)
{
	const double height = curve->row->height - 5.0;
	const double length = curve->most > curve->least ? curve->most - curve->least : 1;

	/* The length can be infinite as a double. */
	return curve->row->top + 2 + height * (1 - (value / length - curve->least / length));
}

/* A value from pixel @from up to @to. */
static void paint_value(const LttPngPaint *paint, const Curve *curve, LttPngColour colour,
			double value, double from, double to)
{
	const double base = get_y(curve, 0);
	const double y = isfinite(value) ? get_y(curve, value) : base;
	const double x = LTT_PNG_LABEL_WIDTH + from;

	if (!isfinite(value))
		return;
	ltt_png_fill_clear(&paint->ink, colour, 0.25, x, MIN(y, base), to - from, fabs(base - y));
	ltt_png_fill(&paint->ink, colour, x, y - 0.5, to - from, 1.5);
}

/* The step from the value before, and the extremes within a pixel. */
static void paint_step(const LttPngPaint *paint, const Curve *curve, LttPngColour colour,
		       const LttCounterCell *cell, double before)
{
	double low = to_double(&cell->min);
	double high = to_double(&cell->max);

	if (isfinite(before)) {
		low = MIN(low, before);
		high = MAX(high, before);
	}
	if (isfinite(low) && isfinite(high) && high > low)
		ltt_png_fill(&paint->ink, colour, LTT_PNG_LABEL_WIDTH + cell->bin,
			     get_y(curve, high), 1, get_y(curve, low) - get_y(curve, high));
}

static void paint_curve(const LttPngPaint *paint, Curve *curve)
{
	const LttPngColour colour =
		ltt_png_get_colour(paint->map->names->pdata[curve->row->lane->key.tid]);
	double value = curve->before != NULL ? to_double(&curve->before->last) : NAN;
	double from = 0;
	char most[G_ASCII_DTOSTR_BUF_SIZE];

	find_range(curve);
	for (const LttCounterCell *cell = curve->begin; cell < curve->end; cell++) {
		paint_value(paint, curve, colour, value, from, cell->bin);
		paint_step(paint, curve, colour, cell, value);
		value = to_double(&cell->last);
		from = cell->bin;
	}
	paint_value(paint, curve, colour, value, from, paint->window.n_pixels);
	if (curve->before == NULL && curve->begin == curve->end)
		return;
	ltt_png_write(&paint->ink,
		      &(LttPngText){.x = LTT_PNG_LABEL_WIDTH + 4,
				    .y = curve->row->top + 11,
				    .size = 10,
				    .colour = paint->ink.theme->faint},
		      g_ascii_formatd(most, sizeof(most), "%.15g", curve->most));
}

void ltt_png_paint_counters(const LttPngPaint *paint, const LttCounterPicture *picture)
{
	const LttCounterCell *cells = (const LttCounterCell *)(gpointer)picture->cells->data;

	for (guint i = 0; i < paint->n_rows; i++) {
		Curve curve = {.row = &g_array_index(paint->rows, LttPngRow, i)};
		guint begin = 0;
		guint end;

		if (curve.row->lane == NULL || curve.row->lane->key.kind != LTT_LANE_COUNTER)
			continue;
		for (guint j = 0; j < picture->before->len; j++) {
			const LttCounterCell *cell =
				&g_array_index(picture->before, LttCounterCell, j);

			if (cell->lane == curve.row->lane->id)
				curve.before = cell;
		}
		while (begin < picture->cells->len && cells[begin].lane != curve.row->lane->id)
			begin++;
		end = begin;
		while (end < picture->cells->len && cells[end].lane == curve.row->lane->id)
			end++;
		curve.begin = cells + begin;
		curve.end = cells + end;
		paint_curve(paint, &curve);
	}
}
