/* functions.c - print the nanoseconds of CPU time of a call of a function, for the benchmark.
 *
 * usage: functions N          calls it N times in 10 runs, and prints the least mean of a run
 *
 * It is compiled with -finstrument-functions.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 10 };

/* The compiler would omit the calls. */
static volatile uint64_t sum;

__attribute__((noinline)) static void call(uint64_t number)
{
	sum += number;
}

__attribute__((no_instrument_function)) static uint64_t get_cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int main(int argc, char **argv)
{
	const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) / RUNS : 0;
	double least = 0;

	if (n == 0)
		return 2;
	for (int run = 0; run < RUNS; run++) {
		const uint64_t start = get_cpu_ns();
		double mean;

		for (uint64_t i = 0; i < n; i++)
			call(i);
		mean = (double)(get_cpu_ns() - start) / (double)n;
		if (run == 0 || mean < least)
			least = mean;
	}
	printf("%.1f\n", least);
	return 0;
}
