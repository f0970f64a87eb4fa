/* mutexes.c - records waits for mutexes and read-write locks.
 *
 * A mutex that is free costs a trial and no event. The functions that only try never wait, so they are
 * not replaced.
 */
#define _GNU_SOURCE
#include "locks.h"
#include "next.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

/* ---- mutexes ---- */

NEXT_VARIABLE(pthread_mutex_lock);
NEXT_VARIABLE(pthread_mutex_timedlock);
NEXT_VARIABLE(pthread_mutex_clocklock);

PRELOAD_EXPORT int pthread_mutex_lock(pthread_mutex_t *lock)
{
	RECORD_WAIT(mutex_wait, lock, pthread_mutex_trylock(lock), EBUSY,
		    NEXT(pthread_mutex_lock)(lock));
}

PRELOAD_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *lock, const struct timespec *until)
{
	RECORD_WAIT(mutex_wait, lock, pthread_mutex_trylock(lock), EBUSY,
		    NEXT(pthread_mutex_timedlock)(lock, until));
}

PRELOAD_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock,
					   const struct timespec *until)
{
	/* The time is checked only if the mutex is not free. */
	if (!lock_is_clock(clock))
		return NEXT(pthread_mutex_clocklock)(lock, clock, until);
	RECORD_WAIT(mutex_wait, lock, pthread_mutex_trylock(lock), EBUSY,
		    NEXT(pthread_mutex_clocklock)(lock, clock, until));
}

/* ---- read-write locks ---- */

NEXT_VARIABLE(pthread_rwlock_rdlock);
NEXT_VARIABLE(pthread_rwlock_timedrdlock);
NEXT_VARIABLE(pthread_rwlock_clockrdlock);
NEXT_VARIABLE(pthread_rwlock_wrlock);
NEXT_VARIABLE(pthread_rwlock_timedwrlock);
NEXT_VARIABLE(pthread_rwlock_clockwrlock);

PRELOAD_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	RECORD_WAIT(read_wait, lock, pthread_rwlock_tryrdlock(lock), EBUSY,
		    NEXT(pthread_rwlock_rdlock)(lock));
}

PRELOAD_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
	if (!lock_is_time(until))
		return NEXT(pthread_rwlock_timedrdlock)(lock, until);
	RECORD_WAIT(read_wait, lock, pthread_rwlock_tryrdlock(lock), EBUSY,
		    NEXT(pthread_rwlock_timedrdlock)(lock, until));
}

PRELOAD_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
					      const struct timespec *until)
{
	if (!lock_is_clock(clock) || !lock_is_time(until))
		return NEXT(pthread_rwlock_clockrdlock)(lock, clock, until);
	RECORD_WAIT(read_wait, lock, pthread_rwlock_tryrdlock(lock), EBUSY,
		    NEXT(pthread_rwlock_clockrdlock)(lock, clock, until));
}

PRELOAD_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	RECORD_WAIT(write_wait, lock, pthread_rwlock_trywrlock(lock), EBUSY,
		    NEXT(pthread_rwlock_wrlock)(lock));
}

PRELOAD_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
	if (!lock_is_time(until))
		return NEXT(pthread_rwlock_timedwrlock)(lock, until);
	RECORD_WAIT(write_wait, lock, pthread_rwlock_trywrlock(lock), EBUSY,
		    NEXT(pthread_rwlock_timedwrlock)(lock, until));
}

PRELOAD_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
					      const struct timespec *until)
{
	if (!lock_is_clock(clock) || !lock_is_time(until))
		return NEXT(pthread_rwlock_clockwrlock)(lock, clock, until);
	RECORD_WAIT(write_wait, lock, pthread_rwlock_trywrlock(lock), EBUSY,
		    NEXT(pthread_rwlock_clockwrlock)(lock, clock, until));
}
