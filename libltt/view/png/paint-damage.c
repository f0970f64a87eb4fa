/* paint-damage.c - hatches the damaged stretches of a tracefile in the lane of its CPU or thread, as the page does. */
#include "view/damage-priv.h"
#include "view/png/paint-priv.h"

#include <math.h>

/* Pixels between two lines of the hatching */
#define HATCH 6

/* Fills two of HATCH pixels of each line. Lines go down to the left. */
static void hatch(const LttPngPaint *paint, gint left, gint right, gint top, gint bottom)
{
	cairo_t *cairo = paint->ink.cairo;
	const LttPngColour colour = paint->ink.theme->bad;

	cairo_save(cairo);
	cairo_rectangle(cairo, left, top, right - left, bottom - top);
	cairo_clip(cairo);
	for (gint y = top; y < bottom; y++)
		for (gint x = left - (left + y + 1) % HATCH; x < right; x += HATCH)
			cairo_rectangle(cairo, x, y, 2, 1);
	cairo_set_source_rgb(cairo, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0);
	cairo_fill(cairo);
	cairo_restore(cairo);
}

static void paint_damage(const LttPngPaint *paint, const LttPngRow *row,
			 const LttViewDamage *damage)
{
	double x;
	double end_x;
	gint left;
	gint right;

	/* A stretch of length 0 is drawn at its begin. */
	if (!ltt_png_clip(paint, damage->from_ns, MAX(damage->to_ns, damage->from_ns + 1), &x,
			  &end_x))
		return;
	left = (gint)floor(MAX(x, LTT_PNG_LABEL_WIDTH));
	right = MAX((gint)ceil(MIN(end_x, paint->width)), left + 2);
	hatch(paint, left, right, (gint)row->top, (gint)(row->top + row->height) - 1);
}

void ltt_png_paint_damage(const LttPngPaint *paint)
{
	const GArray *damages = paint->map->damages;

	for (guint i = 0; i < damages->len; i++) {
		const LttViewDamage *damage = &g_array_index(damages, LttViewDamage, i);
		const LttPngRow *row = damage->lane != LTT_VIEW_NO_LANE
					       ? ltt_png_get_row(paint, damage->lane)
					       : NULL;

		if (row != NULL)
			paint_damage(paint, row, damage);
	}
}
