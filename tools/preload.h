/* preload.h - `ltt record --preload`: sources of events in unmodified programs. */
#ifndef PRELOAD_H
#define PRELOAD_H

#include <glib.h>

/* Checks the value of --preload. @sets: (nullable). Returns: FALSE, with a message printed, if a set
 * does not exist, or the library is not installed */
gboolean preload_check(const char *sets);

/* Adds what preloads the library to the environment of a program; reports why the program does not
 * load it, if that is known. @environment: (transfer full). @sets: (nullable): NULL: no change
 * Returns: (transfer full): the environment */
char **preload_add(char **environment, const char *sets, const char *program);

#endif
