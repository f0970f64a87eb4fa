/* files.c - records the opening and closing of files, connections, and fsync(). */
#define _GNU_SOURCE
#include "io.h"

#include "next.h"
#include "readable.h"

#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

/* Records a call between the events EVENT_begin and EVENT_end, and returns its result. */
#define RECORD(EVENT, ARGUMENTS, CALL)                                                             \
	int result;                                                                                \
                                                                                                   \
	if (!trace_io_##EVENT##_begin_enabled())                                                   \
		return CALL;                                                                       \
	trace_io_##EVENT##_begin ARGUMENTS;                                                        \
	result = CALL;                                                                             \
	trace_io_##EVENT##_end(io_result(result));                                                 \
	return result

/* ---- open ---- */

NEXT_VARIABLE(open);
NEXT_VARIABLE(open64);
NEXT_VARIABLE(openat);
NEXT_VARIABLE(openat64);
NEXT_VARIABLE(creat);
NEXT_VARIABLE(creat64);
NEXT_VARIABLE(__open_2);
NEXT_VARIABLE(__open64_2);
NEXT_VARIABLE(__openat_2);
NEXT_VARIABLE(__openat64_2);

/* Defines `mode`, the argument after `flags` that exists only if the file may be created. */
#define TAKE_MODE()                                                                                \
	mode_t mode = 0;                                                                           \
                                                                                                   \
	if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {                          \
		va_list list;                                                                      \
                                                                                                   \
		va_start(list, flags);                                                             \
		mode = va_arg(list, mode_t);                                                       \
		va_end(list);                                                                      \
	}

PRELOAD_EXPORT int open(const char *path, int flags, ...)
{
	TAKE_MODE()
	RECORD(open, (readable_path(path), (uint32_t)flags), NEXT(open)(path, flags, mode));
}

PRELOAD_EXPORT int open64(const char *path, int flags, ...)
{
	TAKE_MODE()
	RECORD(open, (readable_path(path), (uint32_t)flags), NEXT(open64)(path, flags, mode));
}

PRELOAD_EXPORT int openat(int folder, const char *path, int flags, ...)
{
	TAKE_MODE()
	RECORD(open, (readable_path(path), (uint32_t)flags),
	       NEXT(openat)(folder, path, flags, mode));
}

PRELOAD_EXPORT int openat64(int folder, const char *path, int flags, ...)
{
	TAKE_MODE()
	RECORD(open, (readable_path(path), (uint32_t)flags),
	       NEXT(openat64)(folder, path, flags, mode));
}

PRELOAD_EXPORT int creat(const char *path, mode_t mode)
{
	RECORD(open, (readable_path(path), O_CREAT | O_WRONLY | O_TRUNC), NEXT(creat)(path, mode));
}

PRELOAD_EXPORT int creat64(const char *path, mode_t mode)
{
	RECORD(open, (readable_path(path), O_CREAT | O_WRONLY | O_TRUNC),
	       NEXT(creat64)(path, mode));
}

PRELOAD_EXPORT int __open_2(const char *path, int flags)
{
	RECORD(open, (readable_path(path), (uint32_t)flags), NEXT(__open_2)(path, flags));
}

PRELOAD_EXPORT int __open64_2(const char *path, int flags)
{
	RECORD(open, (readable_path(path), (uint32_t)flags), NEXT(__open64_2)(path, flags));
}

PRELOAD_EXPORT int __openat_2(int folder, const char *path, int flags)
{
	RECORD(open, (readable_path(path), (uint32_t)flags), NEXT(__openat_2)(folder, path, flags));
}

PRELOAD_EXPORT int __openat64_2(int folder, const char *path, int flags)
{
	RECORD(open, (readable_path(path), (uint32_t)flags),
	       NEXT(__openat64_2)(folder, path, flags));
}

/* ---- others ---- */

NEXT_VARIABLE(close);
NEXT_VARIABLE(fsync);
NEXT_VARIABLE(fdatasync);
NEXT_VARIABLE(connect);
NEXT_VARIABLE(accept);
NEXT_VARIABLE(accept4);

PRELOAD_EXPORT int close(int fd)
{
	RECORD(close, (fd), NEXT(close)(fd));
}

PRELOAD_EXPORT int fsync(int fd)
{
	RECORD(sync, (fd, io_sync_begin_function_fsync), NEXT(fsync)(fd));
}

PRELOAD_EXPORT int fdatasync(int fd)
{
	RECORD(sync, (fd, io_sync_begin_function_fdatasync), NEXT(fdatasync)(fd));
}

PRELOAD_EXPORT int connect(int fd, const struct sockaddr *address, socklen_t length)
{
	RECORD(connect, (fd), NEXT(connect)(fd, address, length));
}

PRELOAD_EXPORT int accept(int fd, struct sockaddr *address, socklen_t *length)
{
	RECORD(accept, (fd), NEXT(accept)(fd, address, length));
}

PRELOAD_EXPORT int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
	RECORD(accept, (fd), NEXT(accept4)(fd, address, length, flags));
}
