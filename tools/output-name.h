/* output-name.h - what a recording is called if nobody gives it a name. */
#ifndef OUTPUT_NAME_H
#define OUTPUT_NAME_H

#include <glib.h>

/**
 * output_name:
 * @program: what is recorded: a path or a name
 * @number: of the attempt, from 1
 *
 * Returns: (transfer full): the program's name and the local time, "memcached-20261122-134501";
 *   from the second attempt on with the number behind it, "memcached-20261122-134501-2"
 */
char *output_name(const char *program, guint number);

#endif
