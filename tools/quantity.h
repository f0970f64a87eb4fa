/* quantity.h - parse sizes, durations and signals of a command line. */
#ifndef QUANTITY_H
#define QUANTITY_H

#include <glib.h>

/* Parses a size in bytes, such as "4096", "4096bytes", "64K", "16M", "1G" or "64KiB"; a K is 1024.
 * Returns: FALSE if @text is not a size, or exceeds 64 bits */
gboolean quantity_parse_bytes(const char *text, guint64 *bytes);

/* Parses a duration with a unit, such as "250ms", "2s" or "1h". Returns: FALSE if @text is not a
 * duration of at least 1 ms, in whole milliseconds */
gboolean quantity_parse_ms(const char *text, guint32 *milliseconds);

/* Takes the value of --duration. @text: (nullable): NULL: the option is not given, which means 0.
 * Returns: FALSE, with a message printed, if quantity_parse_ms() rejects @text */
gboolean quantity_take_duration(const char *text, guint64 *milliseconds);

/* Parses a signal, such as "USR1", "SIGUSR1" or "10". Returns: FALSE if @text is not a signal that
 * a program may use freely */
gboolean quantity_parse_signal(const char *text, int *number);

#endif
