/* snapshot.h - a copy of a trace that is being written, as it is at one value of the counter. */
#ifndef LTTP_SNAPSHOT_H
#define LTTP_SNAPSHOT_H

#include "session.h"

/* Copies the trace of @session into the new directory @directory: all events stamped before one
 * value of the counter, and none after. The session goes on.
 *
 * Returns: 0; -EEXIST if @directory is there; -EBUSY if another snapshot is under way, or if
 * writers are faster than the copying, or if one of them does not move; otherwise -errno. On
 * failure nothing is left of @directory. */
int lttp_snapshot(struct lttp_session *session, const char *directory);

#endif /* LTTP_SNAPSHOT_H */
