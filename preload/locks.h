/* locks.h - what the files that record waits share. */
#ifndef PRELOAD_LOCKS_H
#define PRELOAD_LOCKS_H

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

#endif
