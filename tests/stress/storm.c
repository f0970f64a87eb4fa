/* storm.c - many threads that trace numbered events, with signals, migrations and kills.
 *
 *	storm [OPTION]...
 *
 *	-p N      processes, forked by this one
 *	-t N      threads in each
 *	-n N      events of each thread; 0: unlimited
 *	-w N      other work before each event: N rounds of a loop
 *	-s US     a signal every US microseconds, whose handler also traces
 *	-m        moves each thread from CPU to CPU
 *	-k N      kills all its processes with SIGKILL, after N rounds of a loop
 *	-d DIR    starts a trace there
 *	-f BYTES  size of the flight recorder
 *	-b BYTES  block size
 *	-c DIR    takes a snapshot there at the end, before the trace stops
 *
 * An event demo.pair has its thread (pid << 32 | tid, with the top bit set in a signal handler) and
 * a count from 0. Prints nothing on success.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS_MAX = 256 };

static struct {
	int processes, threads, signal_us;
	uint64_t events;
	bool move;
	uint64_t work_rounds, kill_rounds;
	const char *directory, *copy;
	struct ltt_probe_options options;
} want = {.processes = 1, .threads = 1, .events = 1000};

static __thread uint64_t handled;

static uint64_t self(void)
{
	return (uint64_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid);
}

static void on_signal(int number)
{
	(void)number;
	trace_demo_pair(1ull << 63 | self(), handled++);
}

static void move_to(uint64_t number)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(number % (uint64_t)cpus, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void spin(uint64_t rounds)
{
	for (uint64_t i = 0; i < rounds; i++)
		__asm__ __volatile__("" ::: "memory");
}

static void *run_thread(void *unused)
{
	uint64_t me = self();

	for (uint64_t i = 0; want.events == 0 || i < want.events; i++) {
		spin(want.work_rounds);
		trace_demo_pair(me, i);
		if (i % 7 == 0)
			trace_demo_open("some path or other", (int32_t)i, 7);
		if (want.move && i % 64 == 0)
			move_to(i / 64);
	}
	return unused;
}

/* All processes of the storm are in one process group. */
static void *kill_all(void *unused)
{
	spin(want.kill_rounds);
	kill(0, SIGKILL);
	return unused;
}

static void run_process(void)
{
	struct itimerval timer = {{0, want.signal_us}, {0, want.signal_us}};
	pthread_t threads[THREADS_MAX];

	if (want.signal_us != 0) {
		signal(SIGALRM, on_signal);
		setitimer(ITIMER_REAL, &timer, NULL);
	}
	for (int i = 1; i < want.threads; i++)
		pthread_create(&threads[i], NULL, run_thread, NULL);
	run_thread(NULL);
	for (int i = 1; i < want.threads; i++)
		pthread_join(threads[i], NULL);
	timer.it_value.tv_usec = timer.it_interval.tv_usec = 0;
	setitimer(ITIMER_REAL, &timer, NULL);
	while (want.kill_rounds != 0)
		pause();
}

static int read_options(int argc, char **argv)
{
	int option;

	want.options.size_bytes = sizeof(want.options);
	while ((option = getopt(argc, argv, "p:t:n:w:s:mk:d:f:b:c:")) != -1) {
		switch (option) {
		case 'p':
			want.processes = atoi(optarg);
			break;
		case 't':
			want.threads = atoi(optarg) < THREADS_MAX ? atoi(optarg) : THREADS_MAX;
			break;
		case 'n':
			want.events = strtoull(optarg, NULL, 0);
			break;
		case 'w':
			want.work_rounds = strtoull(optarg, NULL, 0);
			break;
		case 's':
			want.signal_us = atoi(optarg);
			break;
		case 'm':
			want.move = true;
			break;
		case 'k':
			want.kill_rounds = strtoull(optarg, NULL, 0);
			break;
		case 'd':
			want.directory = optarg;
			break;
		case 'c':
			want.copy = optarg;
			break;
		case 'f':
			want.options.flight_bytes = strtoull(optarg, NULL, 0);
			break;
		case 'b':
			want.options.block_bytes = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		default:
			return 2;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	int status, result = read_options(argc, argv);
	pthread_t killer;

	if (result != 0)
		return result;
	if (want.directory != NULL && ltt_probe_start(want.directory, &want.options) != 0)
		return 2;
	if (want.kill_rounds != 0 &&
	    (setpgid(0, 0) != 0 || pthread_create(&killer, NULL, kill_all, NULL) != 0))
		return 2;
	for (int i = 1; i < want.processes; i++) {
		if (fork() == 0) {
			run_process();
			exit(0);
		}
	}
	run_process();
	while (wait(&status) > 0) {
		if (status != 0)
			result = 1;
	}
	if (want.copy != NULL && ltt_probe_snapshot(want.copy) != 0)
		result = 1;
	if (want.directory != NULL)
		ltt_probe_stop();
	return result;
}
