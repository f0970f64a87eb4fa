/* snapshot.h - a copy of a trace that is being written, as it is at one value of the counter. */
#ifndef LTTP_SNAPSHOT_H
#define LTTP_SNAPSHOT_H

#include "session/session.h"

/* Copies the trace of @session into the new directory @directory: all events stamped before one
 * value of the counter, and none after. The session goes on.
 *
 * The tracefiles of a flight recorder take as much room again from then on, until the session ends.
 *
 * Returns: 0; -EEXIST if @directory is there; -EBUSY if another snapshot is under way, or if there
 * was no such room and a flight recorder was written over faster than it could be copied; otherwise
 * -errno. On failure nothing is left of @directory. */
int lttp_snapshot(struct lttp_session *session, const char *directory);

#endif /* LTTP_SNAPSHOT_H */
