/* digits-priv.h - format integers in decimal, without printf() and independent of the locale.
 *
 * Printing events is mostly printing numbers, so eight digits are computed at a time, without a
 * branch. All functions write at @at, add no NUL and return the end of what they wrote.
 */
#ifndef LTT_DIGITS_PRIV_H
#define LTT_DIGITS_PRIV_H

#ifndef LTT_BUILDING
#error "digits-priv.h is private to libltt"
#endif

#include <glib.h>
#include <string.h>

/* Maximum bytes that ltt_put_u64() and ltt_put_i64() write. They may overwrite bytes up to that
 * number after the end that they return. */
#define LTT_MAX_DIGITS 20

/* "00" "01" ... "99" */
extern const char ltt_digit_pairs[200];

/* "000" "001" ... "999", four bytes each. A few cache lines of it serve the times of a trace. */
extern const char ltt_digit_triples[4 * 1000 + 1];

static inline char *ltt_put_pair(char *at, guint below_100)
{
	memcpy(at, ltt_digit_pairs + 2 * (gsize)below_100, 2);
	return at + 2;
}

/*
 * Returns: the eight digits of a number below 10^8, one in each byte, the first in the lowest byte
 *
 * The number is divided in halves three times. Each lane x becomes x / n in its lower half and
 * x % n in its upper half; one multiplication and one shift divide all lanes. As x % n is
 * x - n * (x / n), both halves together are (x << half) - (x / n) * ((n << half) - 1).
 *
 *	12345678 -> 1234 5678 -> 12 34 56 78 -> 1 2 3 4 5 6 7 8
 */
static inline guint64 ltt_split_8(guint32 value)
{
	const guint64 high = value / 10000;
	const guint64 fours = ((guint64)value << 32) - high * (((guint64)10000 << 32) - 1);
	const guint64 hundreds = (fours * 10486 >> 20) & G_GUINT64_CONSTANT(0x0000007f0000007f);
	const guint64 pairs = (fours << 16) - hundreds * ((100 << 16) - 1);
	const guint64 tens = (pairs * 103 >> 10) & G_GUINT64_CONSTANT(0x000f000f000f000f);

	return (pairs << 8) - tens * ((10 << 8) - 1);
}

/* Writes the digits of ltt_split_8() without the first @n_left_out; always stores eight bytes. */
static inline void ltt_put_split(char *at, guint64 digits, guint n_left_out)
{
	const guint64 text = digits | G_GUINT64_CONSTANT(0x3030303030303030);
	const guint64 bytes = GUINT64_TO_LE(text >> 8 * n_left_out);

	memcpy(at, &bytes, sizeof(bytes));
}

/* Writes eight digits, with leading zeros. */
static inline char *ltt_put_8(char *at, guint32 value)
{
	ltt_put_split(at, ltt_split_8(value), 0);
	return at + 8;
}

/* Writes nine digits, with leading zeros: nanoseconds after the decimal point. Stores ten bytes. */
static inline char *ltt_put_9(char *at, guint32 value)
{
	const guint32 thousands = value / 1000;
	const guint32 millions = value / 1000000;

	memcpy(at, ltt_digit_triples + 4 * (gsize)millions, 4);
	memcpy(at + 3, ltt_digit_triples + 4 * (gsize)(thousands - millions * 1000), 4);
	memcpy(at + 6, ltt_digit_triples + 4 * (gsize)(value - thousands * 1000), 4);
	return at + 9;
}

/* Writes a number below 10^8, without leading zeros. May store eight bytes. */
static inline char *ltt_put_small(char *at, guint32 value)
{
	guint64 digits;
	guint n_zeros;

	if (value < 10) {
		*at = (char)('0' + value);
		return at + 1;
	}
	digits = ltt_split_8(value);
	n_zeros = (guint)__builtin_ctzll(digits) / 8;
	ltt_put_split(at, digits, n_zeros);
	return at + 8 - n_zeros;
}

/* The same for 10^8 and above: the slow path of ltt_put_u64(). */
char *ltt_put_large(char *at, guint64 value);

static inline char *ltt_put_u64(char *at, guint64 value)
{
	return G_LIKELY(value < 100000000) ? ltt_put_small(at, (guint32)value)
					   : ltt_put_large(at, value);
}

static inline char *ltt_put_i64(char *at, gint64 value)
{
	/* Without a branch: signs are hard to predict. */
	*at = '-';
	return ltt_put_u64(at + (value < 0), value < 0 ? -(guint64)value : (guint64)value);
}

#endif
