/* state-tally-priv.h - add up stretches of threads by state and by cause. */
#ifndef LTT_ANALYSIS_STATE_TALLY_PRIV_H
#define LTT_ANALYSIS_STATE_TALLY_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/state-tally-priv.h is private to libltt; use <ltt/ltt-state-sums.h>"
#endif

#include <ltt/ltt-state-sums.h>

typedef struct LttTally LttTally;

LttTally *ltt_tally_new(void);
void ltt_tally_free(LttTally *tally); /* NULL is allowed and ignored */

static inline void ltt_state_time_add(LttStateTime *time, guint64 length_ns)
{
	time->total_ns += length_ns;
	time->n++;
	time->longest_ns = MAX(time->longest_ns, length_ns);
}

/* Adds the part of a stretch in [from, to), unless it is empty. Its system calls and page faults count
 * fully even if a part of the stretch is outside. */
void ltt_tally_add(LttTally *tally, const LttStretch *stretch, guint64 from_ns, guint64 to_ns);

/* @out: (out): free its contents with ltt_state_tally_clear() */
void ltt_tally_finish(const LttTally *tally, LttStateTally *out);
void ltt_state_tally_clear(LttStateTally *tally);

#endif
