/* distribution.c - see ltt-distribution.h.
 *
 * A bucket of precision b is one of 2^b parts of a power of two; below 2^b each number has its own.
 * Buckets of a lower precision are unions of those of a higher one.
 *
 *	precision 2   0 1 2 3 | 4 5 6 7 | 8-9 10-11 12-13 14-15 | 16-19 20-23 24-27 28-31 | ...
 *	index         0 1 2 3 | 4 5 6 7 | 8   9     10    11    | 12    13    14    15    | ...
 */
#include "analysis/distribution-priv.h"

#include <string.h>

#define SUB_BUCKETS ((guint)1 << LTT_BUCKET_BITS)
/* Digits of the sort: of few durations, where clearing the counts would take longer, and of many. */
#define FEW_BITS  8
#define MANY_BITS 11
#define MANY      4096

#define FIRST_KEPT 16
#define N_OCTAVES  (64 - LTT_BUCKET_BITS + 1)

struct LttDistribution {
	guint64 n;
	guint64 min;
	guint64 max;
	unsigned __int128 sum;
	gboolean is_reduced; /* to counts: nothing is kept */
	guint64 *kept;       /* NULL: none */
	guint n_kept;
	guint max_kept; /* that there is space for */
	gboolean is_sorted;
	guint64 *octaves[N_OCTAVES]; /* SUB_BUCKETS counts each; NULL: all 0 */
};

guint ltt_bucket_find(guint64 value, guint precision)
{
	guint highest;

	if (value >> precision == 0)
		return (guint)value;
	highest = 63 - (guint)__builtin_clzll(value);
	return ((highest - precision + 1) << precision) +
	       (guint)(value >> (highest - precision) & (((guint64)1 << precision) - 1));
}

guint64 ltt_bucket_start(guint index, guint precision)
{
	const guint octave = index >> precision;
	const guint64 sub = index & (((guint)1 << precision) - 1);

	if (octave == 0)
		return sub;
	if (octave + precision > 64)
		return G_MAXUINT64;
	return (((guint64)1 << precision) + sub) << (octave - 1);
}

LttDistribution *ltt_distribution_new(void)
{
	return g_new0(LttDistribution, 1);
}

void ltt_distribution_free(LttDistribution *distribution)
{
	if (distribution == NULL)
		return;
	g_free(distribution->kept);
	for (guint i = 0; i < N_OCTAVES; i++)
		g_free(distribution->octaves[i]);
	g_free(distribution);
}

/* ---- adding ---- */

static void count(LttDistribution *distribution, guint64 duration_ns, guint64 n)
{
	const guint bucket = ltt_bucket_find(duration_ns, LTT_BUCKET_BITS);
	guint64 **octave = &distribution->octaves[bucket >> LTT_BUCKET_BITS];

	if (*octave == NULL)
		*octave = g_new0(guint64, SUB_BUCKETS);
	(*octave)[bucket & (SUB_BUCKETS - 1)] += n;
}

void ltt_distribution_reduce(LttDistribution *distribution)
{
	for (guint i = 0; i < distribution->n_kept; i++)
		count(distribution, distribution->kept[i], 1);
	g_clear_pointer(&distribution->kept, g_free);
	distribution->n_kept = distribution->max_kept = 0;
	distribution->is_reduced = TRUE;
}

/* Appends durations to those that are kept. */
static void keep(LttDistribution *distribution, const guint64 *durations, guint n)
{
	if (distribution->max_kept - distribution->n_kept < n) {
		distribution->max_kept =
			MAX(MAX(2 * distribution->max_kept, FIRST_KEPT), distribution->n_kept + n);
		distribution->kept = g_renew(guint64, distribution->kept, distribution->max_kept);
	}
	for (guint i = 0; i < n; i++)
		distribution->kept[distribution->n_kept++] = durations[i];
	distribution->is_sorted = FALSE;
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
	if (distribution->n_kept >= LTT_MAX_EXACT_DURATIONS)
		ltt_distribution_reduce(distribution);
	if (distribution->is_reduced)
		count(distribution, duration_ns, 1);
	else
		keep(distribution, &duration_ns, 1);
}

void ltt_distribution_merge(LttDistribution *distribution, const LttDistribution *from)
{
	if (from->n == 0)
		return;
	note_extremes(distribution, from->min, from->max);
	distribution->n += from->n;
	distribution->sum += from->sum;
	if (!distribution->is_reduced && !from->is_reduced &&
	    distribution->n_kept + from->n_kept <= LTT_MAX_EXACT_DURATIONS) {
		keep(distribution, from->kept, from->n_kept);
		return;
	}
	ltt_distribution_reduce(distribution);
	for (guint i = 0; i < from->n_kept; i++)
		count(distribution, from->kept[i], 1);
	for (guint i = 0; from->is_reduced && i < N_OCTAVES * SUB_BUCKETS; i++) {
		const guint64 *octave = from->octaves[i >> LTT_BUCKET_BITS];
		const guint64 n = octave != NULL ? octave[i & (SUB_BUCKETS - 1)] : 0;

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

gboolean ltt_distribution_is_exact(const LttDistribution *distribution)
{
	return !distribution->is_reduced;
}

/* ---- runs ---- */

/* Radix sort, the lowest digit first; skips digits that are 0 in all durations. */
static void sort(LttDistribution *distribution)
{
	const guint n = distribution->n_kept;
	g_autofree guint64 *other = g_new(guint64, n);
	guint64 *from = distribution->kept;
	guint64 *to = other;
	const guint bits = n < MANY ? FEW_BITS : MANY_BITS;
	const guint n_digits = (guint)1 << bits;
	guint32 at[1 << MANY_BITS];

	for (guint shift = 0; shift < 64 && distribution->max >> shift != 0; shift += bits) {
		guint32 before = 0;
		guint64 *swap = from;

		memset(at, 0, n_digits * sizeof(at[0]));
		for (guint i = 0; i < n; i++)
			at[from[i] >> shift & (n_digits - 1)]++;
		for (guint i = 0; i < n_digits; i++) {
			const guint32 n_equal = at[i];

			at[i] = before;
			before += n_equal;
		}
		for (guint i = 0; i < n; i++)
			to[at[from[i] >> shift & (n_digits - 1)]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != distribution->kept)
		memcpy(distribution->kept, from, n * sizeof(guint64));
	distribution->is_sorted = TRUE;
}

const guint64 *ltt_distribution_get_sorted(LttDistribution *distribution)
{
	if (distribution->is_reduced)
		return NULL;
	if (!distribution->is_sorted)
		sort(distribution);
	return distribution->kept;
}

void ltt_runs_init(LttRuns *runs, LttDistribution *distribution, gboolean by_bucket)
{
	*runs = (LttRuns){.distribution = distribution, .by_bucket = by_bucket};
	ltt_distribution_get_sorted(distribution);
}

static gboolean next_kept(LttRuns *runs)
{
	const guint64 *kept = runs->distribution->kept;
	const guint n_kept = runs->distribution->n_kept;
	const guint start = runs->next;
	guint64 first;

	if (start >= n_kept)
		return FALSE;
	first = kept[start];
	runs->bucket = ltt_bucket_find(first, LTT_BUCKET_BITS);
	runs->value = runs->by_bucket ? ltt_bucket_start(runs->bucket, LTT_BUCKET_BITS) : first;
	while (runs->next < n_kept) {
		const guint64 value = kept[runs->next];

		if (value != first &&
		    (!runs->by_bucket || ltt_bucket_find(value, LTT_BUCKET_BITS) != runs->bucket))
			break;
		runs->next++;
	}
	runs->n = runs->next - start;
	return TRUE;
}

gboolean ltt_runs_next(LttRuns *runs)
{
	if (!runs->distribution->is_reduced)
		return next_kept(runs);
	for (; runs->next < N_OCTAVES * SUB_BUCKETS; runs->next++) {
		const guint64 *octave = runs->distribution->octaves[runs->next >> LTT_BUCKET_BITS];

		runs->n = octave != NULL ? octave[runs->next & (SUB_BUCKETS - 1)] : 0;
		if (runs->n == 0)
			continue;
		runs->bucket = runs->next++;
		runs->value = ltt_bucket_start(runs->bucket, LTT_BUCKET_BITS);
		return TRUE;
	}
	return FALSE;
}
