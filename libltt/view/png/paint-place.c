/* paint-place.c - where times and lanes are in a picture. */
#include "view/png/paint-priv.h"

double ltt_png_get_x(const LttPngPaint *paint, guint64 time_ns)
{
	const LttViewWindow *window = &paint->window;
	const double after_ns = time_ns >= window->from_ns ? (double)(time_ns - window->from_ns)
							   : -(double)(window->from_ns - time_ns);

	return LTT_PNG_LABEL_WIDTH +
	       after_ns / (double)(window->to_ns - window->from_ns) * window->n_pixels;
}

const LttPngRow *ltt_png_get_row(const LttPngPaint *paint, guint lane)
{
	if (lane >= paint->map->lanes->len || paint->row_of_lane[lane] < 0)
		return NULL;
	return &g_array_index(paint->rows, LttPngRow, (guint)paint->row_of_lane[lane]);
}

gboolean ltt_png_clip(const LttPngPaint *paint, guint64 begin_ns, guint64 end_ns, double *x,
		      double *end_x)
{
	*x = MAX(ltt_png_get_x(paint, begin_ns), LTT_PNG_LABEL_WIDTH - 2);
	*end_x = MIN(ltt_png_get_x(paint, end_ns), paint->width + 2.0);
	return end_ns >= paint->window.from_ns && begin_ns < paint->window.to_ns;
}
