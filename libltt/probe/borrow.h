/* borrow.h - children that run in the memory of their parent, as those of vfork().
 *
 * Between vfork() and exec the child has the memory and the thread-local variables of the parent's thread, which
 * waits. But it runs on a CPU of its own, with a registration of restartable sequences that does not match
 * those variables: if it traced, it could damage a tracefile. It can be killed at any time, too: so it counts
 * itself nowhere, joins nothing, and leaves the number of its events, which are lost, to its parent.
 *
 * The vfork() and clone() of this library set ltt_probe_thread.vforked during the call (copies.h).
 */
#ifndef LTTP_BORROW_H
#define LTTP_BORROW_H

#include <stdbool.h>

/* In the parent, before the call. */
void lttp_borrow_prepare(void);

/* Whether this is such a child: not the parent in a signal handler before or after the child runs, and not a process that
 * the child has forked. */
bool lttp_is_borrower(void);

/* In a forked process. */
void lttp_borrow_fork(void);

/* In the child: counts a lost event for lttp_borrow_report(). */
void lttp_borrow_count_lost(void);

/* In the parent, in the slow path: counts these events in the session. */
void lttp_borrow_report(void);

#endif /* LTTP_BORROW_H */
