/* calls.c - print the nanoseconds of CPU time of a call of getppid().
 *
 *	calls N		makes N calls in 10 runs, and prints the least mean of a run, and the CPU seconds of all
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 10 };

static uint64_t get_cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
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
			syscall(SYS_getppid);
		mean = (double)(get_cpu_ns() - start) / (double)n;
		if (run == 0 || mean < least)
			least = mean;
	}
	printf("%.1f %.3f\n", least, (double)get_cpu_ns() / 1e9);
	return 0;
}
