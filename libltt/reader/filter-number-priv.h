/* filter-number-priv.h - the number that a filter says, exactly. */
#ifndef LTT_FILTER_NUMBER_PRIV_H
#define LTT_FILTER_NUMBER_PRIV_H

#ifndef LTT_BUILDING
#error "filter-number-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include <glib.h>

/* digits * 10^exponent */
typedef struct LttNumber {
	char *digits;    /* owned; none is a zero at either end; "" is zero */
	gint64 exponent; /* of zero: 0 */
	gboolean is_negative;
	gboolean is_whole; /* written without a point and an exponent */
} LttNumber;

/* Integers of 64 bits, signed and unsigned, with room for what lies beyond them. */
typedef __int128 LttWide;

/**
 * ltt_number_parse:
 * @number: (out): set on success; clear it with ltt_number_clear()
 *
 * Reads all of @length bytes as a number of C, without a sign.
 *
 * Returns: NULL, or a static text that says what was expected
 */
const char *ltt_number_parse(const char *text, gsize length, LttNumber *number);
void ltt_number_clear(LttNumber *number);

/* Returns: below, at or above 0 as @a is less than, equal to or greater than @b */
int ltt_number_compare(const LttNumber *a, const LttNumber *b);

/* Returns: the greatest integer that is not above @number * 10^@decimals; far outside of 64 bits,
 * some number there. @is_exact: (out): whether it is that product itself */
LttWide ltt_number_floor(const LttNumber *number, guint decimals, gboolean *is_exact);

/**
 * ltt_number_nearest:
 * @width_bytes: 4 or 8: of the float that it will be compared with
 * @beyond: (out): where @number lies, seen from what is returned: -1 below, 1 above, 0 it is there.
 *   A number with a point or an exponent is taken as the nearest float of that width, so it is
 *   always there; but none is taken as infinite
 *
 * Returns: the nearest finite float
 */
double ltt_number_nearest(const LttNumber *number, guint width_bytes, int *beyond);

#endif
