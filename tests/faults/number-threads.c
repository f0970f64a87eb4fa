/* number-threads.c - preloaded: makes the system calls of each thread of a program distinguishable by their number.
 *
 * strace(1) numbers the calls of each thread from 1, so `when=N` meets the N-th call of every thread. In the threads that the
 * program starts, and in the children that it forks, this library makes some failing calls first. With different counts of
 * them, each number belongs to one thread.
 *
 *	NUMBER_IN=NAME          the program, or any if this is empty; others that it executes, or that execute it, are not changed
 *	NUMBER_CALL=N           the system call
 *	NUMBER_OFFSETS=N[,N]... how many are made in the first thread or child, the second one, ...; 0 in others
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_TASKS = 64 };

typedef struct Task {
	void *(*start)(void *);
	void *data;
} Task;

static Task tasks[MAX_TASKS];
static unsigned long offsets[MAX_TASKS];
static atomic_uint n_tasks;
static long call_number;
static unsigned int forked;
static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* Invalid arguments: the calls have no effect. */
static void make_calls(unsigned int task)
{
	const int before = errno;

	for (unsigned long i = 0; task < MAX_TASKS && i < offsets[task]; i++)
		syscall(call_number, -1L, -1L, -1L, -1L, -1L, -1L);
	errno = before;
}

static void *run(void *data)
{
	Task *task = data;

	make_calls((unsigned int)(task - tasks));
	return task->start(task->data);
}

static void before_fork(void)
{
	forked = atomic_fetch_add(&n_tasks, 1);
}

static void in_child(void)
{
	make_calls(forked);
}

__attribute__((constructor)) static void start(void)
{
	const char *name = getenv("NUMBER_IN");
	const char *call = getenv("NUMBER_CALL");
	const char *text = getenv("NUMBER_OFFSETS");

	*(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
	if (name == NULL || (*name != 0 && strcmp(name, program_invocation_short_name) != 0) ||
	    call == NULL)
		return;
	call_number = atol(call);
	for (unsigned int i = 0; i < MAX_TASKS && text != NULL; i++) {
		offsets[i] = strtoul(text, NULL, 10);
		text = strchr(text, ',');
		text += text != NULL;
	}
	pthread_atfork(before_fork, NULL, in_child);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
		   void *data)
{
	const unsigned int number = atomic_fetch_add(&n_tasks, 1);

	if (number >= MAX_TASKS)
		return create(thread, attributes, function, data);
	tasks[number] = (Task){function, data};
	return create(thread, attributes, run, &tasks[number]);
}
