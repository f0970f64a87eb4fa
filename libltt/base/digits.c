/* digits.c - the lookup table of digits-priv.h, and its slow path. */
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
