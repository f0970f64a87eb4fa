/* ltt-distribution.h - durations: percentiles, histogram, and a statistical test of two sets.
 *
 * A distribution keeps all durations up to a limit; its percentiles are exact. Above the limit it
 * keeps counts instead, in a logarithmic histogram of the kind of HdrHistogram: 128 buckets for each
 * power of two, the middle of which is at most 1/256 (0.4 %) away from any duration in it.
 */
#ifndef LTT_DISTRIBUTION_H
#define LTT_DISTRIBUTION_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct LttDistribution LttDistribution;

/* Durations that are kept: 32 MiB. */
#define LTT_MAX_EXACT_DURATIONS (4 * 1024 * 1024)

/* Maximum relative error of a percentile that is not exact. */
#define LTT_DISTRIBUTION_ERROR (1.0 / 256)

/* Returns: (transfer full): without durations */
LttDistribution *ltt_distribution_new(void);
void ltt_distribution_free(LttDistribution *distribution); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttDistribution, ltt_distribution_free)

void ltt_distribution_add(LttDistribution *distribution, guint64 duration_ns);

/* Adds all durations of @from, which is not changed. */
void ltt_distribution_merge(LttDistribution *distribution, const LttDistribution *from);

/* Replaces the durations by counts now, which takes less memory. */
void ltt_distribution_reduce(LttDistribution *distribution);

/* Return: exact numbers; the times are 0 without durations */
guint64 ltt_distribution_get_n(const LttDistribution *distribution);
guint64 ltt_distribution_get_min(const LttDistribution *distribution);
guint64 ltt_distribution_get_max(const LttDistribution *distribution);
double ltt_distribution_get_mean(const LttDistribution *distribution);

/* Appends the exact sum of the durations in decimal digits. It may have more than 64 bits. */
void ltt_distribution_append_sum(const LttDistribution *distribution, GString *text);

/* Returns: whether percentiles are exact */
gboolean ltt_distribution_is_exact(const LttDistribution *distribution);

/**
 * ltt_distribution_get_percentile:
 * @percent: 0 to 100; a number beyond is read as the nearer of both, and NaN as 0
 *
 * Returns: the least duration that is not below @percent of all of them (the nearest rank, as
 *   percentile_disc() of SQL); 0 without durations
 */
guint64 ltt_distribution_get_percentile(LttDistribution *distribution, double percent);

/* ---- histogram ---- */

/* The durations of [from_ns, to_ns). */
typedef struct LttHistogramRow {
	guint64 from_ns;
	guint64 to_ns; /* G_MAXUINT64: no end */
	guint64 n;
} LttHistogramRow;

/**
 * ltt_distribution_get_histogram:
 * @max_rows: 1 or more
 *
 * Divides the range of durations into rows of a power of two, or of a part of one if the range is
 * narrow: as fine as @max_rows allows. Rows without durations occur between others, but not at the
 * ends.
 *
 * Returns: (transfer full) (element-type LttHistogramRow): free it with g_array_unref()
 */
GArray *ltt_distribution_get_histogram(LttDistribution *distribution, guint max_rows);

/* ---- two sets ---- */

/* Minimum number of durations of each set in a comparison; below it the normal approximation of the
 * test is poor. */
#define LTT_MIN_COMPARED 8

/* The outcome of a Mann-Whitney U test. */
typedef struct LttDistributionChange {
	double later_is_longer; /* the probability that a duration of the second set is longer than
				 * one of the first, and half the probability that they are equal:
				 * 0.5 if nothing changed */
	double p;               /* two-sided: the probability of such a difference, or a larger one,
				 * if both sets come from the same distribution */
} LttDistributionChange;

/**
 * ltt_distribution_compare:
 * @change: (out): set on success
 *
 * Compares two sets by the Mann-Whitney U test, with the normal approximation, a correction for
 * ties, and one for continuity. Durations in one bucket of a set that is not exact count as ties.
 * The test assumes independent durations.
 *
 * Returns: FALSE, with @change not set, if a set has less than LTT_MIN_COMPARED durations
 */
gboolean ltt_distribution_compare(LttDistribution *before, LttDistribution *after,
				  LttDistributionChange *change);

G_END_DECLS

#endif /* LTT_DISTRIBUTION_H */
