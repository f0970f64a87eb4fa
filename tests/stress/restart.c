/* restart.c - stop a trace and start another one, while a thread is in its first event.
 *
 *	restart FIRST SECOND [refuse]
 *
 * The probe calls syscall(2) of libc, and this program has a function of that name, which stops the
 * thread where the probe asks for its number. Meanwhile the main thread stops the trace FIRST and
 * tries to start SECOND. Then the thread returns and ends, and SECOND gets one event each of two
 * threads that live at the same time. Prints what ltt_probe_start() returns. With "refuse", restartable
 * sequences cannot be registered, as with an old kernel.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t arrived, may_go_on, has_traced, may_end;
static __thread int stops_here;
static int refuses;

long syscall(long number, ...)
{
	static long (*real)(long number, ...);
	long words[6];
	va_list rest;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	va_start(rest, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(rest, long);
	va_end(rest);
	if (stops_here && number == SYS_gettid) {
		stops_here = 0;
		sem_post(&arrived);
		sem_wait(&may_go_on);
	}
	if (refuses && number == SYS_rseq) {
		errno = ENOSYS;
		return -1;
	}
	return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

static void *stop_in_event(void *unused)
{
	stops_here = 1;
	trace_demo_pair(1, 0);
	return unused;
}

static void *trace_once(void *unused)
{
	trace_demo_pair((uint64_t)syscall(SYS_gettid), 0);
	sem_post(&has_traced);
	sem_wait(&may_end);
	return unused;
}

static void start(const char *name, const char *directory)
{
	printf("%s %d\n", name, ltt_probe_start(directory, NULL));
}

int main(int argc, char **argv)
{
	pthread_t stopped, threads[2];

	if (argc < 3 || sem_init(&arrived, 0, 0) != 0 || sem_init(&may_go_on, 0, 0) != 0 ||
	    sem_init(&has_traced, 0, 0) != 0 || sem_init(&may_end, 0, 0) != 0)
		return 2;
	refuses = argc > 3;
	start("first", argv[1]);
	if (pthread_create(&stopped, NULL, stop_in_event, NULL) != 0)
		return 2;
	sem_wait(&arrived);
	ltt_probe_stop();
	start("early", argv[2]);
	sem_post(&may_go_on);
	pthread_join(stopped, NULL);
	start("second", argv[2]);
	for (int i = 0; i < 2; i++) {
		if (pthread_create(&threads[i], NULL, trace_once, NULL) != 0)
			return 2;
		sem_wait(&has_traced);
	}
	for (int i = 0; i < 2; i++)
		sem_post(&may_end);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	ltt_probe_stop();
	return 0;
}
