/* losses-priv.h - how many events were lost in what is looked at of a tracefile.
 *
 * The tracer tells running totals, from the beginning of the recording (doc/format.md, 11.2). What
 * was lost in a part of it is the difference of the totals at its two ends.
 */
#ifndef LTT_ANALYSIS_LOSSES_PRIV_H
#define LTT_ANALYSIS_LOSSES_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/losses-priv.h is private to libltt"
#endif

#include "reader/block-priv.h"

typedef struct LttLosses {
	guint64 before; /* the greatest total that holds before what is looked at, */
	guint64 within; /* and in it; 0: none is told */
} LttLosses;

/* The total that was known when the block at @position began, which is the first that is looked at;
 * nothing within. */
LttLosses ltt_losses_before(LttTracefile *tracefile, guint64 position);

/* Takes what is known of a part. */
static inline void ltt_losses_add(LttLosses *to, const LttLosses *part)
{
	to->before = MAX(to->before, part->before);
	to->within = MAX(to->within, part->within);
}

static inline guint64 ltt_losses_get(const LttLosses *losses)
{
	return MAX(losses->within, losses->before) - losses->before;
}

#endif
