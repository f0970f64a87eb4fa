/* threads.c - trace at the end of threads, and in more threads than the fast path admits.
 *
 *	threads ending N    N threads, one after the other, trace 5 events each, and 5 in each of the
 *	                    four rounds of destructors of their keys
 *	threads crowd N     N threads trace 5 events each while all of them exist
 */
#include "probe/demo-trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EVENTS = 5, STACK_BYTES = 65536 };

static __thread uint64_t number;
static pthread_barrier_t all_have_begun, all_have_traced;
static pthread_key_t key;

static void trace_some(void)
{
	uint64_t who = (uint64_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid);

	for (int i = 0; i < EVENTS; i++)
		trace_demo_pair(who, number++);
}

/* Stays set, so that it is called in all rounds. */
static void destroy(void *value)
{
	trace_some();
	pthread_setspecific(key, value);
}

static void *end_later(void *data)
{
	trace_some();
	pthread_setspecific(key, &number);
	return data;
}

static void *be_one_of_many(void *data)
{
	pthread_barrier_wait(&all_have_begun);
	trace_some();
	pthread_barrier_wait(&all_have_traced);
	return data;
}

static int fail(const char *what)
{
	perror(what);
	return 1;
}

static int run(void *(*start)(void *), unsigned n, unsigned at_once)
{
	pthread_t *threads = calloc(n, sizeof(*threads));
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_BYTES);
	for (unsigned i = 0; i < n; i++) {
		errno = pthread_create(&threads[i], &small, start, NULL);
		if (errno != 0)
			return fail("pthread_create");
		if (i + 1 >= at_once)
			pthread_join(threads[i + 1 - at_once], NULL);
	}
	for (unsigned i = n + 1 - at_once; i < n; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned n = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 0;

	if (n == 0)
		return 2;
	/* A key after that of the probe, so that its destructor is called after that one. */
	errno = pthread_key_create(&key, destroy);
	if (errno != 0)
		return fail("pthread_key_create");
	if (strcmp(argv[1], "ending") == 0)
		return run(end_later, n, 1);
	pthread_barrier_init(&all_have_begun, NULL, n);
	pthread_barrier_init(&all_have_traced, NULL, n);
	return run(be_one_of_many, n, n);
}
