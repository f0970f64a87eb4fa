/* keeper.h - requests for disk space to the recorder.
 *
 * A process that has dropped its privileges cannot allocate blocks, and a seccomp filter may kill a
 * process that tries. So the recorder, if there is one, allocates blocks for all processes, mostly
 * in advance (watch.h). A writer that needs more stores the number in the session state, rings the
 * bell, and waits. Both sides sleep on futexes in the session state, which needs no file descriptor
 * and no permission.
 *
 *	writer                                       recorder
 *	wanted := n;  bell++, wake             --->  sleeps on bell
 *	sleeps on answers                            allocates for each file with wanted > blocks
 *	                                       <---  answers := bell as it was before, wake
 *
 * The recorder may be stopped or dead. After a request without an answer no process waits for it
 * again until the recorder shows activity.
 */
#ifndef LTTP_KEEPER_H
#define LTTP_KEEPER_H

#include "session/session.h"

#include <stdbool.h>

/* For writers. */

/* Whether the session has a recorder, and its last request was answered. */
bool lttp_keeper_is_there(const struct lttp_head *head);

/* The words of the session state that a request for one file uses. */
struct lttp_request {
	uint64_t *wanted;              /* number of blocks that the file needs */
	const uint64_t *allocated;     /* number of blocks that it has */
	const uint64_t *refused_errno; /* errno of the recorder's failure to allocate them */
};

/* Asks for @blocks blocks. Does not wait. */
void lttp_keeper_wish(struct lttp_head *head, uint64_t *wanted, uint64_t blocks);

/* Asks for @blocks blocks and waits.
 *
 * Returns: 0: they are allocated; -ETIMEDOUT: the recorder does not answer; otherwise the -errno
 * with which it failed to allocate them */
int lttp_keeper_ask(struct lttp_head *head, const struct lttp_request *request, uint64_t blocks);

/* Before this process installs a seccomp filter, which the recorder would find out up to half a second later. */
void lttp_keeper_expect_filter(void);

/* Whether this process has one, or is about to get one. */
bool lttp_keeper_knows_filter(const struct lttp_session *session);

/* Whether this process may open files after joining: not if a recorder can do so instead and a
 * seccomp filter might kill the process. */
bool lttp_keeper_lets_open(const struct lttp_session *session);

/* For the recorder (serve.h). */

/* Sleeps until the bell rings, unless it has rung since @seen, an earlier value of head->bell. */
void lttp_keeper_sleep(struct lttp_head *head, uint32_t seen);

/* Wakes it. */
void lttp_keeper_wake(struct lttp_head *head);

/* Records that the recorder is active; and that it has processed all requests up to the value @rung
 * of the bell. */
void lttp_keeper_work(struct lttp_head *head);
void lttp_keeper_answer(struct lttp_head *head, uint32_t rung);

#endif /* LTTP_KEEPER_H */
