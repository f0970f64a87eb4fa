/* keeper.h - asking the recorder for room.
 *
 * A process that has dropped its privileges cannot allocate blocks, and one with a seccomp filter
 * may be killed for trying. So where there is a recorder it allocates for all, mostly ahead of need
 * (watch.h). A writer that needs more leaves in the session state how many, rings, and waits. Both
 * sides sleep on futexes in the session state: that takes no file descriptor and no right.
 *
 *	writer                                       recorder
 *	wanted := n;  bell++, wake             --->  sleeps on bell
 *	sleeps on answers                            allocates for each file with wanted > blocks
 *	                                       <---  answers := bell as it was before, wake
 *
 * The recorder may be stopped or dead. After a request without an answer nobody waits for it again
 * until there is a sign that it is at work.
 */
#ifndef LTTP_KEEPER_H
#define LTTP_KEEPER_H

#include "session/session.h"

#include <stdbool.h>

/* For writers. */

/* Whether the session has a recorder that answers, as far as is known. */
bool lttp_keeper_is_there(const struct lttp_head *head);

/* The words of the session state that a request for one file uses. */
struct lttp_request {
	uint64_t *wanted;              /* number of blocks that the file needs */
	const uint64_t *allocated;     /* number of blocks that it has */
	const uint64_t *refused_errno; /* why the recorder could not allocate them */
};

/* Asks for @blocks blocks. Does not wait. */
void lttp_keeper_wish(struct lttp_head *head, uint64_t *wanted, uint64_t blocks);

/* Asks for @blocks blocks and waits.
 *
 * Returns: 0: they are allocated; -ETIMEDOUT: the recorder does not answer; otherwise the -errno
 * with which it failed to allocate them */
int lttp_keeper_ask(struct lttp_head *head, const struct lttp_request *request, uint64_t blocks);

/* Whether this process may open files when it has joined: not if it might be killed for that, and
 * there is a recorder to do it. */
bool lttp_keeper_lets_open(const struct lttp_session *session);

/* For the recorder (serve.h). */

/* Sleeps until somebody rings, if nobody has since @seen, an earlier load of head->bell. */
void lttp_keeper_sleep(struct lttp_head *head, uint32_t seen);

/* Wakes it. */
void lttp_keeper_wake(struct lttp_head *head);

/* Says that the recorder is at work; and that it has looked at all requests for which the bell was
 * rung up to @rung. */
void lttp_keeper_work(struct lttp_head *head);
void lttp_keeper_answer(struct lttp_head *head, uint32_t rung);

#endif /* LTTP_KEEPER_H */
