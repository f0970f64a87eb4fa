/* distribution-numbers.c - percentiles, histogram and comparison of distributions. */
#include "analysis/distribution-priv.h"

#include "analysis/bucket-priv.h"
#include "base/rank-priv.h"

/* ---- percentiles ---- */

guint64 ltt_distribution_get_percentile(LttDistribution *distribution, double percent)
{
	const guint64 n = ltt_distribution_get_n(distribution);
	LttDurations *kept = ltt_distribution_get_kept(distribution);
	guint64 rank;
	LttRuns runs;

	if (n == 0)
		return 0;
	rank = ltt_rank_of(n, percent);
	if (kept != NULL)
		return ltt_durations_select(kept, (guint)rank - 1);
	ltt_runs_init(&runs, distribution, FALSE);
	for (guint64 before = 0; ltt_runs_next(&runs); before += runs.n) {
		guint64 end;

		if (before + runs.n < rank)
			continue;
		end = ltt_bucket_start(runs.bucket + 1, LTT_BUCKET_BITS);
		return CLAMP(runs.value + (end - runs.value) / 2,
			     ltt_distribution_get_min(distribution),
			     ltt_distribution_get_max(distribution));
	}
	return ltt_distribution_get_max(distribution);
}

/* ---- histogram ---- */

/* Rows of a histogram: buckets of some precision, or several powers of two each. */
typedef struct Scale {
	guint precision;
	guint n_octaves; /* in a row, of precision 0 */
} Scale;

static guint row_of(const Scale *scale, guint64 value)
{
	return ltt_bucket_find(value, scale->precision) / scale->n_octaves;
}

static Scale find_scale(guint64 min, guint64 max, guint max_rows)
{
	Scale scale = {LTT_BUCKET_BITS, 1};

	while (row_of(&scale, max) - row_of(&scale, min) >= max_rows) {
		if (scale.precision > 0)
			scale.precision--;
		else
			scale.n_octaves++;
	}
	return scale;
}

GArray *ltt_distribution_get_histogram(LttDistribution *distribution, guint max_rows)
{
	const guint64 min = ltt_distribution_get_min(distribution);
	const guint64 max = ltt_distribution_get_max(distribution);
	const Scale scale = find_scale(min, max, MAX(max_rows, 1));
	const guint first = row_of(&scale, min);
	GArray *rows = g_array_new(FALSE, TRUE, sizeof(LttHistogramRow));
	LttRuns runs;

	if (ltt_distribution_get_n(distribution) == 0)
		return rows;
	g_array_set_size(rows, row_of(&scale, max) - first + 1);
	for (guint i = 0; i < rows->len; i++) {
		LttHistogramRow *row = &g_array_index(rows, LttHistogramRow, i);
		const guint bucket = (first + i) * scale.n_octaves;

		row->from_ns = ltt_bucket_start(bucket, scale.precision);
		row->to_ns = ltt_bucket_start(bucket + scale.n_octaves, scale.precision);
	}
	ltt_runs_init(&runs, distribution, TRUE);
	while (ltt_runs_next(&runs)) {
		/* The extremes are exact. The bucket of an extreme may begin before it. */
		const guint row = row_of(&scale, MAX(runs.value, min)) - first;

		g_array_index(rows, LttHistogramRow, row).n += runs.n;
	}
	return rows;
}

/* ---- comparison ---- */

/* Sums over both sets, in ascending order. */
typedef struct Ranks {
	double n_before; /* number of durations of the first set so far */
	double u;        /* pairs whose second duration is longer, plus half of the equal pairs */
	double ties;     /* sum of t^3 - t over durations that occur t times */
} Ranks;

static void add_tie(Ranks *ranks, guint64 n_before, guint64 n_after)
{
	const double t = (double)n_before + (double)n_after;

	ranks->u += (double)n_after * (ranks->n_before + (double)n_before / 2);
	ranks->n_before += (double)n_before;
	ranks->ties += t * t * t - t;
}

static Ranks rank_both(LttDistribution *before, LttDistribution *after)
{
	const gboolean by_bucket =
		!ltt_distribution_is_exact(before) || !ltt_distribution_is_exact(after);
	gboolean has_before;
	gboolean has_after;
	Ranks ranks = {0};
	LttRuns first;
	LttRuns second;

	ltt_runs_init(&first, before, by_bucket);
	ltt_runs_init(&second, after, by_bucket);
	has_before = ltt_runs_next(&first);
	has_after = ltt_runs_next(&second);
	while (has_before || has_after) {
		const gboolean takes_before =
			has_before && (!has_after || first.value <= second.value);
		const gboolean takes_after =
			has_after && (!has_before || second.value <= first.value);

		add_tie(&ranks, takes_before ? first.n : 0, takes_after ? second.n : 0);
		has_before = takes_before ? ltt_runs_next(&first) : has_before;
		has_after = takes_after ? ltt_runs_next(&second) : has_after;
	}
	return ranks;
}

gboolean ltt_distribution_compare(LttDistribution *before, LttDistribution *after,
				  LttDistributionChange *change)
{
	const double n1 = (double)ltt_distribution_get_n(before);
	const double n2 = (double)ltt_distribution_get_n(after);
	const double n = n1 + n2;
	double variance;
	double distance;
	Ranks ranks;

	if (n1 < LTT_MIN_COMPARED || n2 < LTT_MIN_COMPARED)
		return FALSE;
	ranks = rank_both(before, after);
	variance = n1 * n2 / 12 * (n + 1 - ranks.ties / (n * (n - 1)));
	distance = MAX(fabs(ranks.u - n1 * n2 / 2) - 0.5, 0);
	change->later_is_longer = ranks.u / (n1 * n2);
	change->p = variance > 0 ? erfc(distance / sqrt(2 * variance)) : 1;
	return TRUE;
}
