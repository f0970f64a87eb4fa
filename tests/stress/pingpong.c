/* pingpong.c - two threads on two CPUs, each of which observes a store of the other and then traces.
 *
 *	pingpong turns N    the threads trace alternating numbers; each waits for the other's store
 *	pingpong queue N    one traces a number, then stores it; the other loads it, then traces it
 *
 * The stores determine the order of the events. An event demo.pair has the number, and 0 for the
 * first thread or 1 for the second.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static uint64_t turn __attribute__((aligned(64)));
static uint64_t turns;

static void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void play(uint64_t side)
{
	for (uint64_t i = side; i < turns; i += 2) {
		while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != i)
			;
		trace_demo_pair(i, side);
		__atomic_store_n(&turn, i + 1, __ATOMIC_RELEASE);
	}
}

static void *play_second(void *unused)
{
	stay_on(1);
	play(1);
	return unused;
}

static void produce(void)
{
	for (uint64_t i = 1; i <= turns; i++) {
		trace_demo_pair(i, 0);
		__atomic_store_n(&turn, i, __ATOMIC_RELEASE);
	}
}

static void *consume(void *unused)
{
	uint64_t seen = 0, now;

	stay_on(1);
	while (seen < turns) {
		now = __atomic_load_n(&turn, __ATOMIC_ACQUIRE);
		if (now != seen)
			trace_demo_pair(now, 1);
		seen = now;
	}
	return unused;
}

int main(int argc, char **argv)
{
	int queue = argc > 2 && strcmp(argv[1], "queue") == 0;
	pthread_t second;

	if (argc < 3)
		return 2;
	turns = strtoull(argv[2], NULL, 0);
	stay_on(0);
	if (pthread_create(&second, NULL, queue ? consume : play_second, NULL) != 0)
		return 1;
	if (queue)
		produce();
	else
		play(0);
	pthread_join(second, NULL);
	return 0;
}
