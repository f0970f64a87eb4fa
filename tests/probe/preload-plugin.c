/* preload-plugin.c - a library whose constructor waits for a thread, which calls functions of libc meanwhile.
 * The loading thread has the lock of the dynamic linker then. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sem_t done;
static int ends[2];

static void *call(void *unused)
{
	char *text = malloc(100);
	const struct timespec past = {0, 0};

	strcpy(text, "x");
	if (write(ends[1], text, 1) != 1 || sem_timedwait(&done, &past) == 0)
		abort();
	free(text);
	sem_post(&done);
	return unused;
}

static void __attribute__((constructor)) begin(int argc, char **argv)
{
	pthread_t thread;
	char byte;

	if (argc != 3 || strcmp(argv[1], "load") != 0 || sem_init(&done, 0, 0) != 0 ||
	    pipe(ends) != 0 || pthread_create(&thread, NULL, call, NULL) != 0 ||
	    read(ends[0], &byte, 1) != 1)
		abort();
	while (sem_wait(&done) != 0)
		;
	pthread_join(thread, NULL);
	puts("loaded");
}
