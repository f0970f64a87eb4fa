/* threads.h - the threads of this process that take the fast path.
 *
 * A thread registers a sequence with the kernel by the address of its description. The kernel reads
 * the description when it next interrupts the thread: perhaps long after the sequence has ended, and
 * after its library has been unloaded; then it kills the thread. So before a library is unloaded, its
 * sequences are cleared in all threads. To be found, a thread enters a list before it takes the fast
 * path, whose sequences are in programs and libraries, and leaves the list at its end. A thread that
 * is not in the list uses only the sequences of this library, which is never unloaded (start.c).
 */
#ifndef LTTP_THREADS_H
#define LTTP_THREADS_H

#include "session/session-layout.h"

#include <stdbool.h>

/* Creates the key whose destructor sees the end of a thread; once, before anything else. */
void lttp_threads_begin(void);

/* Whether that succeeded. Without it no list is kept, and libraries with sequences stay loaded. */
bool lttp_threads_can(void);

/* Allocates the list, zeroed in forked children; a second call has no effect. False on failure. */
bool lttp_threads_make(void);

/* Empties the list, for a forked child whose kernel does not. */
void lttp_threads_reset(void);

/* Enters the calling thread into the list if it is not there. False: no place is free, or the thread
 * is about to end; it must not take the fast path. */
bool lttp_threads_enter(struct ltt_probe_thread *thread);

/* Clears, in all threads, the sequences of the library or program that contains @inside. */
void lttp_threads_strike(const void *inside);

#endif /* LTTP_THREADS_H */
