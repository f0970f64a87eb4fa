/* rank-priv.h - the nearest rank of a percentile. */
#ifndef LTT_RANK_PRIV_H
#define LTT_RANK_PRIV_H

#ifndef LTT_BUILDING
#error "rank-priv.h is private to libltt"
#endif

#include <float.h>
#include <glib.h>
#include <math.h>

/* Returns: how many of @n values, in ascending order, are at most the percentile; at least 1. @n: above 0. @percent: NaN
 * and numbers below 0 are read as 0, those above 100 as 100 */
static inline guint64 ltt_rank_of(guint64 n, double percent)
{
	const double share = (percent > 0 ? MIN(percent, 100.0) : 0.0) * (double)n / 100.0;
	/* The product is rounded: 99.9 % of 1000 are 999.0000000000001. */
	const double rank = ceil(share - 4 * DBL_EPSILON * share);

	return rank >= (double)n ? n : MAX((guint64)rank, 1);
}

#endif
