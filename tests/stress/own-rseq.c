/* own-rseq.c - a program that registers restartable sequences itself, after an event, in two threads. */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { AREA_BYTES = 32, SIGNATURE = 0x53053053 };

static __thread char area[AREA_BYTES] __attribute__((aligned(AREA_BYTES)));

static void *run(void *unused)
{
	trace_demo_pair(1, 2);
	puts(syscall(SYS_rseq, area, AREA_BYTES, 0, SIGNATURE) == 0 ? "registered"
								    : strerror(errno));
	trace_demo_pair(3, 4);
	return unused;
}

int main(void)
{
	pthread_t thread;

	run(NULL);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	return 0;
}
