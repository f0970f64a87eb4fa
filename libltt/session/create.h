/* create.h - create a trace directory and its session. */
#ifndef LTTP_CREATE_H
#define LTTP_CREATE_H

#include "session/session.h"

/* Creates the trace directory @directory, without events. @options: (nullable)
 *
 * Returns: 0; -EEXIST if the directory exists; -EINVAL for invalid options; otherwise -errno. On
 *   failure no directory is left. */
int lttp_session_create(const char *directory, const struct ltt_probe_options *options);

/* Removes a trace directory and the files that this library creates in it. */
void lttp_session_remove(const char *path);

/* Creates a trace directory with its folders. Returns: the open directory; -EEXIST if it exists;
 * otherwise -errno, and no directory is left */
int lttp_directory_make(const char *path);

#endif /* LTTP_CREATE_H */
