/* amount.h - format counts, sizes, rates and times for people. The caller frees each result. */
#ifndef AMOUNT_H
#define AMOUNT_H

#include <glib.h>

/* "1,234,567" */
char *amount_count(guint64 count);

/* "17 bytes", "1.5 KiB", "12 MiB" */
char *amount_size(guint64 bytes);

/* "65.8": @part as a percentage of @whole; "-" if @whole is 0 */
char *amount_percent(guint64 part, guint64 whole);

/* "10,003", "12.5", "0.25": @count per second of @time_ns; "-" if @time_ns is 0 */
char *amount_rate(guint64 count, guint64 time_ns);

/* "1050000000.001640421" */
char *amount_time(guint64 time_ns);

#endif
