/* measure.h - two clocks, and CPU affinity, for programs that measure. */
#ifndef LTT_BENCH_MEASURE_H
#define LTT_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

double now_ns(void);

/* The CPU time of the calling thread, in user mode and in the kernel. */
double thread_cpu_ns(void);

/* Pins the calling thread to one of its permitted CPUs, by index. */
void pin(long number);

static inline double least(double a, double b)
{
	return a < b ? a : b;
}

/* Reads the cycle counter; after all earlier loads if @ordered. */
static inline uint64_t read_counter(bool ordered)
{
#if defined(__x86_64__)
	if (ordered)
		__asm__ __volatile__("lfence" ::: "memory");
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t value;

	if (ordered)
		__asm__ __volatile__("isb" ::: "memory");
	__asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(value));
	return value;
#else
	(void)ordered;
	return (uint64_t)now_ns();
#endif
}

/* Returns: the duration of a step of the counter */
double measure_cycle_ns(void);

#endif /* LTT_BENCH_MEASURE_H */
