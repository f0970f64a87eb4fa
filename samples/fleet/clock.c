/* clock.c - moves the wall clock of a program, so that machines that are namespaces have different
 * clocks: LD_PRELOAD=clock.so CLOCK_OFFSET_MS=250 PROGRAM */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock_id, struct timespec *tp)
{
	const char *offset = getenv("CLOCK_OFFSET_MS");
	const long result = syscall(SYS_clock_gettime, clock_id, tp);

	if (result == 0 && clock_id == CLOCK_REALTIME && offset != NULL) {
		const long ns = tp->tv_nsec + atol(offset) % 1000 * 1000000;

		tp->tv_sec += atol(offset) / 1000 + ns / 1000000000;
		tp->tv_nsec = ns % 1000000000;
	}
	return (int)result;
}
