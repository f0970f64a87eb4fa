/* series-priv.h - a series of an XY chart. */
#ifndef LTT_VIEW_TSP_SERIES_PRIV_H
#define LTT_VIEW_TSP_SERIES_PRIV_H

#ifndef LTT_BUILDING
#error "view/tsp/series-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/tsp/call-priv.h"

typedef struct LttTspSeries {
	guint64 id;
	const char *name;
	const char *type;   /* "bar" or "line" */
	const char *colour; /* "#rrggbb" */
	const char *values; /* JSON: one of each bin of the window, with commas between them */
} LttTspSeries;

/* Appends a series; its x values are the first times of the bins. */
void ltt_tsp_append_series(GString *out, const LttTspWindow *window, const LttTspSeries *series);

#endif
