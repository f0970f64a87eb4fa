/* create.h - a new trace directory, with a session to write into it. */
#ifndef LTTP_CREATE_H
#define LTTP_CREATE_H

#include "session/session.h"

/* Makes the trace directory @directory, complete and without an event. @options may be NULL.
 *
 * Returns: 0; -EEXIST if the directory is there; -EINVAL for options that no trace can have;
 *   otherwise -errno, and then nothing is left of the directory. */
int lttp_session_create(const char *directory, const struct ltt_probe_options *options);

/* Removes a trace directory, with what this library puts into one. */
void lttp_session_remove(const char *path);

/* Makes the folders of a trace directory. Returns it, open; -EEXIST if it is there; -errno, and
 * then nothing is left of it. */
int lttp_directory_make(const char *path);

#endif /* LTTP_CREATE_H */
