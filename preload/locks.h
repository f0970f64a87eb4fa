/* locks.h - what the files that record waits share. */
#ifndef PRELOAD_LOCKS_H
#define PRELOAD_LOCKS_H

#include <stdbool.h>
#include <time.h>

#include "code.h"
#include "lock-trace.h"

/* Records the call of a lock's function between the events EVENT_begin and EVENT_end, and returns its
 * result, an error number. TRY takes a free lock: a lock that the thread gets without waiting is no
 * event. BUSY is the result of TRY if the thread has to wait. */
#define RECORD_WAIT(EVENT, LOCK, TRY, BUSY, CALL)                                                  \
	int result;                                                                                \
                                                                                                   \
	if (!trace_lock_##EVENT##_begin_enabled())                                                 \
		return CALL;                                                                       \
	result = TRY;                                                                              \
	if (result != (BUSY))                                                                      \
		return result;                                                                     \
	code_note(PRELOAD_CALLER());                                                               \
	trace_lock_##EVENT##_begin((uintptr_t)(LOCK), PRELOAD_CALLER());                           \
	result = CALL;                                                                             \
	trace_lock_##EVENT##_end((uintptr_t)(LOCK), -result);                                      \
	return result

/* Whether functions with a time limit accept it, and its clock. If not, they fail also if the lock is
 * free: then it must not be tried. */
static inline bool lock_is_time(const struct timespec *until)
{
	return until == NULL || (until->tv_nsec >= 0 && until->tv_nsec < 1000000000);
}

static inline bool lock_is_clock(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

#endif
