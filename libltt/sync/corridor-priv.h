/* corridor-priv.h - the lines between the points above and the points below. */
#ifndef LTT_SYNC_CORRIDOR_PRIV_H
#define LTT_SYNC_CORRIDOR_PRIV_H

#ifndef LTT_BUILDING
#error "sync/corridor-priv.h is private to libltt; use <ltt/ltt-sync.h>"
#endif

#include "sync/points-priv.h"

/* Rates of two clocks that differ by more are taken for an error. Quartz clocks differ by up to
 * 200 ppm, and NTP corrects a clock by up to 500 ppm. */
#define LTT_SYNC_MAX_SLOPE 0.002

/* The lines d = slope * x + start that pass between all points of a stretch. */
typedef struct LttCorridor {
	double slope; /* of the line farthest from all points */
	double start;
	double margin_ns;   /* its distance, in d, from the nearest points */
	double least_slope; /* of all lines */
	double most_slope;
} LttCorridor;

/* @from_x, @to_x: the stretch, including both ends. @corridor: (out): set on success
 * Returns: FALSE if no line passes, or if one side has no points */
gboolean ltt_corridor_find(const LttSyncPoints *points, double from_x, double to_x,
			   LttCorridor *corridor);

/* Finds how far above and below the difference can be at @x. The difference is a line in the stretch, except
 * that its slope can change by up to @wander; so a point limits the line at @x less, the farther away the
 * point is. @most, @least: (out): set on success
 * Returns: FALSE as above */
gboolean ltt_corridor_find_at(const LttSyncPoints *points, double from_x, double to_x, double x,
			      double wander, double *most, double *least);

/* Returns: the index of the first point of a side at @x or later */
guint ltt_sync_points_find(const LttSyncPoints *points, LttSyncSide side, double x);

#endif
