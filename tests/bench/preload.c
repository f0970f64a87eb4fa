/* preload.c - the cost of calls of libc, in CPU time of the program.
 *
 * usage: preload malloc|lock|read CALLS
 *
 * Prints the nanoseconds of CPU time for a pair of malloc() and free(), a pair of
 * pthread_mutex_lock() and pthread_mutex_unlock(), or a read() of one byte, the best of some runs.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 5 };

static void *volatile kept;

static void pairs_of_malloc(long n)
{
	while (n-- > 0) {
		kept = malloc(64);
		free(kept);
	}
}

static void pairs_of_lock(long n)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	while (n-- > 0) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

static void reads(long n)
{
	const int fd = open("/dev/zero", O_RDONLY);
	char byte;

	while (n-- > 0 && read(fd, &byte, 1) == 1)
		;
	close(fd);
}

static const struct {
	const char *name;
	void (*run)(long);
} kinds[] = {{"malloc", pairs_of_malloc}, {"lock", pairs_of_lock}, {"read", reads}};

static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
	const long n = argc > 2 ? atol(argv[2]) : 1;
	double best = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (argc < 2 || strcmp(kinds[i].name, argv[1]) != 0)
			continue;
		for (int run = 0; run < RUNS; run++) {
			const double start = cpu_ns();
			double ns;

			kinds[i].run(n);
			ns = (cpu_ns() - start) / (double)n;
			best = run == 0 || ns < best ? ns : best;
		}
	}
	printf("%.2f\n", best);
	return 0;
}
