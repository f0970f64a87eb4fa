/* durations.c - see durations-priv.h.
 *
 * To find one rank of many durations they are counted by bucket, and only those in the bucket of the
 * rank are sorted.
 */
#include "analysis/durations-priv.h"

#include "analysis/bucket-priv.h"

#include <string.h>

/* Digits of the sort: of few durations, where clearing the counts would take longer, and of many. */
#define FEW_BITS  8
#define MANY_BITS 11
#define MANY      4096

#define FIRST_PLACES 16

void ltt_durations_clear(LttDurations *durations)
{
	g_free(durations->values);
	g_free(durations->counts);
	*durations = (LttDurations){.n = 0};
}

void ltt_durations_add(LttDurations *durations, const guint64 *values, guint n)
{
	if (durations->n_places - durations->n < n) {
		durations->n_places =
			MAX(MAX(2 * durations->n_places, FIRST_PLACES), durations->n + n);
		durations->values = g_renew(guint64, durations->values, durations->n_places);
	}
	for (guint i = 0; i < n; i++)
		durations->values[durations->n++] = values[i];
	durations->is_sorted = FALSE;
	if (G_UNLIKELY(durations->counts != NULL))
		g_clear_pointer(&durations->counts, g_free);
}

/* ---- sorting ---- */

/* Radix sort, the lowest digit first. */
static void sort(guint64 *values, guint n)
{
	const guint bits = n < MANY ? FEW_BITS : MANY_BITS;
	const guint n_digits = (guint)1 << bits;
	g_autofree guint64 *other = g_new(guint64, n);
	guint64 *from = values;
	guint64 *to = other;
	guint64 differing = 0;
	guint32 at[1 << MANY_BITS];

	for (guint i = 1; i < n; i++)
		differing |= values[i] ^ values[0];
	for (guint shift = 0; shift < 64 && differing >> shift != 0; shift += bits) {
		guint32 before = 0;
		guint64 *swap = from;

		if ((differing >> shift & (n_digits - 1)) == 0)
			continue;
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
	if (from != values)
		memcpy(values, from, n * sizeof(*values));
}

const guint64 *ltt_durations_sort(LttDurations *durations)
{
	if (!durations->is_sorted)
		sort(durations->values, durations->n);
	durations->is_sorted = TRUE;
	return durations->values;
}

/* ---- ranks ---- */

const guint32 *ltt_durations_count(LttDurations *durations)
{
	if (durations->is_sorted || durations->n < MANY)
		return NULL;
	if (durations->counts == NULL) {
		durations->counts = g_new0(guint32, LTT_N_BUCKETS);
		for (guint i = 0; i < durations->n; i++)
			durations->counts[ltt_bucket_find(durations->values[i], LTT_BUCKET_BITS)]++;
	}
	return durations->counts;
}

/* Returns: (transfer full): the durations of a bucket in ascending order. @n: how many */
static guint64 *sort_bucket(const LttDurations *durations, guint bucket, guint n)
{
	const guint64 first = ltt_bucket_start(bucket, LTT_BUCKET_BITS);
	const guint64 last = bucket + 1 < LTT_N_BUCKETS
				     ? ltt_bucket_start(bucket + 1, LTT_BUCKET_BITS) - 1
				     : G_MAXUINT64;
	guint64 *values = g_new(guint64, n);
	guint n_found = 0;

	/* Each one is stored. The next one replaces it unless it is counted. */
	for (guint i = 0; n_found < n; i++) {
		values[n_found] = durations->values[i];
		n_found += durations->values[i] - first <= last - first;
	}
	sort(values, n_found);
	return values;
}

guint64 ltt_durations_select(LttDurations *durations, guint index)
{
	const guint32 *counts = ltt_durations_count(durations);
	g_autofree guint64 *values = NULL;
	guint bucket = 0;

	if (counts == NULL)
		return ltt_durations_sort(durations)[index];
	for (; index >= counts[bucket]; bucket++)
		index -= counts[bucket];
	values = sort_bucket(durations, bucket, counts[bucket]);
	return values[index];
}
