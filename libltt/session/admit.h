/* admit.h - decide whether this process joins a session.
 *
 * The state of a session may come from another user, another version of the library, or a process
 * that overwrites its memory.
 */
#ifndef LTTP_ADMIT_H
#define LTTP_ADMIT_H

#include "session/session.h"

enum lttp_session_use {
	LTTP_SESSION_ATTACH,       /* to write: takes the lock, unless the process is refused */
	LTTP_SESSION_ATTACH_GIVEN, /* the same, if the state belongs to root, a user of the process,
				    * or the one that LTT_TRACE_OWNER names */
	LTTP_SESSION_ATTACH_OWN, /* the same, if all files belong to the user of the process or root */
	LTTP_SESSION_WATCH,      /* to supervise or observe, such as `ltt record` */
};

/* Whether the directory of the trace, info/session or info/lock, open as @fd, belongs to a user that
 * @use trusts. Its owner can remove what the process writes, and kill it with SIGBUS. */
bool lttp_session_trusts(int fd, enum lttp_session_use use);

/* Whether the fixed part of a state of @size_bytes is valid: it may come from a hostile process. */
bool lttp_session_is_plausible(const struct lttp_head *head, size_t size_bytes);

/* Checks the state and, to write to it, this process. Returns: 0; -EBADMSG if it is not a session state;
 * -ESHUTDOWN if the session has ended; -EPROTO if this process is refused, which the session then
 * records */
int lttp_session_check(struct lttp_head *head, size_t size_bytes, enum lttp_session_use use);

/* Records in the session that this process could not join. @name: (nullable): the facility that
 * could not */
void lttp_session_refuse(struct lttp_head *head, uint32_t reason, const char *name);

/* Returns: the number of a namespace of this process, such as "/proc/self/ns/pid"; 0: unknown */
uint64_t lttp_namespace_of_self(const char *path);

#endif /* LTTP_ADMIT_H */
