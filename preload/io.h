/* io.h - what the files that record input and output share. */
#ifndef PRELOAD_IO_H
#define PRELOAD_IO_H

#include "facilities.h"

#include "io-trace.h"

#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

/* Parts of a vector whose sizes are added, the maximum that the kernel accepts. */
enum { IOV_COUNTED = 1024 };

/* The result of a function, or the negated error number. */
static inline int64_t io_result(int64_t result)
{
	return result >= 0 ? result : -(int64_t)errno;
}

/* Functions of libc that only programs compiled with _FORTIFY_SOURCE call. */
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *bytes, size_t size, off_t offset, size_t room);
ssize_t __pread64_chk(int fd, void *bytes, size_t size, off64_t offset, size_t room);
ssize_t __recv_chk(int fd, void *bytes, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *bytes, size_t size, size_t room, int flags,
		       struct sockaddr *address, socklen_t *length);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);

#endif
