/* measure.c - see measure.h */
#define _GNU_SOURCE
#include "measure.h"

#include <sched.h>
#include <time.h>

static double clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

double now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

double thread_cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void pin(long number)
{
	cpu_set_t allowed;
	cpu_set_t one;
	long n_allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return;
	n_allowed = CPU_COUNT(&allowed);
	CPU_ZERO(&one);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &allowed) && number-- % n_allowed == 0) {
			CPU_SET(cpu, &one);
			sched_setaffinity(0, sizeof(one), &one);
			return;
		}
	}
}

double measure_cycle_ns(void)
{
	double begin = now_ns();
	uint64_t cycles = read_counter(true);

	while (now_ns() - begin < 5e7)
		;
	return (now_ns() - begin) / (double)(read_counter(true) - cycles);
}
