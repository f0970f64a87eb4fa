/* unload-forks.c - loads and unloads a plugin with events, while a signal handler forks.
 *
 * usage: unload-forks PLUGIN ROUNDS    PLUGIN: plugin.c
 *
 * The plugin has no event. Prints the number of children that have ended with status 0; each has an event.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INTERVAL_US = 1500 };

static volatile unsigned n_ended;

static void fork_one(int number)
{
	const int saved = errno;
	int status = 1;
	pid_t pid = fork();

	(void)number;
	if (pid == 0) {
		trace_demo_pair(0, n_ended);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	n_ended += status == 0;
	errno = saved;
}

int main(int argc, char **argv)
{
	const struct itimerval timer = {{0, INTERVAL_US}, {0, INTERVAL_US}},
			       none = {{0, 0}, {0, 0}};

	if (argc != 3)
		return 2;
	signal(SIGALRM, fork_one);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (long i = strtol(argv[2], NULL, 10); i > 0; i--) {
		void *plugin = dlopen(argv[1], RTLD_NOW);

		if (plugin == NULL)
			return 1;
		dlclose(plugin);
	}
	setitimer(ITIMER_REAL, &none, NULL);
	printf("%u\n", n_ended);
	return 0;
}
