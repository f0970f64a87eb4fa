/* borrow.c - children that run in the memory of their parent until exec, and what may happen meanwhile.
 *
 *	borrow nested N        a child of vfork() calls vfork() itself, then traces N events
 *	borrow first N         a forked process calls vfork() before its first event
 *	borrow handler N       N times a signal handler traces in the parent before vfork() returns
 *	borrow fork N          children of vfork() fork processes, which trace N events each at once, without a registration
 *	                       of restartable sequences
 *	borrow copies N LIB    a child of vfork() calls LIB, plugin.c with its own copy of the probe
 *	borrow killed N DIR    N children are killed while they trace. Then the program starts another trace in DIR
 *	borrow twice N         a handler of pthread_atfork(3) that is registered first traces in the child
 *
 * Events have the pid of the process that traces. Prints the number of those that a child in the memory of its
 * parent traced, and of the others.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 20, LIBRARY_EVENTS = 100, GRANDCHILDREN = 4 };

static struct {
	uint64_t borrowed, own;
} * counts;

static void trace(uint64_t *count, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		trace_demo_pair((uint64_t)getpid(), i);
	__atomic_fetch_add(count, n, __ATOMIC_SEQ_CST);
}

static void await(pid_t child)
{
	waitpid(child, NULL, 0);
}

static void nest(uint64_t n)
{
	for (int i = 0; i < ROUNDS; i++) {
		pid_t child = vfork();

		if (child == 0) {
			pid_t other = vfork();

			if (other == 0)
				_exit(0);
			trace(&counts->borrowed, n);
			_exit(0);
		}
		await(child);
		trace(&counts->own, n);
	}
}

static void in_processes(void (*work)(uint64_t n), uint64_t n)
{
	pid_t children[4];

	trace(&counts->own, 1);
	for (int i = 0; i < 4; i++) {
		children[i] = fork();
		if (children[i] == 0) {
			work(n);
			_exit(0);
		}
	}
	for (int i = 0; i < 4; i++)
		await(children[i]);
}

static void trace_first_in_child(uint64_t n)
{
	pid_t child = vfork();

	if (child == 0) {
		trace(&counts->borrowed, n);
		_exit(0);
	}
	await(child);
	trace(&counts->own, n);
}

static void handle(int number)
{
	(void)number;
	trace(&counts->own, 1);
}

static void be_interrupted(uint64_t n)
{
	signal(SIGUSR1, handle);
	trace(&counts->own, 1);
	for (uint64_t i = 0; i < n; i++) {
		pid_t child = vfork();

		if (child == 0) {
			kill(getppid(), SIGUSR1);
			_exit(0);
		}
		await(child);
	}
}

static void fork_in_child(uint64_t n)
{
	int start[2], end[2];
	char byte;

	trace(&counts->own, 1);
	if (pipe(start) != 0 || pipe(end) != 0)
		exit(2);
	for (int i = 0; i < GRANDCHILDREN; i++) {
		pid_t child = vfork();

		if (child == 0) {
			if ((i % 2 == 0 ? fork() : syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) == 0) {
				close(start[1]);
				(void)!read(start[0], &byte, 1);
				trace(&counts->own, n);
				_exit(0);
			}
			_exit(0);
		}
		await(child);
	}
	close(start[1]);
	close(end[1]);
	/* Until all have ended. */
	(void)!read(end[0], &byte, 1);
}

static void (*library_work)(uint64_t number);

static __attribute__((noinline)) void borrow_in_library(void)
{
	for (int k = 0; k < ROUNDS; k++)
		library_work(1);
	counts->borrowed += ROUNDS * LIBRARY_EVENTS;
}

static void use_library(uint64_t n)
{
#ifdef VFORK_BY_ADDRESS
	pid_t (*volatile call)(void) = vfork;
#else
#define call vfork
#endif

	trace(&counts->own, 1);
	library_work(0);
	counts->own += LIBRARY_EVENTS;
	for (volatile uint64_t i = 0; i < n; i++) {
		pid_t child = call();

		if (child == 0) {
			borrow_in_library();
			_exit(0);
		}
		await(child);
		library_work(0);
		counts->own += LIBRARY_EVENTS;
	}
}

static volatile pid_t victim;

static void *kill_children(void *unused)
{
	for (;;) {
		pid_t child = victim;

		usleep(300);
		if (child != 0) {
			victim = 0;
			kill(child, SIGKILL);
		}
	}
	return unused;
}

static int survive(uint64_t n, const char *directory)
{
	pthread_t killer;

	pthread_create(&killer, NULL, kill_children, NULL);
	trace(&counts->own, 1);
	for (uint64_t i = 0; i < n; i++) {
		pid_t child = vfork();

		if (child == 0) {
			victim = getpid();
			for (;;)
				trace_demo_pair(0, 0);
		}
		await(child);
	}
	ltt_probe_stop();
	if (ltt_probe_start(directory, NULL) != 0)
		return 1;
	trace_demo_pair(1, 0);
	ltt_probe_stop();
	return 0;
}

static void trace_own(uint64_t n)
{
	trace(&counts->own, n);
}

static int traces_in_forked;

static void trace_in_forked(void)
{
	if (traces_in_forked)
		trace(&counts->own, 1);
}

/* Before the constructor of the probe. */
__attribute__((constructor(101))) static void register_first(void)
{
	pthread_atfork(NULL, NULL, trace_in_forked);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	void *library = argc > 3 && strcmp(what, "copies") == 0 ? dlopen(argv[3], RTLD_NOW) : NULL;
	int status = 0;

	traces_in_forked = strcmp(what, "twice") == 0;
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (counts == MAP_FAILED)
		return 2;
	if (strcmp(what, "nested") == 0)
		in_processes(nest, n);
	else if (strcmp(what, "first") == 0)
		in_processes(trace_first_in_child, n);
	else if (strcmp(what, "handler") == 0)
		be_interrupted(n);
	else if (strcmp(what, "fork") == 0)
		fork_in_child(n);
	else if (library != NULL &&
		 (*(void **)&library_work = dlsym(library, "plugin_work")) != NULL)
		in_processes(use_library, n);
	else if (strcmp(what, "killed") == 0 && argc > 3)
		status = survive(n, argv[3]);
	else if (traces_in_forked)
		in_processes(trace_own, n);
	else
		return 2;
	printf("%llu %llu\n", (unsigned long long)counts->borrowed,
	       (unsigned long long)counts->own);
	return status;
}
