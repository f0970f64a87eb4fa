/* slow-server.c - a server with four requests that are slow for different reasons (doc/states.md).
 *
 *	ltt record --kernel=sched,syscalls,faults --only-program -o trace -- slow-server
 *	ltt latency slow_server.request slow_server.response --longest 4 --states trace
 *
 * One thread handles all requests, on one CPU:
 *
 *	quick      nothing special
 *	lock       another thread holds a lock
 *	disk       the answer is written to a file, which is flushed to the disk
 *	neighbour  other threads compute on the same CPU
 *	faults     the answer is made in memory that has no pages yet
 */
#define _GNU_SOURCE
#include "slow-server-trace.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define N_REQUESTS   200
#define N_NEIGHBOURS 4
#define SLOW_NS      60000000 /* least duration of a slow request */
#define MEMORY_BYTES ((size_t)96 << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t wants_holder, holds, wants_neighbours;
static atomic_bool is_handled;

static long long now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void compute(long long cpu_ns)
{
	const long long end_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) + cpu_ns;

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end_ns)
		continue;
}

static void *hold_lock(void *unused)
{
	const struct timespec time = {.tv_nsec = SLOW_NS};

	sem_wait(&wants_holder);
	pthread_mutex_lock(&lock);
	sem_post(&holds);
	nanosleep(&time, NULL);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *be_a_neighbour(void *unused)
{
	sem_wait(&wants_neighbours);
	while (!atomic_load(&is_handled))
		compute(1000000);
	return unused;
}

static void take_lock(void)
{
	sem_post(&wants_holder);
	sem_wait(&holds);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static void write_file(void)
{
	const long long end_ns = now_ns(CLOCK_MONOTONIC) + SLOW_NS;
	char path[] = "slow-server-XXXXXX";
	static char page[65536];
	int fd = mkstemp(path);

	if (fd < 0) {
		perror("slow-server: create a file");
		exit(1);
	}
	unlink(path);
	do
		memset(page, 'x', sizeof(page));
	while (write(fd, page, sizeof(page)) > 0 && fsync(fd) == 0 &&
	       now_ns(CLOCK_MONOTONIC) < end_ns);
	close(fd);
}

static void compute_beside_neighbours(void)
{
	for (int i = 0; i < N_NEIGHBOURS; i++)
		sem_post(&wants_neighbours);
	sched_yield();
	compute(SLOW_NS / 3);
	atomic_store(&is_handled, 1);
}

static void fill_memory(char *memory)
{
	const long page = sysconf(_SC_PAGESIZE);

	madvise(memory, MEMORY_BYTES, MADV_NOHUGEPAGE);
	madvise(memory, MEMORY_BYTES, MADV_DONTNEED);
	for (size_t i = 0; i < MEMORY_BYTES; i += (size_t)page)
		memory[i] = 1;
}

static void handle(unsigned number, char *memory)
{
	/* In the order of the labels. */
	const unsigned kind = number % (N_REQUESTS / 5) == 20 ? number / (N_REQUESTS / 5) : 0;

	trace_slow_server_request(number, (unsigned char)kind);
	switch (kind) {
	case 1:
		take_lock();
		break;
	case 2:
		write_file();
		break;
	case 3:
		compute_beside_neighbours();
		break;
	case 4:
		fill_memory(memory);
		break;
	default:
		compute(20000);
		break;
	}
	trace_slow_server_response(number);
}

/* Limits the program, and all threads that it creates later, to its current CPU. */
static void stay_on_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(void)
{
	pthread_t threads[1 + N_NEIGHBOURS];
	char *memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	if (memory == MAP_FAILED) {
		perror("slow-server: mmap");
		return 1;
	}
	stay_on_cpu();
	sem_init(&wants_holder, 0, 0);
	sem_init(&holds, 0, 0);
	sem_init(&wants_neighbours, 0, 0);
	for (int i = 0; i <= N_NEIGHBOURS; i++)
		pthread_create(&threads[i], NULL, i == 0 ? hold_lock : be_a_neighbour, NULL);
	for (unsigned number = 0; number < N_REQUESTS; number++)
		handle(number, memory);
	for (int i = 0; i <= N_NEIGHBOURS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
