/* preload-host.c - a program that loads a library, and can be preloaded.
 *
 *	preload-host load LIBRARY    prints its own name, and loads the library
 *	preload-host jump LIBRARY    loads and unloads the library again and again, while a signal handler leaves
 *	                             functions by siglongjmp(). Prints the next descriptor
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#define PLAIN __attribute__((no_instrument_function))

enum { ROUNDS = 400, CALLS = 20, DEPTH = 3, INTERVAL_US = 150 };

static sigjmp_buf before;
static volatile sig_atomic_t may_leave;

PLAIN static void leave(int number)
{
	(void)number;
	if (may_leave) {
		may_leave = 0;
		siglongjmp(before, 1);
	}
}

__attribute__((noinline)) static int descend(int n)
{
	return n <= 0 ? 0 : descend(n - 1) + 1;
}

PLAIN static void load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);

	if (library == NULL)
		puts(dlerror());
	else
		dlclose(library);
}

PLAIN static void jump(const char *path)
{
	const struct itimerval timer = {{0, INTERVAL_US}, {0, INTERVAL_US}};
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	signal(SIGALRM, leave);
	sigprocmask(SIG_BLOCK, &alarm, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (volatile int i = 0; i < ROUNDS; i++) {
		load(path);
		if (sigsetjmp(before, 1) == 0) {
			may_leave = 1;
			sigprocmask(SIG_UNBLOCK, &alarm, NULL);
			for (int k = 0; k < CALLS; k++)
				descend(DEPTH);
		}
		may_leave = 0;
		sigprocmask(SIG_BLOCK, &alarm, NULL);
	}
	printf("descriptor %d\n", open("/dev/null", O_RDONLY | O_CLOEXEC));
}

PLAIN int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	puts(program_invocation_short_name);
	if (strcmp(argv[1], "load") == 0)
		load(argv[2]);
	else
		jump(argv[2]);
	return 0;
}
