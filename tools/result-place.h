/* result-place.h - no command writes its result into a trace or a recording that it reads. */
#ifndef RESULT_PLACE_H
#define RESULT_PLACE_H

#include <glib.h>

/**
 * result_place_check:
 * @result: (nullable): path of a file or directory to be written; NULL, "" or "-": there is none
 * @paths: (array length=n_paths): the traces that are read, which need not exist
 *
 * Call it before the traces are opened. A result may also be refused because it is the archive of a
 * trace, or a file that a symbolic link in a trace leads to.
 *
 * Returns: FALSE, with a message printed, if the result would be written into one of the traces
 */
gboolean result_place_check(const char *result, char *const *paths, guint n_paths);

/* The same for the directory of a recording that is imported. @result: a path */
gboolean result_place_check_recording(const char *result, const char *recording);

#endif
