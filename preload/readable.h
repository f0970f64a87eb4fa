/* readable.h - whether memory of the program can be read, so that a wrong pointer gives EFAULT as without
 * the library. */
#ifndef PRELOAD_READABLE_H
#define PRELOAD_READABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Does not change errno. Returns: whether all of @size bytes can be read */
bool is_readable(const void *bytes, size_t size);

/* Does not change errno. Returns: @path, or "" if the kernel cannot read it as a path */
const char *readable_path(const char *path);

#endif
