/* several.h - open several traces on one timeline. */
#ifndef SEVERAL_H
#define SEVERAL_H

#include "reading.h"

#include <ltt/ltt-join.h>

/* How the clocks of several traces relate: the values of the options of SEVERAL_OPTIONS. */
typedef struct SeveralClocks {
	char **offsets; /* such as "2=-0.5" */
	char **rules;   /* such as "rpc.send:id=rpc.receive:id" */
} SeveralClocks;

/* Entries of the options of @clocks, a static SeveralClocks. */
#define SEVERAL_OPTIONS(clocks)                                                                    \
	{"offset",                                                                                 \
	 0,                                                                                        \
	 0,                                                                                        \
	 G_OPTION_ARG_FILENAME_ARRAY,                                                              \
	 &(clocks).offsets,                                                                        \
	 "add S, in seconds or with a unit: ns us ms s m h, to the times\n"                        \
	 "of the N-th trace; can be negative, and can be given once for\n"                         \
	 "each trace",                                                                             \
	 "N=S"},                                                                                   \
	{                                                                                          \
		"sync", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(clocks).rules,                        \
			"convert the times of all traces to the clock of the first,\n"             \
			"by messages SEND:FIELD=RECEIVE:FIELD (see ltt-sync(1)); can\n"            \
			"be given several times",                                                  \
			"RULE"                                                                     \
	}

/* Returns: whether none of the options is given */
gboolean several_is_plain(const SeveralClocks *clocks);

/**
 * several_open:
 * @paths: (array length=n_paths): the traces
 *
 * Returns: (nullable): the joined trace, also for a single one; NULL, with a message printed, on
 *   failure
 */
LttTrace *several_open(char *const *paths, guint n_paths, const SeveralClocks *clocks);

/* Opens one trace as it is, or several joined, as reading_open() does. */
gboolean several_read(char *const *paths, guint n_paths, const SeveralClocks *clocks,
		      Reading *reading);

#endif
