/* losses-priv.h - count the events lost in a part of a tracefile.
 *
 * The tracer records running totals from the beginning of the recording (doc/format.md, 11.2). The
 * losses in a part are the difference of the totals at its two ends.
 */
#ifndef LTT_ANALYSIS_LOSSES_PRIV_H
#define LTT_ANALYSIS_LOSSES_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/losses-priv.h is private to libltt"
#endif

#include "reader/block-priv.h"

typedef struct LttLosses {
	guint64 before; /* the greatest total before the part, */
	guint64 within; /* and in it; 0: none recorded */
} LttLosses;

/* Returns: the total at the start of the block at @position, the first block of the part; @within
 * is 0 */
LttLosses ltt_losses_before(LttTracefile *tracefile, guint64 position);

/* Adds the totals of a part. */
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
