/* clone.c - trace in the first processes of a PID namespace, which clone(2) makes without any
 * handler of pthread_atfork(3).
 *
 *	clone child N         such a process traces N events while its parent does
 *	clone grandchild N    it only calls fork(3), and its child traces
 *	clone killed N        N children trace one event each, and are killed
 *	clone executed N      traces one event, and executes itself with N - 1
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

/* Its own program in each child, as in a shell. */
static int kill_children(char *program, uint64_t n)
{
	char *words[] = {program, (char *)"killed", (char *)"1", NULL};
	int status = 0;

	for (uint64_t i = 0; i < n; i++) {
		pid_t child = fork();

		if (child == 0) {
			execv(program, words);
			_exit(1);
		}
		if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status))
			return 1;
	}
	return 0;
}

static int be_killed(void)
{
	trace_demo_pair(1, 0);
	raise(SIGKILL);
	return 1;
}

static int execute(char *program, uint64_t n)
{
	char number[32];
	char *words[] = {program, (char *)"executed", number, NULL};

	trace_demo_pair(1, 0);
	if (n == 1)
		return 0;
	snprintf(number, sizeof(number), "%llu", (unsigned long long)n - 1);
	execv(program, words);
	return 1;
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
	uint64_t number = 0;
	long child;
	int status;

	if (n == 0)
		return 2;
	if (strcmp(argv[1], "killed") == 0)
		return n == 1 ? be_killed() : kill_children(argv[0], n);
	if (strcmp(argv[1], "executed") == 0)
		return execute(argv[0], n);
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
