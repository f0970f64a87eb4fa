/* stale.c - a thread is interrupted where it enters its lane, while the process changes its trace.
 *
 *	stale FIRST SECOND [handler]
 *
 * The lanes are protected, so the store that announces an event there raises SIGSEGV. The handler of
 * the thread waits until the process has stopped the trace FIRST and started SECOND; with "handler",
 * it then traces an event of its own. Meanwhile another thread is in an event of SECOND in the same
 * lane: its payload is protected. Prints the state of this lane before and after the first thread
 * returns.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"
#include "probe/lane.h"
#include "probe/self.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static sem_t arrived, may_go_on, is_writing, may_write;
static char *text; /* payload of an event of SECOND */
static long page;
static int traces_in_handler;

static void protect(void *at, int protection)
{
	mprotect((void *)((uintptr_t)at & ~(uintptr_t)(page - 1)), (size_t)page, protection);
}

/* A handler returns to the instruction that failed, which then succeeds. */
static void fault(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	if (info->si_addr >= (void *)text && info->si_addr < (void *)(text + page)) {
		sem_post(&is_writing);
		sem_wait(&may_write);
		protect(text, PROT_READ);
		return;
	}
	protect(lttp_probe.lanes, PROT_READ | PROT_WRITE);
	sem_post(&arrived);
	sem_wait(&may_go_on);
	if (traces_in_handler)
		trace_demo_pair(2, 0);
}

static void *trace_stale(void *unused)
{
	trace_demo_pair(1, 0);
	protect(lttp_probe.lanes, PROT_READ);
	trace_demo_pair(1, 1);
	trace_demo_pair(1, 2);
	return unused;
}

static void *trace_next(void *unused)
{
	trace_demo_pair(3, 0);
	ltt_probe_write_bytes(&DEMO, 1, 2 * sizeof(uint64_t), text);
	return unused;
}

static void print_lane(const char *when)
{
	const struct lttp_lane *lane = &lttp_probe.lanes[0];

	printf("%s: busy %d, turns odd %d\n", when, lane->busy != 0,
	       (int)(lttp_probe.session.files[lane->number].turns & 1));
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO};
	pthread_t stale, next;

	page = sysconf(_SC_PAGESIZE);
	text = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (argc < 3 || text == MAP_FAILED || sem_init(&arrived, 0, 0) != 0 ||
	    sem_init(&may_go_on, 0, 0) != 0 || sem_init(&is_writing, 0, 0) != 0 ||
	    sem_init(&may_write, 0, 0) != 0 || sigaction(SIGSEGV, &action, NULL) != 0)
		return 2;
	traces_in_handler = argc > 3;
	printf("first %d\n", ltt_probe_start(argv[1], NULL));
	if (pthread_create(&stale, NULL, trace_stale, NULL) != 0)
		return 2;
	sem_wait(&arrived);
	ltt_probe_stop();
	printf("second %d\n", ltt_probe_start(argv[2], NULL));
	protect(text, PROT_NONE);
	if (pthread_create(&next, NULL, trace_next, NULL) != 0)
		return 2;
	sem_wait(&is_writing);
	print_lane("before");
	sem_post(&may_go_on);
	pthread_join(stale, NULL);
	print_lane("after");
	sem_post(&may_write);
	pthread_join(next, NULL);
	print_lane("at the end");
	ltt_probe_stop();
	return 0;
}
