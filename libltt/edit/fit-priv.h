/* fit-priv.h - find a time value after some events that reproduces their times exactly.
 *
 * The times of events at the end of an open block are extrapolated with a rate from elsewhere
 * (doc/format.md, 6.4). To finish the block, or to end it earlier, the writer needs a time value
 * with which interpolation (6.3) gives the same times.
 */
#ifndef LTT_FIT_PRIV_H
#define LTT_FIT_PRIV_H

#ifndef LTT_BUILDING
#error "edit/fit-priv.h is private to libltt"
#endif

#include "reader/clock-priv.h"

/* Cycle count and time of an event. */
typedef LttTimeValue LttInstant;

/**
 * ltt_fit:
 * @from: the time value before the events
 * @events: (array length=n_events): the events after @from, in any order
 * @to: (out): a time value, not later than the latest of @from and the events
 *
 * Returns: FALSE if no time value that can be written reproduces the times
 */
gboolean ltt_fit(const LttTimeValue *from, const LttInstant *events, gsize n_events,
		 LttTimeValue *to);

#endif
