/* stretches-priv.h - the first estimate of a relation: lines in stretches, joined at knots. */
#ifndef LTT_SYNC_STRETCHES_PRIV_H
#define LTT_SYNC_STRETCHES_PRIV_H

#ifndef LTT_BUILDING
#error "sync/stretches-priv.h is private to libltt; use <ltt/ltt-sync.h>"
#endif

#include "sync/points-priv.h"

/* A point of the first estimate. */
typedef struct LttSyncMark {
	double x;
	double d;
	double most; /* limits of the difference at x */
	double least;
	gboolean is_knot; /* of the estimate; else between two knots, for its limits */
	double drift; /* from here to the next mark: how much the rate of the difference can differ
		       * from that of the estimate, apart from the wander */
} LttSyncMark;

/* Returns: (transfer full) (nullable) (element-type LttSyncMark): 2 or more, from the first point to the
 *   last; NULL if a side has no points, or no line fits a stretch: @bad_x */
GArray *ltt_sync_find_marks(const LttSyncPoints *points, double wander, double *bad_x);

/* Gets the x of the first and the last point. Returns: FALSE if a side has none */
gboolean ltt_sync_points_get_range(const LttSyncPoints *points, double *first, double *last);

#endif
