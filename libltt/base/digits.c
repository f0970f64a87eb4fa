/* digits.c - the lookup tables of digits-priv.h, and its slow path. */
#include "base/digits-priv.h"

const char ltt_digit_pairs[200] = "00010203040506070809"
				  "10111213141516171819"
				  "20212223242526272829"
				  "30313233343536373839"
				  "40414243444546474849"
				  "50515253545556575859"
				  "60616263646566676869"
				  "70717273747576777879"
				  "80818283848586878889"
				  "90919293949596979899";

/* The numbers with the same hundreds and tens. */
#define TEN(t) t "0\0" t "1\0" t "2\0" t "3\0" t "4\0" t "5\0" t "6\0" t "7\0" t "8\0" t "9\0"
#define HUNDRED(h)                                                                                 \
	TEN(h "0")                                                                                 \
	TEN(h "1")                                                                                 \
	TEN(h "2") TEN(h "3") TEN(h "4") TEN(h "5") TEN(h "6") TEN(h "7") TEN(h "8") TEN(h "9")

const char ltt_digit_triples[4 * 1000 + 1] = HUNDRED("0") HUNDRED("1") HUNDRED("2") HUNDRED("3")
	HUNDRED("4") HUNDRED("5") HUNDRED("6") HUNDRED("7") HUNDRED("8") HUNDRED("9");

char *ltt_put_large(char *at, guint64 value)
{
	const guint32 unit = 100000000;

	if (value < (guint64)unit * unit) {
		at = ltt_put_small(at, (guint32)(value / unit));
		return ltt_put_8(at, (guint32)(value % unit));
	}
	at = ltt_put_small(at, (guint32)(value / unit / unit));
	at = ltt_put_8(at, (guint32)(value / unit % unit));
	return ltt_put_8(at, (guint32)(value % unit));
}
