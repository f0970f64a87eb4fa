/* own-rseq.c - a program that registers restartable sequences itself, after an event, in two threads.
 *
 *	own-rseq unregister    it takes the registration of libc back instead
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { AREA_BYTES = 32, SIGNATURE = 0x53053053, UNREGISTER = 1 };

extern const ptrdiff_t __rseq_offset __attribute__((weak)); /* of glibc */

static int unregisters;

static __thread char area[AREA_BYTES] __attribute__((aligned(AREA_BYTES)));

static void *run(void *unused)
{
	long result;

	trace_demo_pair(1, 2);
	if (unregisters)
		result = syscall(SYS_rseq, (char *)__builtin_thread_pointer() + __rseq_offset,
				 AREA_BYTES, UNREGISTER, SIGNATURE);
	else
		result = syscall(SYS_rseq, area, AREA_BYTES, 0, SIGNATURE);
	puts(result != 0 ? strerror(errno) : unregisters ? "unregistered" : "registered");
	trace_demo_pair(3, 4);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	unregisters = argc > 1 && strcmp(argv[1], "unregister") == 0 && &__rseq_offset != NULL;
	run(NULL);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	return 0;
}
