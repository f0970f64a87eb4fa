/* bucket-priv.h - buckets of numbers, whose width is in proportion to the numbers.
 *
 * A bucket of precision b is one of 2^b parts of a power of two; below 2^b each number has its own.
 * Buckets of a lower precision are unions of those of a higher one.
 *
 *	precision 2   0 1 2 3 | 4 5 6 7 | 8-9 10-11 12-13 14-15 | 16-19 20-23 24-27 28-31 | ...
 *	index         0 1 2 3 | 4 5 6 7 | 8   9     10    11    | 12    13    14    15    | ...
 */
#ifndef LTT_ANALYSIS_BUCKET_PRIV_H
#define LTT_ANALYSIS_BUCKET_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/bucket-priv.h is private to libltt; use <ltt/ltt-distribution.h>"
#endif

#include <glib.h>

/* Precision of the counts of durations. */
#define LTT_BUCKET_BITS 7
#define LTT_SUB_BUCKETS ((guint)1 << LTT_BUCKET_BITS)
#define LTT_N_OCTAVES   (64 - LTT_BUCKET_BITS + 1)
#define LTT_N_BUCKETS   (LTT_N_OCTAVES * LTT_SUB_BUCKETS)

/* Returns: the index of the bucket of a number. @precision: 0 to LTT_BUCKET_BITS */
static inline guint ltt_bucket_find(guint64 value, guint precision)
{
	guint highest;

	if (value >> precision == 0)
		return (guint)value;
	highest = 63 - (guint)__builtin_clzll(value);
	return ((highest - precision + 1) << precision) +
	       (guint)(value >> (highest - precision) & (((guint64)1 << precision) - 1));
}

/* Returns: the least number of a bucket; G_MAXUINT64 after the last bucket */
static inline guint64 ltt_bucket_start(guint index, guint precision)
{
	const guint octave = index >> precision;
	const guint64 sub = index & (((guint)1 << precision) - 1);

	if (octave == 0)
		return sub;
	if (octave + precision > 64)
		return G_MAXUINT64;
	return (((guint64)1 << precision) + sub) << (octave - 1);
}

#endif
