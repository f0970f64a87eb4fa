/* fail-malloc.c - preloaded: lets one allocation of a program fail.
 *
 *	FAIL_MALLOC_IN=NAME    the program; others that it executes, or that execute it, are not changed
 *	FAIL_MALLOC=N          the N-th allocation since its start fails with ENOMEM; 0: none
 *	FAIL_MALLOC_KIND=aligned
 *	                       only aligned allocations count
 *	FAIL_MALLOC_COUNT=FILE append the number of allocations to this file at the end
 *
 * Allocations of the dynamic loader, before this library is initialised, do not count.
 *
 * If the program crashes after a failure, a line on standard error names the file whose code did: that
 * which called the C library, if the crash is there.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the GNU C library. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static bool is_on, only_aligned;
static unsigned long failing;
static const char *count_path;
static atomic_ulong n_calls;

#define MOST_FRAMES 32

/* Whether a frame is of this library or of the C library. */
static bool is_below(const Dl_info *frame)
{
	Dl_info own, libc;

	return (dladdr((void *)is_below, &own) != 0 && own.dli_fbase == frame->dli_fbase) ||
	       (dladdr((void *)abort, &libc) != 0 && libc.dli_fbase == frame->dli_fbase);
}

static void say_where(int number)
{
	void *frames[MOST_FRAMES];
	char line[512];
	Dl_info frame;
	int n;

	(void)number;
	is_on = false;
	n = backtrace(frames, MOST_FRAMES);
	for (int i = 0; i < n; i++) {
		if (dladdr(frames[i], &frame) == 0 || is_below(&frame))
			continue;
		n = snprintf(line, sizeof(line), "fail-malloc: a crash in %s\n", frame.dli_fname);
		if (write(STDERR_FILENO, line, (size_t)n) != n)
			_exit(125);
		return; /* to the instruction that crashes, now without a handler */
	}
}

/* The first backtrace() loads a library, which allocates. */
static void expect_crashes(void)
{
	const struct sigaction action = {.sa_handler = say_where, .sa_flags = SA_RESETHAND};
	void *frame;

	backtrace(&frame, 1);
	sigaction(SIGSEGV, &action, NULL);
}

__attribute__((constructor)) static void start(void)
{
	const char *name = getenv("FAIL_MALLOC_IN");
	const char *number = getenv("FAIL_MALLOC");
	const char *kind = getenv("FAIL_MALLOC_KIND");

	if (name == NULL || strcmp(name, program_invocation_short_name) != 0)
		return;
	failing = number != NULL ? strtoul(number, NULL, 10) : 0;
	count_path = getenv("FAIL_MALLOC_COUNT");
	only_aligned = kind != NULL && strcmp(kind, "aligned") == 0;
	expect_crashes();
	is_on = true;
}

__attribute__((destructor)) static void end(void)
{
	char line[32];
	const int length = snprintf(line, sizeof(line), "%lu\n", atomic_load(&n_calls));
	int fd;

	if (!is_on || count_path == NULL)
		return;
	fd = open(count_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || write(fd, line, (size_t)length) != length)
		_exit(125);
	close(fd);
}

/* Returns: whether the call fails */
static bool fails(bool is_aligned)
{
	if (!is_on || (only_aligned && !is_aligned) || atomic_fetch_add(&n_calls, 1) + 1 != failing)
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails(false) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails(false) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
	return fails(false) ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails(true) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
	if (fails(true))
		return ENOMEM;
	*block = __libc_memalign(alignment, size);
	return *block != NULL ? 0 : ENOMEM;
}
