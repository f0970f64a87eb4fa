/* last-times-priv.h - the time of the last event of each member of a joined trace. */
#ifndef LTT_ANALYSIS_LAST_TIMES_PRIV_H
#define LTT_ANALYSIS_LAST_TIMES_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/last-times-priv.h is private to libltt; use <ltt/ltt-span.h>"
#endif

#include <ltt/ltt-event.h>

typedef struct LttLastTimes LttLastTimes;

LttLastTimes *ltt_last_times_new(void);
void ltt_last_times_free(LttLastTimes *times); /* NULL is allowed and ignored */

/* Takes an event, in any order. */
void ltt_last_times_take(LttLastTimes *times, const LttEvent *event);

/* Returns: the latest time of the events that were taken of the trace of @event; 0: there is none */
guint64 ltt_last_times_find(LttLastTimes *times, const LttEvent *event);

#endif
