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
#define N_OCTAVES   (64 - LTT_BUCKET_BITS + 1)

struct LttDistribution {
	guint64 n;
	guint64 min;
	guint64 max;
	unsigned __int128 sum;
	GArray *kept; /* of guint64; NULL: reduced to counts */
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
	LttDistribution *distribution = g_new0(LttDistribution, 1);

	distribution->kept = g_array_new(FALSE, FALSE, sizeof(guint64));
	return distribution;
}

void ltt_distribution_free(LttDistribution *distribution)
{
	if (distribution == NULL)
		return;
	g_clear_pointer(&distribution->kept, g_array_unref);
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
	if (distribution->kept == NULL)
		return;
	for (guint i = 0; i < distribution->kept->len; i++)
		count(distribution, g_array_index(distribution->kept, guint64, i), 1);
	g_clear_pointer(&distribution->kept, g_array_unref);
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
	if (distribution->kept != NULL && distribution->kept->len >= LTT_MAX_EXACT_DURATIONS)
		ltt_distribution_reduce(distribution);
	if (distribution->kept == NULL) {
		count(distribution, duration_ns, 1);
		return;
	}
	g_array_append_val(distribution->kept, duration_ns);
	distribution->is_sorted = FALSE;
}

void ltt_distribution_merge(LttDistribution *distribution, const LttDistribution *from)
{
	if (from->n == 0)
		return;
	note_extremes(distribution, from->min, from->max);
	distribution->n += from->n;
	distribution->sum += from->sum;
	if (distribution->kept != NULL && from->kept != NULL &&
	    distribution->kept->len + from->kept->len <= LTT_MAX_EXACT_DURATIONS) {
		g_array_append_vals(distribution->kept, from->kept->data, from->kept->len);
		distribution->is_sorted = FALSE;
		return;
	}
	ltt_distribution_reduce(distribution);
	for (guint i = 0; from->kept != NULL && i < from->kept->len; i++)
		count(distribution, g_array_index(from->kept, guint64, i), 1);
	for (guint i = 0; from->kept == NULL && i < N_OCTAVES * SUB_BUCKETS; i++) {
		const guint64 *octave = from->octaves[i >> LTT_BUCKET_BITS];
		const guint64 n = octave != NULL ? octave[i & (SUB_BUCKETS - 1)] : 0;

		if (n > 0)
			count(distribution, ltt_bucket_start(i, LTT_BUCKET_BITS), n);
	}
}

/* ---- numbers ---- */

gsize ltt_distribution_get_n_kept(const LttDistribution *distribution)
{
	return distribution->kept != NULL ? distribution->kept->len : 0;
}

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
	return distribution->kept != NULL;
}

/* ---- runs ---- */

/* Radix sort by bytes, the lowest first; skips bytes that are 0 in all durations. */
static void sort(LttDistribution *distribution)
{
	GArray *kept = distribution->kept;
	g_autofree guint64 *other = g_new(guint64, kept->len);
	guint64 *from = (guint64 *)(gpointer)kept->data;
	guint64 *to = other;

	for (guint shift = 0; shift < 64 && distribution->max >> shift != 0; shift += 8) {
		guint32 at[256] = {0};
		guint32 before = 0;
		guint64 *swap = from;

		for (guint i = 0; i < kept->len; i++)
			at[from[i] >> shift & 255]++;
		for (guint i = 0; i < G_N_ELEMENTS(at); i++) {
			const guint32 n = at[i];

			at[i] = before;
			before += n;
		}
		for (guint i = 0; i < kept->len; i++)
			to[at[from[i] >> shift & 255]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != (guint64 *)(gpointer)kept->data)
		memcpy(kept->data, from, kept->len * sizeof(guint64));
	distribution->is_sorted = TRUE;
}

const guint64 *ltt_distribution_get_sorted(LttDistribution *distribution)
{
	if (distribution->kept == NULL)
		return NULL;
	if (!distribution->is_sorted)
		sort(distribution);
	return (const guint64 *)(gpointer)distribution->kept->data;
}

void ltt_runs_init(LttRuns *runs, LttDistribution *distribution, gboolean by_bucket)
{
	*runs = (LttRuns){.distribution = distribution, .by_bucket = by_bucket};
	ltt_distribution_get_sorted(distribution);
}

static gboolean next_kept(LttRuns *runs)
{
	const GArray *kept = runs->distribution->kept;
	const guint start = runs->next;
	guint64 first;

	if (start >= kept->len)
		return FALSE;
	first = g_array_index(kept, guint64, start);
	runs->bucket = ltt_bucket_find(first, LTT_BUCKET_BITS);
	runs->value = runs->by_bucket ? ltt_bucket_start(runs->bucket, LTT_BUCKET_BITS) : first;
	while (runs->next < kept->len) {
		const guint64 value = g_array_index(kept, guint64, runs->next);

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
	if (runs->distribution->kept != NULL)
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
