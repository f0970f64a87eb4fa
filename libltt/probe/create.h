/* create.h - a new trace directory, with a session to write into it. */
#ifndef LTTP_CREATE_H
#define LTTP_CREATE_H

#include "session.h"

/* Makes the trace directory @directory, complete and without an event. @options may be NULL.
 *
 * Returns: 0; -EEXIST if the directory is there; -EINVAL for options that no trace can have;
 *   otherwise -errno, and then nothing is left of the directory. */
int lttp_session_create(const char *directory, const struct ltt_probe_options *options);

/* Removes a trace directory, with what this library puts into one. */
void lttp_session_remove(const char *directory);

/* Writes a file of the trace under another name first, so that it is there whole or not at all.
 * -EEXIST if there is one. -errno */
int lttp_write_file(int directory, const char *path, uint64_t unique, const char *text,
		    size_t size);

#endif /* LTTP_CREATE_H */
