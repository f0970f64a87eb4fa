/* process.h - this process in the session it traces into, if any. */
#ifndef LTTP_PROCESS_H
#define LTTP_PROCESS_H

#include "session/session.h"

#include <stdint.h>

/* Who this process is in the session; 0 if it does not trace. */
uint64_t lttp_process_epoch(void);

/* Joins the session of trace directory @directory; where that cannot be opened, through @broker
 * (broker-client.h). Either may be NULL. @use: one that attaches. With the list of facilities locked. 0,
 * or what lttp_session_open() and lttp_session_receive() return; -EBUSY if this process traces
 * already. */
int lttp_process_join(const char *directory, const char *broker, enum lttp_session_use use);

/* The same for a session that nobody wishes by `ltt attach`: the switches are the process's own. */
int lttp_process_join_privately(const char *directory, const char *broker);

/* Leaves it, with the list of facilities locked: when this returns no event is under way, except in
 * lanes. */
void lttp_process_leave(void);

/* Records that the process leaves, with the exit status if it ends by exit(), otherwise
 * LTTP_STATUS_UNKNOWN. Does nothing if the process does not trace. */
void lttp_process_say_farewell(int32_t status);

/* Forgets what the parent knew about itself: in a forked child. */
void lttp_process_reset(void);

#endif /* LTTP_PROCESS_H */
