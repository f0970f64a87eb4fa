/* next.c - see next.h. */
#define _GNU_SOURCE
#include "next.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

/* The linker defines the limits of a section. */
extern struct next __start_next_functions[], __stop_next_functions[];

/* Whether this thread looks up a function: dlsym() may allocate memory. */
static __thread int is_looking __attribute__((tls_model("initial-exec")));

static long fail(void)
{
	errno = ENOSYS;
	return -1;
}

/* Before glibc 2.36 dlsym() finds the oldest version of a function, and on x86-64 the oldest functions
 * of conditions have another pthread_cond_t. */
static void *look_up(const char *name)
{
	void *at = NULL;

#if defined(__x86_64__) && defined(__LP64__)
	if (strncmp(name, "pthread_cond_", strlen("pthread_cond_")) == 0)
		at = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
	return at != NULL ? at : dlsym(RTLD_NEXT, name);
}

void *next_find(struct next *function)
{
	const int saved = errno;
	void *at;

	if (is_looking)
		return NULL;
	is_looking = 1;
	at = look_up(function->name);
	is_looking = 0;
	if (at == NULL)
		at = (void *)fail;
	__atomic_store_n(&function->at, at, __ATOMIC_RELAXED);
	errno = saved;
	return at;
}

void next_find_all(void)
{
	for (struct next *function = __start_next_functions; function != __stop_next_functions;
	     function++)
		next_get(function);
	dlerror(); /* A missing function is no error of the program. */
}
