/* points-priv.h - the limits that messages give for the difference of two clocks.
 *
 * x is a time of the first clock; d is how far the second clock is ahead of it. A message to the
 * second clock arrives after it was sent, so the second clock is at most that far ahead: the message
 * is a point above the difference. A message from the second clock is a point below it:
 *
 *	d │    °       °   °      °      above
 *	  │ °     °  °        °
 *	  │─────────────────────────     the difference
 *	  │  •  •     •    •
 *	  │•       •     •      •        below
 *	  └──────────────────────── x
 *
 * Only the points nearest to the difference limit it. The others are dropped.
 */
#ifndef LTT_SYNC_POINTS_PRIV_H
#define LTT_SYNC_POINTS_PRIV_H

#ifndef LTT_BUILDING
#error "sync/points-priv.h is private to libltt; use <ltt/ltt-sync.h>"
#endif

#include <glib.h>

/* Nanoseconds since the first point. A double holds them exactly for 104 days. */
typedef struct LttSyncPoint {
	double x;
	double d;
} LttSyncPoint;

typedef enum LttSyncSide {
	LTT_SYNC_ABOVE,
	LTT_SYNC_BELOW,
} LttSyncSide;
#define LTT_N_SYNC_SIDES 2

/* The points of two clocks, in ascending order of x. */
typedef struct LttSyncPoints {
	guint64 x0_ns;                     /* x = 0 */
	gint64 d0_ns;                      /* d = 0 */
	GArray *sides[LTT_N_SYNC_SIDES];   /* of LttSyncPoint */
	guint64 n_added[LTT_N_SYNC_SIDES]; /* including those dropped */
	double cell_ns;                    /* width of the stretches that were thinned; 0: none */
} LttSyncPoints;

/* @points: (out): empty; clear it */
void ltt_sync_points_init(LttSyncPoints *points);
void ltt_sync_points_clear(LttSyncPoints *points);

/* Adds a message: the time of one clock at one end and of the other clock at the other end. Messages
 * are added in ascending order of @first_ns. */
void ltt_sync_points_add(LttSyncPoints *points, LttSyncSide side, guint64 first_ns,
			 guint64 second_ns);

/* Appends the points of a stretch that a line can touch from the other side: the lower hull of
 * points above, the upper hull of points below. */
void ltt_sync_hull(LttSyncSide side, const LttSyncPoint *points, guint n_points, GArray *hull);

#endif
