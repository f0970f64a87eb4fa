/* refused-locks.c - print the results of functions that wait for locks and semaphores, with time limits
 * and clocks that they refuse, and in cancelled threads. Tracing must not change a line.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { NO_CLOCK = 99 };

static const struct timespec no_time = {.tv_nsec = 2000000000}, past = {.tv_sec = 1};

static void say(const char *call, int error)
{
	printf("%s: %s\n", call, error != 0 ? strerror(error) : "done");
}

static void say_errno(const char *call, int result)
{
	say(call, result != 0 ? errno : 0);
}

static void use_mutex(int kind, int is_held)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, kind);
	pthread_mutex_init(&mutex, &attributes);
	if (is_held)
		pthread_mutex_lock(&mutex);
	say("mutex, no clock", pthread_mutex_clocklock(&mutex, NO_CLOCK, &past));
	say("mutex, CPU time", pthread_mutex_clocklock(&mutex, CLOCK_THREAD_CPUTIME_ID, &past));
	say("mutex, no time", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &no_time));
	say("mutex, past", pthread_mutex_timedlock(&mutex, &past));
}

static void use_rwlock(int (*hold)(pthread_rwlock_t *))
{
	pthread_rwlock_t lock;

	pthread_rwlock_init(&lock, NULL);
	if (hold != NULL)
		hold(&lock);
	say("read, no time", pthread_rwlock_timedrdlock(&lock, &no_time));
	say("write, no time", pthread_rwlock_timedwrlock(&lock, &no_time));
	say("read, no clock", pthread_rwlock_clockrdlock(&lock, NO_CLOCK, &past));
	say("write, no clock", pthread_rwlock_clockwrlock(&lock, NO_CLOCK, &past));
	say("read by clock, no time", pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &no_time));
	say("write by clock, no time", pthread_rwlock_clockwrlock(&lock, CLOCK_REALTIME, &no_time));
	say("write, past", pthread_rwlock_timedwrlock(&lock, &past));
}

static void use_semaphore(unsigned value)
{
	sem_t semaphore;
	int left;

	sem_init(&semaphore, 0, value);
	say_errno("semaphore, no time", sem_timedwait(&semaphore, &no_time));
	say_errno("semaphore, no clock", sem_clockwait(&semaphore, NO_CLOCK, &past));
	say_errno("semaphore by clock, no time",
		  sem_clockwait(&semaphore, CLOCK_REALTIME, &no_time));
	say_errno("semaphore, past", sem_timedwait(&semaphore, &past));
	sem_getvalue(&semaphore, &left);
	printf("%d left\n", left);
}

static sem_t free_semaphore;

static void *wait_cancelled(void *data)
{
	const int *how = data;

	pthread_cancel(pthread_self());
	if (*how == 0)
		sem_wait(&free_semaphore);
	else if (*how == 1)
		sem_timedwait(&free_semaphore, &past);
	else
		sem_clockwait(&free_semaphore, CLOCK_MONOTONIC, &past);
	return NULL;
}

static void cancel(int how)
{
	pthread_t thread;
	void *result;
	int left;

	sem_init(&free_semaphore, 0, 1);
	pthread_create(&thread, NULL, wait_cancelled, &how);
	pthread_join(thread, &result);
	sem_getvalue(&free_semaphore, &left);
	printf("%s, %d left\n", result == PTHREAD_CANCELED ? "cancelled" : "ran on", left);
}

int main(void)
{
	static const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
				    PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		use_mutex(kinds[i], 0);
		use_mutex(kinds[i], 1);
	}
	use_rwlock(NULL);
	use_rwlock(pthread_rwlock_rdlock);
	use_rwlock(pthread_rwlock_wrlock);
	use_semaphore(0);
	use_semaphore(5);
	for (int how = 0; how < 3; how++)
		cancel(how);
	return 0;
}
