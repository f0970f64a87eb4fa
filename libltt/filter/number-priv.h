/* number-priv.h - exact decimal numbers of filter expressions. */
#ifndef LTT_FILTER_NUMBER_PRIV_H
#define LTT_FILTER_NUMBER_PRIV_H

#ifndef LTT_BUILDING
#error "filter/number-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include <glib.h>

/* digits * 10^exponent */
typedef struct LttNumber {
	char *digits;    /* owned; without leading and trailing zeros; "" is zero */
	gint64 exponent; /* of zero: 0 */
	gboolean is_negative;
	gboolean is_whole; /* written without a point and an exponent */
} LttNumber;

/* Holds signed and unsigned 64-bit integers, and values beyond both. */
typedef __int128 LttWide;

/**
 * ltt_number_parse:
 * @number: (out): set on success; clear it with ltt_number_clear()
 *
 * Parses @length bytes as an unsigned number of C.
 *
 * Returns: (nullable): on failure, a static text with the expected form; NULL on success
 */
const char *ltt_number_parse(const char *text, gsize length, LttNumber *number);
void ltt_number_clear(LttNumber *number);

/* Returns: below, at or above 0 as @a is less than, equal to or greater than @b */
int ltt_number_compare(const LttNumber *a, const LttNumber *b);

/* @is_exact: (out): whether the product is an integer.
 * Returns: the floor of @number * 10^@decimals; if it is far outside of 64 bits, any integer far
 *   outside */
LttWide ltt_number_floor(const LttNumber *number, guint decimals, gboolean *is_exact);

/**
 * ltt_number_nearest:
 * @width_bytes: 4 or 8: width of the float to compare with
 * @beyond: (out): the relation of @number to the result: -1 below, 1 above, 0 equal. A number with
 *   a point or an exponent counts as equal to its nearest float of that width, but never as
 *   infinite
 *
 * Returns: the finite float nearest to @number
 */
double ltt_number_nearest(const LttNumber *number, guint width_bytes, int *beyond);

#endif
