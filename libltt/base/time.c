/* time.c - format and parse times. */
#include "base/error-priv.h"

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

gboolean ltt_time_parse(const char *text, LttTimeBase *base, guint64 *time_ns, GError **error)
{
	const char *at = text;
	LttTimeBase found = LTT_TIME_ABSOLUTE;
	guint64 seconds = 0;
	guint64 fraction = 0;
	guint n_decimals = 0;
	guint n_digits = 0;

	if (*at == '+' || *at == '-')
		found = *at++ == '+' ? LTT_TIME_FROM_START : LTT_TIME_BEFORE_END;
	for (; g_ascii_isdigit(*at); at++, n_digits++) {
		seconds = seconds * 10 + (guint64)(*at - '0');
		if (seconds > LTT_MAX_TIME_NS / LTT_NS_PER_S)
			return ltt_fail(error, LTT_ERROR_INVALID,
					"time \"%s\" is beyond what nanoseconds in 63 bits can say",
					text);
	}
	if (*at == '.') {
		for (at++; g_ascii_isdigit(*at) && n_decimals < DECIMALS; at++, n_decimals++)
			fraction = fraction * 10 + (guint64)(*at - '0');
		n_digits += n_decimals;
	}
	if (*at != '\0' || n_digits == 0)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"\"%s\" is not a time: expected seconds with up to nine decimals, "
				"with + in front after the start, with - before the end",
				text);
	for (; n_decimals < DECIMALS; n_decimals++)
		fraction *= 10;
	if (seconds * LTT_NS_PER_S + fraction > LTT_MAX_TIME_NS)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"time \"%s\" is beyond what nanoseconds in 63 bits can say", text);
	*base = found;
	*time_ns = seconds * LTT_NS_PER_S + fraction;
	return TRUE;
}
