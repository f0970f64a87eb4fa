/* distribution-priv.h - the durations of a distribution in ascending order, and their buckets. */
#ifndef LTT_ANALYSIS_DISTRIBUTION_PRIV_H
#define LTT_ANALYSIS_DISTRIBUTION_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/distribution-priv.h is private to libltt; use <ltt/ltt-distribution.h>"
#endif

#include <ltt/ltt-distribution.h>

/* Precision of the counts that a distribution keeps above its limit. */
#define LTT_BUCKET_BITS 7

/* Returns: the index of the bucket of a value, and the least value of a bucket; G_MAXUINT64 after
 * the last bucket. @precision: 0 to LTT_BUCKET_BITS */
guint ltt_bucket_find(guint64 value, guint precision);
guint64 ltt_bucket_start(guint index, guint precision);

/* Returns: (nullable): the durations in ascending order; NULL: the distribution has only counts */
const guint64 *ltt_distribution_get_sorted(LttDistribution *distribution);

/* Iterates over runs of equal durations, or of durations in one bucket. */
typedef struct LttRuns {
	LttDistribution *distribution;
	gboolean by_bucket;
	guint next;
	/* The current run: */
	guint bucket;  /* index, of precision LTT_BUCKET_BITS */
	guint64 value; /* the durations; of a bucket, its start */
	guint64 n;
} LttRuns;

/* Sorts the distribution. @by_bucket: iterate over buckets even if the durations are kept. */
void ltt_runs_init(LttRuns *runs, LttDistribution *distribution, gboolean by_bucket);

/* Returns: FALSE at the end */
gboolean ltt_runs_next(LttRuns *runs);

#endif
