/* distribution-priv.h - the durations of a distribution, and runs of them. */
#ifndef LTT_ANALYSIS_DISTRIBUTION_PRIV_H
#define LTT_ANALYSIS_DISTRIBUTION_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/distribution-priv.h is private to libltt; use <ltt/ltt-distribution.h>"
#endif

#include "analysis/durations-priv.h"

#include <ltt/ltt-distribution.h>

/* Returns: (nullable): the durations; NULL: the distribution has only counts */
LttDurations *ltt_distribution_get_kept(LttDistribution *distribution);

/* Iterates over runs of equal durations, or of durations in one bucket. */
typedef struct LttRuns {
	LttDistribution *distribution;
	gboolean by_bucket;
	const guint32 *counts; /* of kept durations in buckets; NULL: see `sorted` */
	const guint64 *sorted; /* kept durations; NULL: only counts */
	guint next;
	/* The current run: */
	guint bucket;  /* index, of precision LTT_BUCKET_BITS */
	guint64 value; /* the durations; of a bucket, its start */
	guint64 n;
} LttRuns;

/* @by_bucket: iterate over buckets even if the durations are kept. */
void ltt_runs_init(LttRuns *runs, LttDistribution *distribution, gboolean by_bucket);

/* Returns: FALSE at the end */
gboolean ltt_runs_next(LttRuns *runs);

#endif
