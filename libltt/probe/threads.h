/* threads.h - the threads of this process that take the fast path.
 *
 * The kernel is told of a restartable sequence by its address, and looks there when it next comes
 * between: perhaps long after the sequence has ended, perhaps after the library that it was in has
 * been unloaded; then it kills the thread. So before a library goes its sequences are struck out of
 * all threads. To be found a thread is put into a list before it may take the fast path, whose
 * sequences are everywhere, and it leaves the list when it ends. A thread that is not in the list
 * uses the sequences of this library alone, which is never unloaded (start.c).
 */
#ifndef LTTP_THREADS_H
#define LTTP_THREADS_H

#include "session/session-layout.h"

#include <stdbool.h>

/* Readies the ends of threads to be seen; once, before anything else. */
void lttp_threads_begin(void);

/* Whether they can be. If not, there is no list, and libraries with sequences have to stay. */
bool lttp_threads_can(void);

/* Memory for the list, emptied in forked children; a second time is nothing. False: there is none.
 */
bool lttp_threads_make(void);

/* Forgets all threads: for a forked child whose kernel does not empty the list itself. */
void lttp_threads_reset(void);

/* Puts the calling thread, whose @thread is, into the list, if it is not there. False: it must not
 * take the fast path, as there is no place, or as the thread is about to end. */
bool lttp_threads_enter(struct ltt_probe_thread *thread);

/* Strikes out of all threads the sequences of the library, or program, that @inside points into. */
void lttp_threads_strike(const void *inside);

#endif /* LTTP_THREADS_H */
