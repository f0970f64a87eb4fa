/* whereabouts.h - a trace that could not be opened, and the one that may have been meant. */
#ifndef WHEREABOUTS_H
#define WHEREABOUTS_H

#include <glib.h>

/**
 * tool_fail_to_open:
 * @path: what was given as a trace
 * @error: why it could not be opened
 *
 * Says so as tool_fail() does. Where a trace lies near, a folder above @path, in it, or one beside
 * it with a name like it, says that too; what a trace is where a folder is none; and how a
 * recording of another tool becomes one.
 *
 * Returns: as tool_fail()
 */
int tool_fail_to_open(const char *path, const GError *error);

#endif
