/* clone-static.c - a static program that calls clone(2), and no other function of libc that starts a thread or a process.
 *
 * A child with memory of its own traces one event, one in the memory of the parent another, which is lost, and the
 * parent the last. Exit status 0: both children have been made, and have ended as they should.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

enum { STACK_BYTES = 65536, STATUS = 7 };

static int run(void *number)
{
	trace_demo_pair(*(const uint64_t *)number, 0);
	return STATUS;
}

static int make(int flags, uint64_t number)
{
	static char stack[STACK_BYTES] __attribute__((aligned(16)));
	pid_t child = clone(run, stack + sizeof(stack), flags | SIGCHLD, &number);
	int status = 0;

	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == STATUS;
}

int main(void)
{
	if (!make(0, 0) || !make(CLONE_VM | CLONE_VFORK, 1))
		return 1;
	trace_demo_pair(2, 0);
	return 0;
}
