/* snapshot.h - copy a trace while it is being recorded. */
#ifndef LTTP_SNAPSHOT_H
#define LTTP_SNAPSHOT_H

#include "session/copy-blocks.h"
#include "session/session.h"

/* Copies the trace of @session to the new directory @directory: all events before one value of the
 * counter, and none after it. The session continues.
 *
 * From then on until the end of the session, the tracefiles of a flight recorder are twice as long.
 *
 * Returns: 0; -EEXIST if @directory exists; -EBUSY if another snapshot is being taken, or if the
 * disk has no space for the longer files and a flight recorder overwrites blocks faster than they
 * are copied; -ECANCELED if @copying cancels; otherwise -errno. On failure no directory is left. */
int lttp_snapshot(struct lttp_session *session, const char *directory,
		  struct lttp_copying *copying);

#endif /* LTTP_SNAPSHOT_H */
