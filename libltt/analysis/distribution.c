/* distribution.c - see ltt-distribution.h. */
#include "analysis/distribution-priv.h"

#include "analysis/bucket-priv.h"
#include "analysis/durations-priv.h"

struct LttDistribution {
	guint64 n;
	guint64 min;
	guint64 max;
	unsigned __int128 sum;
	gboolean is_reduced; /* to counts: nothing is kept */
	LttDurations kept;
	guint64 *octaves[LTT_N_OCTAVES]; /* LTT_SUB_BUCKETS counts each; NULL: all 0 */
};

LttDistribution *ltt_distribution_new(void)
{
	return g_new0(LttDistribution, 1);
}

void ltt_distribution_free(LttDistribution *distribution)
{
	if (distribution == NULL)
		return;
	ltt_durations_clear(&distribution->kept);
	for (guint i = 0; i < LTT_N_OCTAVES; i++)
		g_free(distribution->octaves[i]);
	g_free(distribution);
}

/* ---- adding ---- */

static void count(LttDistribution *distribution, guint64 duration_ns, guint64 n)
{
	const guint bucket = ltt_bucket_find(duration_ns, LTT_BUCKET_BITS);
	guint64 **octave = &distribution->octaves[bucket >> LTT_BUCKET_BITS];

	if (*octave == NULL)
		*octave = g_new0(guint64, LTT_SUB_BUCKETS);
	(*octave)[bucket & (LTT_SUB_BUCKETS - 1)] += n;
}

void ltt_distribution_reduce(LttDistribution *distribution)
{
	for (guint i = 0; i < distribution->kept.n; i++)
		count(distribution, distribution->kept.values[i], 1);
	ltt_durations_clear(&distribution->kept);
	distribution->is_reduced = TRUE;
}

static void note_extremes(LttDistribution *distribution, guint64 min, guint64 max)
{
	distribution->min = distribution->n == 0 ? min : MIN(distribution->min, min);
	distribution->max = MAX(distribution->max, max);
}

void ltt_distribution_add(LttDistribution *distribution, guint64 duration_ns)
{
	note_extremes(distribution, duration_ns, duration_ns);
	distribution->n++;
	distribution->sum += duration_ns;
	if (distribution->kept.n >= LTT_MAX_EXACT_DURATIONS)
		ltt_distribution_reduce(distribution);
	if (distribution->is_reduced)
		count(distribution, duration_ns, 1);
	else
		ltt_durations_add(&distribution->kept, &duration_ns, 1);
}

void ltt_distribution_merge(LttDistribution *distribution, const LttDistribution *from)
{
	if (from->n == 0)
		return;
	note_extremes(distribution, from->min, from->max);
	distribution->n += from->n;
	distribution->sum += from->sum;
	if (!distribution->is_reduced && !from->is_reduced &&
	    distribution->kept.n + from->kept.n <= LTT_MAX_EXACT_DURATIONS) {
		ltt_durations_add(&distribution->kept, from->kept.values, from->kept.n);
		return;
	}
	ltt_distribution_reduce(distribution);
	for (guint i = 0; i < from->kept.n; i++)
		count(distribution, from->kept.values[i], 1);
	for (guint i = 0; from->is_reduced && i < LTT_N_OCTAVES * LTT_SUB_BUCKETS; i++) {
		const guint64 *octave = from->octaves[i >> LTT_BUCKET_BITS];
		const guint64 n = octave != NULL ? octave[i & (LTT_SUB_BUCKETS - 1)] : 0;

		if (n > 0)
			count(distribution, ltt_bucket_start(i, LTT_BUCKET_BITS), n);
	}
}

/* ---- numbers ---- */

guint64 ltt_distribution_get_n(const LttDistribution *distribution)
{
	return distribution->n;
}

guint64 ltt_distribution_get_min(const LttDistribution *distribution)
{
	return distribution->min;
}

guint64 ltt_distribution_get_max(const LttDistribution *distribution)
{
	return distribution->max;
}

double ltt_distribution_get_mean(const LttDistribution *distribution)
{
	return distribution->n > 0 ? (double)distribution->sum / (double)distribution->n : 0;
}

/* The sum is written in groups of digits, of which each fits in 64 bits. */
#define GROUP_DIGITS 19
#define GROUP_BASE   G_GUINT64_CONSTANT(10000000000000000000)

void ltt_distribution_append_sum(const LttDistribution *distribution, GString *text)
{
	guint64 groups[3];
	unsigned __int128 rest = distribution->sum;
	guint n = 0;

	do {
		groups[n++] = (guint64)(rest % GROUP_BASE);
		rest /= GROUP_BASE;
	} while (rest > 0);
	g_string_append_printf(text, "%" G_GUINT64_FORMAT, groups[--n]);
	while (n > 0)
		g_string_append_printf(text, "%0*" G_GUINT64_FORMAT, GROUP_DIGITS, groups[--n]);
}

gboolean ltt_distribution_is_exact(const LttDistribution *distribution)
{
	return !distribution->is_reduced;
}

/* ---- order ---- */

LttDurations *ltt_distribution_get_kept(LttDistribution *distribution)
{
	return distribution->is_reduced ? NULL : &distribution->kept;
}

void ltt_runs_init(LttRuns *runs, LttDistribution *distribution, gboolean by_bucket)
{
	*runs = (LttRuns){.distribution = distribution, .by_bucket = by_bucket};
	if (distribution->is_reduced)
		return;
	if (by_bucket)
		runs->counts = ltt_durations_count(&distribution->kept);
	if (runs->counts == NULL)
		runs->sorted = ltt_durations_sort(&distribution->kept);
}

static gboolean next_kept(LttRuns *runs)
{
	const guint n_kept = runs->distribution->kept.n;
	const guint start = runs->next;
	guint64 first;

	if (start >= n_kept)
		return FALSE;
	first = runs->sorted[start];
	runs->bucket = ltt_bucket_find(first, LTT_BUCKET_BITS);
	runs->value = runs->by_bucket ? ltt_bucket_start(runs->bucket, LTT_BUCKET_BITS) : first;
	while (runs->next < n_kept) {
		const guint64 value = runs->sorted[runs->next];

		if (value != first &&
		    (!runs->by_bucket || ltt_bucket_find(value, LTT_BUCKET_BITS) != runs->bucket))
			break;
		runs->next++;
	}
	runs->n = runs->next - start;
	return TRUE;
}

static guint64 count_bucket(const LttRuns *runs, guint bucket)
{
	const guint64 *octave = runs->distribution->octaves[bucket >> LTT_BUCKET_BITS];

	if (runs->counts != NULL)
		return runs->counts[bucket];
	return octave != NULL ? octave[bucket & (LTT_SUB_BUCKETS - 1)] : 0;
}

gboolean ltt_runs_next(LttRuns *runs)
{
	if (runs->sorted != NULL)
		return next_kept(runs);
	for (; runs->next < LTT_N_BUCKETS; runs->next++) {
		runs->n = count_bucket(runs, runs->next);
		if (runs->n == 0)
			continue;
		runs->bucket = runs->next++;
		runs->value = ltt_bucket_start(runs->bucket, LTT_BUCKET_BITS);
		return TRUE;
	}
	return FALSE;
}
