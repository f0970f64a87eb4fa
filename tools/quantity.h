/* quantity.h - numbers with units, and signals, as people write them on a command line. */
#ifndef QUANTITY_H
#define QUANTITY_H

#include <glib.h>

/* "4096", "64K", "16M", "1G", "64KiB" (of 1024 each) as bytes; FALSE if it is none of these, or
 * does not fit 64 bits. */
gboolean quantity_parse_bytes(const char *text, guint64 *bytes);

/* "250", "250ms", "2s" as milliseconds, at least one. */
gboolean quantity_parse_ms(const char *text, guint32 *milliseconds);

/* "USR1", "SIGUSR1", "10": one of the signals that a program may be asked by. */
gboolean quantity_parse_signal(const char *text, int *number);

/* Returns: (transfer full): "512 KiB", "3.4 MiB" */
char *quantity_print_bytes(guint64 bytes);

#endif
