/* amount.c - see amount.h. */
#include "amount.h"

#include <ltt/ltt-time.h>

char *amount_count(guint64 count)
{
	g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, count);
	GString *text = g_string_new(digits);

	for (gssize at = (gssize)text->len - 3; at > 0; at -= 3)
		g_string_insert_c(text, at, ',');
	return g_string_free(text, FALSE);
}

char *amount_size(guint64 bytes)
{
	static const char units[] = "KMGTPE";
	guint unit = 0;

	if (bytes < 1024)
		return g_strdup_printf("%" G_GUINT64_FORMAT " bytes", bytes);
	while (bytes >= (guint64)1024 * 1024) {
		bytes /= 1024;
		unit++;
	}
	bytes = bytes * 10 / 1024;
	if (bytes % 10 == 0)
		return g_strdup_printf("%" G_GUINT64_FORMAT " %ciB", bytes / 10, units[unit]);
	return g_strdup_printf("%" G_GUINT64_FORMAT ".%u %ciB", bytes / 10, (guint)(bytes % 10),
			       units[unit]);
}

char *amount_percent(guint64 part, guint64 whole)
{
	if (whole == 0)
		return g_strdup("-");
	return g_strdup_printf("%.1f", 100.0 * (double)part / (double)whole);
}

char *amount_rate(guint64 count, guint64 time_ns)
{
	const double rate = (double)count * LTT_NS_PER_S / (double)time_ns;

	if (time_ns == 0)
		return g_strdup("-");
	if (rate >= 100)
		return amount_count((guint64)(rate + 0.5));
	return g_strdup_printf(rate >= 10 ? "%.1f" : "%.2f", rate);
}

char *amount_time(guint64 time_ns)
{
	char text[LTT_TIME_TEXT_BYTES];

	ltt_time_format(time_ns, text);
	return g_strdup(text);
}
