/* load-forks.c - a thread loads a plugin while another one is in fork(), and each waits for what the other one has.
 *
 *	load-forks PLUGIN OTHER    two plugins that use one copy of the probe
 *
 * The program has no probe. It takes its lock in a handler of fork(), which is called after that of the probe, because
 * that was registered later. The thread that loads OTHER has the lock.
 */
#define _GNU_SOURCE
#include "use-plugin.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t is_locked, is_forking;
static const char *other;

static void before(void)
{
	sem_post(&is_forking);
	pthread_mutex_lock(&lock);
}

static void after(void)
{
	pthread_mutex_unlock(&lock);
}

static void *load(void *unused)
{
	pthread_mutex_lock(&lock);
	sem_post(&is_locked);
	sem_wait(&is_forking);
	if (!use_plugin(other))
		exit(2);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int status = 1;
	pid_t child;

	if (argc != 3)
		return 2;
	other = argv[2];
	sem_init(&is_locked, 0, 0);
	sem_init(&is_forking, 0, 0);
	pthread_atfork(before, after, after);
	if (!use_plugin(argv[1]) || pthread_create(&thread, NULL, load, NULL) != 0)
		return 2;
	sem_wait(&is_locked);
	child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, &status, 0);
	pthread_join(thread, NULL);
	return status != 0;
}
