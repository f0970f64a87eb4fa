/* process.h - this process in the session that it traces into, if any. */
#ifndef LTTP_PROCESS_H
#define LTTP_PROCESS_H

#include "session/admit.h"
#include "session/session.h"

#include <stdint.h>

/* Returns the number of this process in the session; 0 if it does not trace. */
uint64_t lttp_process_epoch(void);

/* Joins the session in @directory; if that cannot be opened, through @broker (broker-client.h). Either may
 * be NULL. @use: one that attaches. With the list of facilities locked.
 *
 * Returns: 0; -EBUSY if this process traces already, or a thread is still writing an event of the former
 *   session to a lane; -ENOMEM; otherwise an error of lttp_session_open() or
 *   lttp_session_receive(). */
int lttp_process_join(const char *directory, const char *broker, enum lttp_session_use use);

/* Joins a session that is not one of `ltt attach`: makes the switches private. */
int lttp_process_join_privately(const char *directory, const char *broker,
				enum lttp_session_use use);

/* Leaves the session, with the list of facilities locked, after lttp_attach_shut(). On return no event is
 * being written, except in lanes. */
void lttp_process_leave(void);

/* Records that the process leaves. @status is that of exit(), or LTTP_STATUS_UNKNOWN. Does nothing if
 * the process does not trace. */
void lttp_process_say_farewell(int32_t status);

/* Before fork(), in a process that clone(2) may have made and that has not traced: the child cannot find
 * out any more whether this was the first process of a PID namespace. */
void lttp_process_expect_fork(void);

/* For a forked child: forgets the state of the parent. */
void lttp_process_reset(void);

#endif /* LTTP_PROCESS_H */
