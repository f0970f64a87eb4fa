/* relation-priv.h - the difference of two clocks over time, and how far it can be wrong.
 *
 * Clocks drift apart evenly for a while, and then at another rate: a quartz follows its temperature,
 * and NTP corrects the rate. So the relation is found in stretches that overlap, each just so long
 * that the messages in it determine the rate:
 *
 *	 1. corridor (corridor-priv.h) of each stretch; the lines are joined at the middles of the
 *	    stretches, the knots;
 *	 2. around this first estimate, every message limits the difference at its time, and, less and
 *	    less tightly, before and after, because the rates of the clocks differ from the estimate
 *	    by a known amount at most. At some marks, all messages of a stretch limit it together: to
 *	    what the lines have there that none of them contradicts;
 *	 3. the knots move to the middle between the tightest limits; half of their distance is the
 *	    bound;
 *	 4. at both ends, the line gets a slope that the messages allow, because it goes on there.
 *
 * The bound holds if the rate of neither clock changes, within a stretch, by more than the wander.
 */
#ifndef LTT_SYNC_RELATION_PRIV_H
#define LTT_SYNC_RELATION_PRIV_H

#ifndef LTT_BUILDING
#error "sync/relation-priv.h is private to libltt; use <ltt/ltt-sync.h>"
#endif

#include "sync/points-priv.h"

/* A point of the relation. Between two knots it is a straight line. */
typedef struct LttSyncKnot {
	double x;
	double d;
	double bound_ns; /* from this knot to both neighbours */
} LttSyncKnot;

typedef struct LttSyncRelation {
	GArray *knots;      /* of LttSyncKnot: 2 or more */
	double first_drift; /* ns per ns: how fast the bound grows before the first knot */
	double last_drift;  /* and after the last one */
	double wander; /* ns per ns: the one that was requested, or more if that does not fit */
} LttSyncRelation;

/* @wander: in ns per ns, more than 0. @relation: (out): set on success; clear it. @bad_x: (out): set on
 *   failure: where no difference fits
 * Returns: FALSE if one side has no points, or if no clocks of such a wander fit the messages */
gboolean ltt_sync_relate(const LttSyncPoints *points, double wander, LttSyncRelation *relation,
			 double *bad_x);
void ltt_sync_relation_clear(LttSyncRelation *relation);

#endif
