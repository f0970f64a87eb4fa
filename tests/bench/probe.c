/* probe.c - measure the cost of an event in a traced program, and its floor.
 *
 * usage: probe DIR
 *
 * Traces are made under DIR and removed. Prints a line for each figure: what was measured, then
 * names and numbers in ns. Runs of the floor and of the event alternate. Each figure except median
 * and p99.9 is the minimum of many short runs, which reduces the influence of other load.
 */
#define _GNU_SOURCE
#include "kinds.h"
#include "measure.h"
#include "probe/attach.h"
#include "session/atomic.h"
#include "session/open.h"
#include "session/watch.h"

#include <ltt/ltt-probe.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	EVENTS = 100000,
	RUNS = 60,
	NEW_BYTES = 512 << 20,
	NEW_RUNS = 5,
	TIMED = 300000,
	MAX_THREADS = 1024,
};

static char directory[4096];

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status, (void)type, (void)walk;
	return remove(path);
}

static void fail(const char *what, int error)
{
	fprintf(stderr, "probe: %s: %s\n", what, strerror(error));
	exit(2);
}

static void start(uint64_t flight_bytes, bool ordered)
{
	const struct ltt_probe_options options = {
		.size_bytes = sizeof(options),
		.flight_bytes = flight_bytes,
		.clock = ordered ? LTT_PROBE_CLOCK_ORDERED : LTT_PROBE_CLOCK_FAST,
	};
	int result = ltt_probe_start(directory, &options);

	if (result != 0)
		fail(directory, -result);
}

static void stop(void)
{
	ltt_probe_stop();
	nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static double trace_ns(const struct kind *kind)
{
	double begin = now_ns();

	kind->trace(EVENTS);
	return (now_ns() - begin) / EVENTS;
}

static double floor_ns(const struct kind *kind, char *buffer, bool ordered)
{
	double begin = now_ns();

	kind->floor(buffer, EVENTS, ordered);
	return (now_ns() - begin) / EVENTS;
}

static int compare(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Times events one by one: the median and the slowest of a thousand, minus the cost of timing. */
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

static void measure_kind(const struct kind *kind, char *buffer, bool ordered, double cycle_ns)
{
	double floor = 1e9, event = 1e9, median, slow;

	start(WARM_BYTES, ordered);
	for (int run = 0; run < RUNS; run++) {
		floor = least(floor, floor_ns(kind, buffer, ordered));
		event = least(event, trace_ns(kind));
	}
	event_quantiles(kind, cycle_ns, &median, &slow);
	stop();
	printf("%s-%s floor %.2f event %.2f median %.1f p99.9 %.1f\n", ordered ? "ordered" : "fast",
	       kind->name, floor, event, median, slow);
}

static void measure_off(void)
{
	double event = 1e9;

	for (int run = 0; run < RUNS; run++)
		event = least(event, trace_ns(&kinds[KIND_TWO]));
	printf("off event %.2f\n", event);
}

static void set_switches(uint32_t value)
{
	for (size_t i = 0; i < lttp_attach.page_bytes / sizeof(*lttp_attach.switches); i++)
		lttp_store(&lttp_attach.switches[i], value);
}

/* As in the processes of a slot of which `ltt attach --pid` has selected another one. */
static void measure_unselected(void)
{
	struct lttp_attach_control *control = lttp_attach.control;
	double event = 1e9;

	if (control == NULL)
		return;
	lttp_store(&control->pids[0], (uint32_t)getppid());
	lttp_store(&control->wish.n_pids, 1);
	lttp_store(&control->gate.generation, 2);
	lttp_add(&control->wish.revision, 2);
	set_switches(2);
	for (int run = 0; run < RUNS; run++)
		event = least(event, trace_ns(&kinds[KIND_TWO]));
	set_switches(0);
	lttp_store(&control->gate.generation, 0);
	lttp_add(&control->wish.revision, 2);
	printf("unselected event %.2f\n", event);
}

/* The bare stores into a file that was allocated and mapped before. New pages are measured in CPU
 * time: half of it is system time, and the thread does not wait. */
static double new_pages_floor_ns(void)
{
	char path[sizeof(directory) + 8];
	uint64_t events;
	double begin, ns;
	char *file;
	int fd, result;

	snprintf(path, sizeof(path), "%s.floor", directory);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		fail(path, errno);
	result = posix_fallocate(fd, 0, NEW_BYTES);
	unlink(path);
	if (result != 0)
		fail(path, result);
	file = mmap(NULL, NEW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED)
		fail(path, errno);
	begin = thread_cpu_ns();
	events = floor_once(file, NEW_BYTES, true);
	ns = (thread_cpu_ns() - begin) / (double)events;
	munmap(file, NEW_BYTES);
	close(fd);
	return ns;
}

/* Another process that allocates space ahead of the writer, as `ltt record` does. */
static pid_t start_feeder(void)
{
	static struct lttp_session session;
	struct lttp_feed feed;
	pid_t parent = getpid(), child = fork();

	if (child != 0)
		return child;
	pin(1);
	if (lttp_session_open(&session, directory, LTTP_SESSION_WATCH) != 0 ||
	    lttp_feed_open(&feed, &session) != 0)
		_exit(2);
	while (getppid() == parent) {
		struct timespec wait = {0, (long)lttp_feed_session(&feed, &session)};

		nanosleep(&wait, NULL);
	}
	_exit(0);
}

static double new_pages_ns(bool fed)
{
	const uint64_t events = NEW_BYTES / 22;
	pid_t feeder = 0;
	double begin, ns;

	start(0, true);
	if (fed)
		feeder = start_feeder();
	kinds[KIND_TWO].trace(EVENTS);
	begin = thread_cpu_ns();
	kinds[KIND_TWO].trace(events);
	ns = (thread_cpu_ns() - begin) / (double)events;
	if (feeder > 0) {
		kill(feeder, SIGKILL);
		waitpid(feeder, NULL, 0);
	}
	stop();
	return ns;
}

static void measure_new_pages(void)
{
	double floor = 1e9, fed = 1e9, alone = 1e9;

	for (int run = 0; run < NEW_RUNS; run++) {
		floor = least(floor, new_pages_floor_ns());
		fed = least(fed, new_pages_ns(true));
		alone = least(alone, new_pages_ns(false));
	}
	printf("new-fed floor %.2f event %.2f\n", floor, fed);
	printf("new-alone floor %.2f event %.2f\n", floor, alone);
}

/* One thread on each of some CPUs, all tracing at the same time. */
static pthread_barrier_t barrier;
static double thread_ns[MAX_THREADS];

static void *trace_on_cpu(void *data)
{
	const long number = (long)data;

	pin(number);
	thread_ns[number] = 1e9;
	for (int run = 0; run < RUNS; run++) {
		pthread_barrier_wait(&barrier);
		thread_ns[number] = least(thread_ns[number], trace_ns(&kinds[KIND_TWO]));
	}
	return NULL;
}

/* Returns: the time of the slowest of @n threads */
static double threads_ns(long n)
{
	static pthread_t threads[MAX_THREADS];
	double worst = 0;

	start(WARM_BYTES, true);
	pthread_barrier_init(&barrier, NULL, (unsigned)n);
	for (long i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, trace_on_cpu, (void *)i);
	for (long i = 0; i < n; i++) {
		pthread_join(threads[i], NULL);
		worst = thread_ns[i] > worst ? thread_ns[i] : worst;
	}
	pthread_barrier_destroy(&barrier);
	stop();
	return worst;
}

static void measure_threads(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	double one = threads_ns(1);

	n = n < MAX_THREADS ? n : MAX_THREADS;
	printf("threads number %ld floor %.2f event %.2f\n", n, one, threads_ns(n));
}

int main(int argc, char **argv)
{
	char *buffer = aligned_alloc(4096, WARM_BYTES);
	double cycle_ns;

	if (argc != 2 || buffer == NULL) {
		fprintf(stderr, "usage: probe DIR\n");
		return 2;
	}
	snprintf(directory, sizeof(directory), "%s/ltt-bench.%d", argv[1], (int)getpid());
	memset(buffer, 0, WARM_BYTES);
	measure_threads();
	pin(0);
	cycle_ns = measure_cycle_ns();
	for (int ordered = 1; ordered >= 0; ordered--) {
		for (int i = 0; i < KINDS; i++)
			measure_kind(&kinds[i], buffer, ordered, cycle_ns);
	}
	measure_off();
	measure_unselected();
	measure_new_pages();
	free(buffer);
	return 0;
}
