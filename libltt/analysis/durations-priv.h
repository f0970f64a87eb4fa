/* durations-priv.h - an array of durations, from which callers request single ranks or all
 * values. */
#ifndef LTT_ANALYSIS_DURATIONS_PRIV_H
#define LTT_ANALYSIS_DURATIONS_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/durations-priv.h is private to libltt; use <ltt/ltt-distribution.h>"
#endif

#include <glib.h>

typedef struct LttDurations {
	guint64 *values;
	guint n;
	guint n_places; /* that there is space for */
	gboolean is_sorted;
	guint32 *counts; /* of LTT_N_BUCKETS buckets; NULL: not counted */
} LttDurations;

void ltt_durations_clear(LttDurations *durations);
void ltt_durations_add(LttDurations *durations, const guint64 *values, guint n);

/* Returns: the durations in ascending order */
const guint64 *ltt_durations_sort(LttDurations *durations);

/* Returns: (transfer none) (nullable): how many are in each bucket; NULL: it is as fast to sort them */
const guint32 *ltt_durations_count(LttDurations *durations);

/* Returns: the duration at @index of the ascending order. Does not sort many durations for that */
guint64 ltt_durations_select(LttDurations *durations, guint index);

#endif
