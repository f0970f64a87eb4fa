/* time.c - format times and durations. */
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

char *ltt_duration_to_string(guint64 ns)
{
	static const struct {
		const char *name;
		guint64 ns;
	} units[] = {{"s", LTT_NS_PER_S}, {"ms", 1000000}, {"us", 1000}};
	char digits[G_ASCII_DTOSTR_BUF_SIZE];
	const char *format;
	double number;
	guint i = 0;

	if (ns < 1000)
		return g_strdup_printf("%u ns", (guint)ns);
	/* A number that would be rounded up to 1000 has the larger unit. */
	while (ns < units[i].ns - units[i].ns / 2000)
		i++;
	number = (double)ns / (double)units[i].ns;
	format = number < 9.995 ? "%.2f" : number < 99.95 ? "%.1f" : "%.0f";
	return g_strdup_printf("%s %s", g_ascii_formatd(digits, sizeof(digits), format, number),
			       units[i].name);
}
