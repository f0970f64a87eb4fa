/* bracket.c - system calls between two events of the calling thread.
 *
 *	bracket [-t THREADS] [-n CALLS] [-s] [-f]
 *
 * Each thread traces demo.pair(thread, 2 * i), calls getppid(), and traces demo.pair(thread, 2 * i + 1).
 *
 *	-t THREADS  named "bracket-0" and so on
 *	-n CALLS    of each thread
 *	-s          only system calls, without events
 *	-f          a page fault instead of the system call
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

static uint64_t calls = 1000;
static bool silent, faults;

static void *run(void *data)
{
	const uint64_t self = (uint64_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid);
	const unsigned int number = (unsigned int)(uintptr_t)data;
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *page =
		mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[16];

	snprintf(name, sizeof(name), "bracket-%u", number);
	pthread_setname_np(pthread_self(), name);
	for (uint64_t i = 0; i < calls; i++) {
		if (faults)
			madvise((void *)page, page_bytes, MADV_DONTNEED);
		if (!silent)
			trace_demo_pair(self, 2 * i);
		if (faults)
			*page = 1;
		else
			syscall(SYS_getppid);
		if (!silent)
			trace_demo_pair(self, 2 * i + 1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	uintptr_t n_threads = 1;
	int option;

	while ((option = getopt(argc, argv, "t:n:sf")) >= 0) {
		if (option == 't')
			n_threads = strtoul(optarg, NULL, 10);
		else if (option == 'n')
			calls = strtoull(optarg, NULL, 10);
		else if (option == 's')
			silent = true;
		else if (option == 'f')
			faults = true;
		else
			return 2;
	}
	if (n_threads > THREADS_MAX)
		return 2;
	for (uintptr_t i = 0; i < n_threads; i++) {
		if (pthread_create(&threads[i], NULL, run, (void *)i) != 0)
			return 1;
	}
	for (uintptr_t i = 0; i < n_threads; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
