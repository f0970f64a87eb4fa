/* conditions.c - records waits for conditions and semaphores, and the signals of conditions. */
#define _GNU_SOURCE
#include "locks.h"
#include "next.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

/* ---- conditions ---- */

NEXT_VARIABLE(pthread_cond_wait);
NEXT_VARIABLE(pthread_cond_timedwait);
NEXT_VARIABLE(pthread_cond_clockwait);
NEXT_VARIABLE(pthread_cond_signal);
NEXT_VARIABLE(pthread_cond_broadcast);

#define RECORD_CONDITION(CONDITION, LOCK, CALL)                                                    \
	int result;                                                                                \
                                                                                                   \
	if (!trace_lock_condition_wait_begin_enabled())                                            \
		return CALL;                                                                       \
	code_note(PRELOAD_CALLER());                                                               \
	trace_lock_condition_wait_begin((uintptr_t)(CONDITION), (uintptr_t)(LOCK),                 \
					PRELOAD_CALLER());                                         \
	result = CALL;                                                                             \
	trace_lock_condition_wait_end((uintptr_t)(CONDITION), -result);                            \
	return result

PRELOAD_EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock)
{
	RECORD_CONDITION(condition, lock, NEXT(pthread_cond_wait)(condition, lock));
}

PRELOAD_EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
					  const struct timespec *until)
{
	RECORD_CONDITION(condition, lock, NEXT(pthread_cond_timedwait)(condition, lock, until));
}

PRELOAD_EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *lock,
					  clockid_t clock, const struct timespec *until)
{
	RECORD_CONDITION(condition, lock,
			 NEXT(pthread_cond_clockwait)(condition, lock, clock, until));
}

static inline void record_signal(const pthread_cond_t *condition,
				 enum lock_condition_signal_wakes wakes, uint64_t caller)
{
	if (!trace_lock_condition_signal_enabled())
		return;
	code_note(caller);
	trace_lock_condition_signal((uintptr_t)condition, wakes, caller);
}

PRELOAD_EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
	record_signal(condition, lock_condition_signal_wakes_one, PRELOAD_CALLER());
	return NEXT(pthread_cond_signal)(condition);
}

PRELOAD_EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
	record_signal(condition, lock_condition_signal_wakes_all, PRELOAD_CALLER());
	return NEXT(pthread_cond_broadcast)(condition);
}

/* ---- semaphores ---- */

NEXT_VARIABLE(sem_wait);
NEXT_VARIABLE(sem_timedwait);
NEXT_VARIABLE(sem_clockwait);

/* Functions of semaphores return -1 and set errno. */
static int error_of(int result)
{
	return result == 0 ? 0 : errno;
}

static int try_semaphore(sem_t *semaphore)
{
	const int saved = errno;
	const int error = error_of(sem_trywait(semaphore));

	errno = saved;
	return error;
}

/* sem_wait() and sem_timedwait() are points of cancellation, also if they need not wait. */
static int try_or_be_cancelled(sem_t *semaphore)
{
	pthread_testcancel();
	return try_semaphore(semaphore);
}

static int finish_semaphore(int error)
{
	if (error == 0)
		return 0;
	errno = error;
	return -1;
}

static int wait_for(sem_t *semaphore)
{
	return error_of(NEXT(sem_wait)(semaphore));
}

static int wait_until(sem_t *semaphore, const struct timespec *until)
{
	return error_of(NEXT(sem_timedwait)(semaphore, until));
}

static int wait_by_clock(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	return error_of(NEXT(sem_clockwait)(semaphore, clock, until));
}

/* Returns: the error number, so that RECORD_WAIT() fits. */
static inline __attribute__((always_inline)) int record_wait(sem_t *semaphore)
{
	RECORD_WAIT(semaphore_wait, semaphore, try_or_be_cancelled(semaphore), EAGAIN,
		    wait_for(semaphore));
}

static inline __attribute__((always_inline)) int record_timed(sem_t *semaphore,
							      const struct timespec *until)
{
	if (!lock_is_time(until))
		return wait_until(semaphore, until);
	RECORD_WAIT(semaphore_wait, semaphore, try_or_be_cancelled(semaphore), EAGAIN,
		    wait_until(semaphore, until));
}

static inline __attribute__((always_inline)) int record_clock(sem_t *semaphore, clockid_t clock,
							      const struct timespec *until)
{
	if (!lock_is_clock(clock) || !lock_is_time(until))
		return wait_by_clock(semaphore, clock, until);
	RECORD_WAIT(semaphore_wait, semaphore, try_semaphore(semaphore), EAGAIN,
		    wait_by_clock(semaphore, clock, until));
}

PRELOAD_EXPORT int sem_wait(sem_t *semaphore)
{
	return finish_semaphore(record_wait(semaphore));
}

PRELOAD_EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
	return finish_semaphore(record_timed(semaphore, until));
}

PRELOAD_EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	return finish_semaphore(record_clock(semaphore, clock, until));
}
