/* amount.h - numbers as people like to read them. Each returns a text that is the caller's. */
#ifndef AMOUNT_H
#define AMOUNT_H

#include <glib.h>

/* "1,234,567" */
char *amount_count(guint64 count);

/* "17 bytes", "1.5 KiB", "12 MiB" */
char *amount_size(guint64 bytes);

/* "65.8": so many hundredths of @whole; "-" if that is 0 */
char *amount_percent(guint64 part, guint64 whole);

/* "10,003", "12.5", "0.25": @count in each second of a time; "-" if that is 0 */
char *amount_rate(guint64 count, guint64 time_ns);

/* "1050000000.001640421" */
char *amount_time(guint64 time_ns);

#endif
