/* clone.c - a clone() that suspends tracing in a child that runs in the memory of its parent, as
 * vfork.c does for vfork(). Its parent waits, so the thread-local variables are those of one at a time.
 */
#define _GNU_SOURCE
#include "probe/copies.h"

#include <dlfcn.h>
#include <errno.h>
#include <ltt/ltt-probe.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/types.h>

#define BORROWS (CLONE_VM | CLONE_VFORK)

typedef int clone_function(int (*function)(void *), void *stack, int flags, void *argument,
			   pid_t *parent_tid, void *tls, pid_t *child_tid);

/* The one of libc. A weak reference would not take it from a static glibc. musl hides it in its shared library. */
#ifdef __GLIBC__
extern __typeof__(clone) __clone;
#else
extern __typeof__(clone) __clone __attribute__((weak));
#endif
/* A strong reference to it draws a linker warning in a static program. */
#pragma weak dlsym

static clone_function *clone_of_libc(void)
{
	union {
		void *address;
		__typeof__(clone) *declared;
		clone_function *function;
	} found = {.declared = __clone};

	if (found.address == NULL && dlsym != NULL)
		found.address = dlsym(RTLD_NEXT, "clone");
	return found.function;
}

/* What the child calls. It is on the stack of the parent, which waits. */
struct beginning {
	int (*function)(void *);
	void *argument;
};

static int begin_child(void *data)
{
	const struct beginning beginning = *(const struct beginning *)data;

	lttp_copies_begin_child();
	return beginning.function(beginning.argument);
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
LTT_PROBE_API int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	const bool borrows = function != NULL && (flags & (BORROWS | CLONE_SETTLS)) == BORROWS;
	struct beginning beginning = {function, argument};
	clone_function *call = clone_of_libc();
	pid_t *parent_tid, *child_tid;
	void *tls;
	va_list more;
	uint32_t was;
	int result;

	/* Those that are not given are not used either. */
	va_start(more, argument);
	parent_tid = va_arg(more, pid_t *);
	tls = va_arg(more, void *);
	child_tid = va_arg(more, pid_t *);
	va_end(more);
	if (call == NULL) {
		errno = ENOSYS;
		return -1;
	}
	if (!borrows)
		return call(function, stack, flags, argument, parent_tid, tls, child_tid);
	was = lttp_copies_enter();
	result = call(begin_child, stack, flags, &beginning, parent_tid, tls, child_tid);
	return lttp_copies_leave(result < 0 ? -errno : result, was);
}
