/* stat-run-priv.h - count consecutive events of a block that are all selected.
 *
 * The number of events, their bytes and the span of their times are differences between the two ends
 * of the run. Only gaps, and the sums of types that alternate, take work for each event.
 */
#ifndef LTT_ANALYSIS_STAT_RUN_PRIV_H
#define LTT_ANALYSIS_STAT_RUN_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/stat-run-priv.h is private to libltt; use <ltt/ltt-stat.h>"
#endif

#include "analysis/stat-priv.h"
#include "reader/block-priv.h"

/* The action for the events of an id. */
typedef enum LttStatAction {
	LTT_STAT_PASS = 0,
	LTT_STAT_COUNT = 1,
	LTT_STAT_ASK = 2,  /* evaluate the filter, and count the events that match */
	LTT_STAT_LOST = 4, /* note the running total; in addition to the others */
} LttStatAction;

typedef struct LttStatCounter {
	guint action; /* LttStatAction, or several */
	LttStatCount count;
} LttStatCounter;

static inline void ltt_stat_count_one(LttStatCount *count, guint64 time_ns, guint32 n_bytes)
{
	count->n_events++;
	count->n_bytes += n_bytes;
	count->first_ns = MIN(count->first_ns, time_ns);
	count->last_ns = MAX(count->last_ns, time_ns);
}

typedef struct LttStatRun {
	LttStatCount count;
	guint64 head_ns; /* time of the first event and of the last one */
	guint64 tail_ns;
	gint64 gap_ns; /* the longest one between two of them */
	guint64 gap_start_ns;
	gint64 signs; /* negative if a time is before the previous one */
} LttStatRun;

/* Where types alternate, runs of one type are short. After a shorter run than this, the next this
 * many events are counted one by one. */
#define LTT_STAT_MIN_RUN      8
#define LTT_STAT_MIXED_EVENTS 256

/* Counts the events from @first on that have the type of the first one, up to @end. Returns: the run */
LttStatRun ltt_stat_count_same(const LttBlock *block, LttStatCounter *counter, guint32 first,
			       guint32 end);

/* The same for events of any types whose action is LTT_STAT_COUNT. @counters: by id */
LttStatRun ltt_stat_count_mixed(const LttBlock *block, LttStatCounter *counters, guint32 first,
				guint32 end);

#endif
