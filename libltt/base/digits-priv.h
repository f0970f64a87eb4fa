/* digits-priv.h - format integers in decimal, without printf() and independent of the locale.
 *
 * Printing events is mostly printing numbers, so a lookup table gives two digits at a time. All
 * functions write at @at, add no NUL and return the end of what they wrote.
 */
#ifndef LTT_DIGITS_PRIV_H
#define LTT_DIGITS_PRIV_H

#ifndef LTT_BUILDING
#error "digits-priv.h is private to libltt"
#endif

#include <glib.h>
#include <string.h>

/* Maximum bytes that ltt_put_u64() and ltt_put_i64() write. */
#define LTT_MAX_DIGITS 20

/* "00" "01" ... "99" */
extern const char ltt_digit_pairs[200];

static inline char *ltt_put_pair(char *at, guint below_100)
{
	memcpy(at, ltt_digit_pairs + 2 * (gsize)below_100, 2);
	return at + 2;
}

/* Writes eight digits, with leading zeros. */
static inline char *ltt_put_8(char *at, guint32 value)
{
	guint32 high = value / 10000;
	guint32 low = value % 10000;

	at = ltt_put_pair(at, high / 100);
	at = ltt_put_pair(at, high % 100);
	at = ltt_put_pair(at, low / 100);
	return ltt_put_pair(at, low % 100);
}

/* Writes nine digits, with leading zeros: nanoseconds after the decimal point. */
static inline char *ltt_put_9(char *at, guint32 value)
{
	*at++ = (char)('0' + value / 100000000);
	return ltt_put_8(at, value % 100000000);
}

/* Writes a number below 10^8, without leading zeros. */
static inline char *ltt_put_small(char *at, guint32 value)
{
	char digits[8];
	guint zeros;

	if (value < 10) {
		*at = (char)('0' + value);
		return at + 1;
	}
	if (value < 100)
		return ltt_put_pair(at, value);
	ltt_put_8(digits, value);
	zeros = value < 10000      ? (value < 1000 ? 5 : 4)
		: value < 1000000  ? (value < 100000 ? 3 : 2)
		: value < 10000000 ? 1
				   : 0;
	memcpy(at, digits + zeros, 8 - zeros);
	return at + 8 - zeros;
}

static inline char *ltt_put_u64(char *at, guint64 value)
{
	const guint32 unit = 100000000;

	if (value < unit)
		return ltt_put_small(at, (guint32)value);
	if (value < (guint64)unit * unit) {
		at = ltt_put_small(at, (guint32)(value / unit));
		return ltt_put_8(at, (guint32)(value % unit));
	}
	at = ltt_put_small(at, (guint32)(value / unit / unit));
	at = ltt_put_8(at, (guint32)(value / unit % unit));
	return ltt_put_8(at, (guint32)(value % unit));
}

static inline char *ltt_put_i64(char *at, gint64 value)
{
	if (value >= 0)
		return ltt_put_u64(at, (guint64)value);
	*at++ = '-';
	return ltt_put_u64(at, -(guint64)value);
}

#endif
