/* output-name.h - the default name of a recording. */
#ifndef OUTPUT_NAME_H
#define OUTPUT_NAME_H

#include <glib.h>

/**
 * output_name:
 * @program: path or name of the recorded program
 * @number: attempt, from 1
 *
 * Returns: (transfer full): the program's name and the local time, "memcached-20261122-134501";
 *   from the second attempt on with the number as a suffix, "memcached-20261122-134501-2"
 */
char *output_name(const char *program, guint number);

#endif
