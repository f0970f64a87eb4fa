/* daemon.c - a traced program that becomes a daemon.
 *
 *	daemon FIFO
 *
 * Traces events, becomes a daemon by two forks (the foreground process exits with status 3), traces
 * as many events in the background, waits until FIFO has been opened and closed, and traces as many
 * again. When it opens FIFO, the other two processes have exited.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EVENTS = 10 };

static uint64_t number;

static void trace_some(void)
{
	uint64_t self = (uint64_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid);

	for (int i = 0; i < EVENTS; i++)
		trace_demo_pair(self, number++);
}

int main(int argc, char **argv)
{
	pid_t first = getpid(), second;
	char byte;
	int fifo;

	if (argc < 2)
		return 2;
	trace_some();
	if (fork() != 0)
		exit(3);
	setsid();
	while (getppid() == first)
		sched_yield();
	second = getpid();
	if (fork() != 0)
		_exit(0);
	while (getppid() == second)
		sched_yield();
	number = 0;
	trace_some();
	fifo = open(argv[1], O_RDONLY);
	while (read(fifo, &byte, 1) > 0)
		;
	trace_some();
	return 0;
}
