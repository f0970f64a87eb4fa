/* clone.c - trace in the first processes of a PID namespace, which clone(2) makes without any
 * handler of pthread_atfork(3).
 *
 *	clone child N         such a process traces N events while its parent does
 *	clone grandchild N    it only calls fork(3), and its child traces
 *
 * An event demo.pair has 0 in the parent and 1 in the other process, and a count from 0. Exit status
 * 77: not permitted.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int trace(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		trace_demo_pair(1, i);
	return 0;
}

static int trace_in_child(uint64_t n)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(trace(n));
	return child > 0 && waitpid(child, &status, 0) == child ? status : 1;
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
	uint64_t number = 0;
	long child;
	int status;

	if (n == 0)
		return 2;
	trace_demo_pair(0, number++);
	child = syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD, NULL, NULL, NULL, NULL);
	if (child == 0)
		_exit(strcmp(argv[1], "child") == 0 ? trace(n) : trace_in_child(n));
	if (child < 0)
		return 77;
	while (waitpid((pid_t)child, &status, WNOHANG) == 0)
		trace_demo_pair(0, number++);
	return status == 0 ? 0 : 1;
}
