/* open.h - open and close a session (session.h). */
#ifndef LTTP_OPEN_H
#define LTTP_OPEN_H

#include "session/admit.h"

/* Opens the session of the trace directory @directory, which is made absolute.
 *
 * Returns: 0; -ESHUTDOWN if it has ended; -EPROTO if this process is refused, which the session
 * then records; -EBADMSG if the file is not a session state; otherwise -errno */
int lttp_session_open(struct lttp_session *session, const char *directory,
		      enum lttp_session_use use);

/* The same with open files: info/session and, to attach, info/lock. They stay open. @session:
 * empty, except its directory */
int lttp_session_take(struct lttp_session *session, int state_fd, int lock_fd,
		      enum lttp_session_use use);

/* Closes the session. Pointers into its mapping become invalid. */
void lttp_session_close(struct lttp_session *session);

/* Closes the session while other threads may still read it: replaces the mapping by zeroed memory,
 * in which no session runs, and never releases that. */
void lttp_session_forget(struct lttp_session *session);

#endif /* LTTP_OPEN_H */
