/* probe.c - what an event costs, beside what it cannot cost less than.
 *
 *	probe [--lttng NS] [DIR]
 *
 * Traces are made under DIR (default /dev/shm). The floor, measured in the same run, reads the
 *cycle counter and stores the bytes of the same events one behind the other, and does nothing else.
 *Each number of ns is the least of several runs. --lttng tells what LTTng-UST takes for the event
 *of two 64-bit fields (lttng.sh measures it), for the comparison.
 */
#define _GNU_SOURCE
#include "bench-trace.h"
#include "probe/watch.h"

#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	EVENTS = 1000000,
	RUNS = 7,
	WARM_BYTES = 1 << 20,
	NEW_BYTES = 512 << 20,
	NEW_RUNS = 3,
	TIMED = 500000,
	PATH_BYTES = 256,
};

static char directory[PATH_BYTES] = "/dev/shm/ltt-bench";
static const uint64_t array[32] = {1, 2, 3};
static const char text[] = "a string of 20 bytes";

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

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

/* The header of an event, stored as a compiler cannot leave out. */
static inline void store_header(char *at, uint64_t cycles)
{
	*(volatile uint16_t *)(void *)at = 7;
	*(volatile uint32_t *)(void *)(at + 2) = (uint32_t)cycles;
}

static inline void store_bytes(char *at, const void *bytes, size_t size)
{
	memcpy(at, bytes, size);
	__asm__ __volatile__("" ::: "memory");
}

/* A kind of event: how to trace one, and the bare stores of its payload. */
#define KIND(NAME, BYTES, TRACE, STORE)                                                            \
	static __attribute__((noinline)) void trace_##NAME(uint64_t events)                        \
	{                                                                                          \
		for (uint64_t i = 0; i < events; i++)                                              \
			TRACE;                                                                     \
	}                                                                                          \
	static __attribute__((noinline)) void floor_##NAME(char *buffer, uint64_t events,          \
							   bool ordered)                           \
	{                                                                                          \
		size_t offset = 0;                                                                 \
                                                                                                   \
		for (uint64_t i = 0; i < events; i++) {                                            \
			char *at = buffer + offset + 6;                                            \
                                                                                                   \
			store_header(at - 6, read_counter(ordered));                               \
			STORE;                                                                     \
			(void)at;                                                                  \
			offset += 6 + (BYTES);                                                     \
			if (offset + 6 + (BYTES) > WARM_BYTES)                                     \
				offset = 0;                                                        \
		}                                                                                  \
	}

static inline void store_two(char *at, uint64_t i)
{
	*(volatile uint64_t *)(void *)at = i;
	*(volatile uint64_t *)(void *)(at + 8) = i * 3;
}

KIND(none, 0, trace_bench_none(), (void)0)
KIND(two, 16, trace_bench_two(i, i * 3), store_two(at, i))
KIND(eight, 64, trace_bench_eight(array), store_bytes(at, array, 64))
KIND(many, 256, trace_bench_many(array), store_bytes(at, array, 256))
KIND(text, 21, trace_bench_text(text), store_bytes(at, text, 21))

static const struct kind {
	const char *title;
	void (*trace)(uint64_t events);
	void (*floor)(char *buffer, uint64_t events, bool ordered);
} kinds[] = {
	{"no payload", trace_none, floor_none},
	{"two 64-bit fields (16 bytes)", trace_two, floor_two},
	{"array of 64 bytes", trace_eight, floor_eight},
	{"array of 256 bytes", trace_many, floor_many},
	{"string of 20 bytes", trace_text, floor_text},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]), TWO = 1 };

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status, (void)type, (void)walk;
	return remove(path);
}

static void start(uint64_t flight_bytes, bool ordered)
{
	const struct ltt_probe_options options = {
		.size_bytes = sizeof(options),
		.flight_bytes = flight_bytes,
		.clock = ordered ? LTT_PROBE_CLOCK_ORDERED : LTT_PROBE_CLOCK_FAST,
	};
	int result = ltt_probe_start(directory, &options);

	if (result != 0) {
		fprintf(stderr, "probe: %s: %s\n", directory, strerror(-result));
		exit(2);
	}
}

static void stop(void)
{
	ltt_probe_stop();
	nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

static double floor_ns(const struct kind *kind, char *buffer, bool ordered)
{
	double best = 1e9;

	for (int run = 0; run < RUNS; run++) {
		double begin = now_ns();

		kind->floor(buffer, EVENTS, ordered);
		best = least(best, (now_ns() - begin) / EVENTS);
	}
	return best;
}

/* Events into a flight recorder, or with tracing off. */
static double event_ns(const struct kind *kind)
{
	double best = 1e9;

	for (int run = 0; run < RUNS; run++) {
		double begin = now_ns();

		kind->trace(EVENTS);
		best = least(best, (now_ns() - begin) / EVENTS);
	}
	return best;
}

static int compare(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Times events one by one: the median and the slowest of a thousand, less what the timing takes. */
static void event_quantiles(const struct kind *kind, double cycle_ns, double *median, double *slow)
{
	static uint32_t taken[TIMED];
	uint32_t nothing;

	for (int i = 0; i < TIMED; i++) {
		uint64_t before = read_counter(true);

		taken[i] = (uint32_t)(read_counter(true) - before);
	}
	qsort(taken, TIMED, sizeof(taken[0]), compare);
	nothing = taken[TIMED / 2];
	for (int i = 0; i < TIMED; i++) {
		uint64_t before = read_counter(true);

		kind->trace(1);
		taken[i] = (uint32_t)(read_counter(true) - before);
	}
	qsort(taken, TIMED, sizeof(taken[0]), compare);
	*median = ((double)taken[TIMED / 2] - nothing) * cycle_ns;
	*slow = ((double)taken[TIMED - TIMED / 1000] - nothing) * cycle_ns;
}

static double measure_cycle_ns(void)
{
	double begin = now_ns();
	uint64_t cycles = read_counter(true);

	while (now_ns() - begin < 2e7)
		;
	return (now_ns() - begin) / (double)(read_counter(true) - cycles);
}

static void print_table(bool ordered, double cycle_ns, double lttng_ns)
{
	char *buffer = aligned_alloc(4096, WARM_BYTES);

	memset(buffer, 0, WARM_BYTES);
	printf("\nflight recorder of 1 MiB, --clock %s\n", ordered ? "ordered" : "fast");
	printf("%-32s %8s %8s %7s %8s %8s%s\n", "payload", "floor", "event", "ratio", "median",
	       "99.9 %", lttng_ns > 0 ? "   LTTng/event" : "");
	for (int i = 0; i < KINDS; i++) {
		double floor = floor_ns(&kinds[i], buffer, ordered), event, median, slow;

		start(WARM_BYTES, ordered);
		event = event_ns(&kinds[i]);
		event_quantiles(&kinds[i], cycle_ns, &median, &slow);
		stop();
		printf("%-32s %8.2f %8.2f %7.2f %8.1f %8.1f", kinds[i].title, floor, event,
		       event / floor, median, slow);
		if (lttng_ns > 0 && i == TWO)
			printf("   %11.1f", lttng_ns / event);
		putchar('\n');
	}
	free(buffer);
}

static double new_pages_floor_ns(void)
{
	char path[PATH_BYTES + 8];
	double best = 1e9;

	snprintf(path, sizeof(path), "%s.floor", directory);
	for (int run = 0; run < NEW_RUNS; run++) {
		int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
		char *file = MAP_FAILED;
		uint64_t events = 0;
		double begin;

		if (fd >= 0 && posix_fallocate(fd, 0, NEW_BYTES) == 0)
			file = mmap(NULL, NEW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (file == MAP_FAILED) {
			perror(path);
			exit(2);
		}
		begin = now_ns();
		for (size_t at = 0; at + 22 <= NEW_BYTES; at += 22) {
			store_header(file + at, read_counter(true));
			store_two(file + at + 6, events++);
		}
		best = least(best, (now_ns() - begin) / (double)events);
		munmap(file, NEW_BYTES);
		close(fd);
		unlink(path);
	}
	return best;
}

/* Another process that makes space ahead of the writer, as `ltt record` does. */
static pid_t start_feeder(void)
{
	static struct lttp_session session;
	struct lttp_feed feed;
	pid_t parent = getpid(), child = fork();

	if (child != 0)
		return child;
	if (lttp_session_open(&session, directory, LTTP_SESSION_WATCH) != 0 ||
	    lttp_feed_open(&feed, &session) != 0)
		_exit(2);
	while (getppid() == parent) {
		uint64_t ns = lttp_feed_session(&feed, &session);
		struct timespec wait = {0, (long)ns};

		nanosleep(&wait, NULL);
	}
	_exit(0);
}

static double new_pages_ns(bool fed)
{
	const uint64_t events = NEW_BYTES / 22;
	double best = 1e9;

	for (int run = 0; run < NEW_RUNS; run++) {
		pid_t feeder = 0;
		double begin;

		start(0, true);
		if (fed)
			feeder = start_feeder();
		trace_two(EVENTS);
		begin = now_ns();
		trace_two(events);
		best = least(best, (now_ns() - begin) / (double)events);
		if (feeder > 0) {
			kill(feeder, SIGKILL);
			waitpid(feeder, NULL, 0);
		}
		stop();
	}
	return best;
}

/* One thread on each of some CPUs, all tracing at the same time. */
static pthread_barrier_t barrier;
static double thread_ns[1024];

static void *run_on_cpu(void *data)
{
	long cpu = (long)data;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	trace_two(1000);
	thread_ns[cpu] = 1e9;
	for (int run = 0; run < RUNS; run++) {
		double begin;

		pthread_barrier_wait(&barrier);
		begin = now_ns();
		trace_two(EVENTS);
		thread_ns[cpu] = least(thread_ns[cpu], (now_ns() - begin) / EVENTS);
	}
	return NULL;
}

/* The slowest of @n threads. */
static double threads_ns(long n)
{
	pthread_t threads[1024];
	double worst = 0;

	start(WARM_BYTES, true);
	pthread_barrier_init(&barrier, NULL, (unsigned)n);
	for (long i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, run_on_cpu, (void *)i);
	for (long i = 0; i < n; i++) {
		pthread_join(threads[i], NULL);
		worst = thread_ns[i] > worst ? thread_ns[i] : worst;
	}
	pthread_barrier_destroy(&barrier);
	stop();
	return worst;
}

static void print_line(const char *title, double floor, double event)
{
	printf("%-44s %8.2f %8.2f %7.2f\n", title, floor, event, event / floor);
}

int main(int argc, char **argv)
{
	double lttng_ns = 0, cycle_ns = measure_cycle_ns(), one, floor;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--lttng") == 0 && i + 1 < argc)
			lttng_ns = atof(argv[++i]);
		else
			snprintf(directory, sizeof(directory), "%s/ltt-bench.%d", argv[i],
				 (int)getpid());
	}
	printf("ns an event; LTTng-UST: ");
	printf(lttng_ns > 0 ? "%.1f for two 64-bit fields\n" : "not measured\n", lttng_ns);
	print_table(true, cycle_ns, lttng_ns);
	print_table(false, cycle_ns, lttng_ns);

	printf("\ntwo 64-bit fields, --clock ordered\n%-44s %8s %8s %7s\n", "", "floor", "event",
	       "ratio");
	floor = new_pages_floor_ns();
	print_line("512 MiB of new pages, fed by `ltt record`", floor, new_pages_ns(true));
	print_line("512 MiB of new pages, the program alone", floor, new_pages_ns(false));
	one = threads_ns(1);
	if (cpus > 1024)
		cpus = 1024;
	print_line("one thread on each CPU, against one thread", one, threads_ns(cpus));
	printf("%-44s %8s %8.2f\n", "tracing off", "", event_ns(&kinds[TWO]));
	return 0;
}
