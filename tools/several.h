/* several.h - traces that are to be one: opened, with the offsets of their clocks, and joined. */
#ifndef SEVERAL_H
#define SEVERAL_H

#include "tool.h"

#include <ltt/ltt-join.h>

/* What `--offset` is, for the options of a command. */
#define SEVERAL_OFFSET_HELP                                                                        \
	"add S seconds, which can be negative and have up to nine\n"                               \
	"decimals, to the times of the N-th trace; can be given\n"                                 \
	"several times"

/**
 * several_open:
 * @paths: (array length=n_paths): the traces
 * @offsets: (nullable): what --offset was given, such as "2=-0.5"
 *
 * Returns: (nullable): the traces as one, also if it is a single one; NULL: it has been said why
 * not
 */
LttTrace *several_open(char *const *paths, guint n_paths, char *const *offsets);

#endif
