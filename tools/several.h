/* several.h - open several traces, with the offsets of their clocks, and join them. */
#ifndef SEVERAL_H
#define SEVERAL_H

#include "reading.h"

#include <ltt/ltt-join.h>

/* Help of the option --offset. */
#define SEVERAL_OFFSET_HELP                                                                        \
	"add S seconds, which can be negative and have up to nine\n"                               \
	"decimals, to the times of the N-th trace; can be given\n"                                 \
	"several times"

/**
 * several_open:
 * @paths: (array length=n_paths): the traces
 * @offsets: (nullable): values of --offset, such as "2=-0.5"
 *
 * Returns: (nullable): the joined trace, also for a single one; NULL, with a message printed, on
 *   failure
 */
LttTrace *several_open(char *const *paths, guint n_paths, char *const *offsets);

/* Opens one trace as it is, or several joined, as reading_open() does. */
gboolean several_read(char *const *paths, guint n_paths, char *const *offsets, Reading *reading);

#endif
