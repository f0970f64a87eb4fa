/* kill-at.c - a preloaded library that raises SIGKILL, or the signal KILL_WITH, before call number
 * KILL_AT of syscall(), counted from 0.
 *
 * The probe makes most of its system calls with syscall(), so this tests the states between them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

long call_or_die(long number, ...) __asm__("syscall");

long call_or_die(long number, ...)
{
	static int calls;
	const char *at = getenv("KILL_AT"), *with = getenv("KILL_WITH");
	union {
		void *address;
		long (*call)(long number, ...);
	} next = {dlsym(RTLD_NEXT, "syscall")};
	long words[6];
	va_list list;

	if (at != NULL && calls++ == atoi(at))
		kill(getpid(), with != NULL ? atoi(with) : SIGKILL);
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(list, long);
	va_end(list);
	return next.call(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
