/* time.c - format times. */
#include <ltt/ltt-time.h>

#define DECIMALS 9

gsize ltt_time_format(guint64 time_ns, char *text)
{
	guint64 seconds = time_ns / LTT_NS_PER_S;
	guint32 rest = (guint32)(time_ns % LTT_NS_PER_S);
	char digits[20];
	gsize n_digits = 0;
	gsize length;

	do {
		digits[n_digits++] = (char)('0' + seconds % 10);
		seconds /= 10;
	} while (seconds != 0);
	for (length = 0; length < n_digits; length++)
		text[length] = digits[n_digits - 1 - length];
	text[length++] = '.';
	for (gsize i = DECIMALS; i > 0; i--) {
		text[length + i - 1] = (char)('0' + rest % 10);
		rest /= 10;
	}
	length += DECIMALS;
	text[length] = '\0';
	return length;
}
