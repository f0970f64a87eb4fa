/* pixels.c - the bins of pixels, which come in any order (window-priv.h). */
#include "view/window-priv.h"

void ltt_view_pixel_merge(LttViewBin *bin, const LttViewBin *added)
{
	bin->n += added->n;
	bin->covered_ns += added->covered_ns;
	if (added->longest_ns >= bin->longest_ns) {
		bin->longest_ns = added->longest_ns;
		bin->name = added->name;
	}
}

static gint compare_bins(gconstpointer a, gconstpointer b)
{
	const LttViewBin *first = a;
	const LttViewBin *second = b;

	if (first->lane != second->lane)
		return first->lane < second->lane ? -1 : 1;
	if (first->depth != second->depth)
		return first->depth < second->depth ? -1 : 1;
	return (first->pixel > second->pixel) - (first->pixel < second->pixel);
}

void ltt_view_pixels_join(GArray *bins)
{
	LttViewBin *all = (LttViewBin *)(gpointer)bins->data;
	guint n = 0;

	g_array_sort(bins, compare_bins);
	for (guint i = 0; i < bins->len; i++) {
		if (n > 0 && compare_bins(&all[n - 1], &all[i]) == 0)
			ltt_view_pixel_merge(&all[n - 1], &all[i]);
		else
			all[n++] = all[i];
	}
	g_array_set_size(bins, n);
}
