/* fit-priv.h - a time value behind some events that gives each of them exactly the time it has.
 *
 * The events at the end of an open block have their times by a rate that comes from elsewhere
 * (doc/format.md, 6.4). To close the block, or to end it earlier than it did, a time value is
 * needed from which a reader gets the same times by 6.3.
 */
#ifndef LTT_FIT_PRIV_H
#define LTT_FIT_PRIV_H

#ifndef LTT_BUILDING
#error "edit/fit-priv.h is private to libltt"
#endif

#include "reader/clock-priv.h"

/* The cycle count and the time of an event. */
typedef LttTimeValue LttInstant;

/**
 * ltt_fit:
 * @from: the time value before the events
 * @events: (array length=n_events): behind it, in any order
 * @to: (out): a time value; not later than the latest of @from and the events
 *
 * Returns: FALSE if there is none that can be written
 */
gboolean ltt_fit(const LttTimeValue *from, const LttInstant *events, gsize n_events,
		 LttTimeValue *to);

#endif
