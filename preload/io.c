/* io.c - records reads and writes of files and sockets.
 *
 * Calls that libc makes itself, such as those of stdio, do not pass through these functions.
 */
#define _GNU_SOURCE
#include "io.h"

#include "next.h"
#include "readable.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* Records a call as a span, and returns its result. */
#define RECORD_READ(FUNCTION, FD, BYTES, CALL)                                                     \
	ssize_t result;                                                                            \
                                                                                                   \
	if (!trace_io_read_begin_enabled())                                                        \
		return CALL;                                                                       \
	trace_io_read_begin(FD, BYTES, io_read_begin_function_##FUNCTION);                         \
	result = CALL;                                                                             \
	trace_io_read_end(io_result(result));                                                      \
	return result

#define RECORD_WRITE(FUNCTION, FD, BYTES, CALL)                                                    \
	ssize_t result;                                                                            \
                                                                                                   \
	if (!trace_io_write_begin_enabled())                                                       \
		return CALL;                                                                       \
	trace_io_write_begin(FD, BYTES, io_write_begin_function_##FUNCTION);                       \
	result = CALL;                                                                             \
	trace_io_write_end(io_result(result));                                                     \
	return result

/* The kernel checks the vector later, so a wrong one may have any length and address.
 *
 * Returns: the sum of its sizes; 0 if it cannot be read */
static uint64_t count_bytes(const struct iovec *parts, long n)
{
	const long n_counted = n > 0 && n < IOV_COUNTED ? n : n > 0 ? IOV_COUNTED : 0;
	uint64_t bytes = 0;

	if (!is_readable(parts, (size_t)n_counted * sizeof(*parts)))
		return 0;
	for (long i = 0; i < n_counted; i++)
		bytes += parts[i].iov_len;
	return bytes;
}

static uint64_t count_message(const struct msghdr *message)
{
	if (!is_readable(message, sizeof(*message)))
		return 0;
	return count_bytes(message->msg_iov, (long)message->msg_iovlen);
}

/* ---- read ---- */

NEXT_VARIABLE(read);
NEXT_VARIABLE(pread);
NEXT_VARIABLE(pread64);
NEXT_VARIABLE(readv);
NEXT_VARIABLE(preadv);
NEXT_VARIABLE(preadv64);
NEXT_VARIABLE(recv);
NEXT_VARIABLE(recvfrom);
NEXT_VARIABLE(recvmsg);

PRELOAD_EXPORT ssize_t read(int fd, void *bytes, size_t size)
{
	RECORD_READ(read, fd, size, NEXT(read)(fd, bytes, size));
}

PRELOAD_EXPORT ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
	RECORD_READ(pread, fd, size, NEXT(pread)(fd, bytes, size, offset));
}

PRELOAD_EXPORT ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset)
{
	RECORD_READ(pread, fd, size, NEXT(pread64)(fd, bytes, size, offset));
}

PRELOAD_EXPORT ssize_t readv(int fd, const struct iovec *parts, int n)
{
	RECORD_READ(readv, fd, count_bytes(parts, n), NEXT(readv)(fd, parts, n));
}

PRELOAD_EXPORT ssize_t preadv(int fd, const struct iovec *parts, int n, off_t offset)
{
	RECORD_READ(preadv, fd, count_bytes(parts, n), NEXT(preadv)(fd, parts, n, offset));
}

PRELOAD_EXPORT ssize_t preadv64(int fd, const struct iovec *parts, int n, off64_t offset)
{
	RECORD_READ(preadv, fd, count_bytes(parts, n), NEXT(preadv64)(fd, parts, n, offset));
}

PRELOAD_EXPORT ssize_t recv(int fd, void *bytes, size_t size, int flags)
{
	RECORD_READ(recv, fd, size, NEXT(recv)(fd, bytes, size, flags));
}

PRELOAD_EXPORT ssize_t recvfrom(int fd, void *bytes, size_t size, int flags,
				struct sockaddr *address, socklen_t *length)
{
	RECORD_READ(recvfrom, fd, size, NEXT(recvfrom)(fd, bytes, size, flags, address, length));
}

PRELOAD_EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	RECORD_READ(recvmsg, fd, count_message(message), NEXT(recvmsg)(fd, message, flags));
}

/* ---- read, in programs compiled with _FORTIFY_SOURCE ---- */

NEXT_VARIABLE(__read_chk);
NEXT_VARIABLE(__pread_chk);
NEXT_VARIABLE(__pread64_chk);
NEXT_VARIABLE(__recv_chk);
NEXT_VARIABLE(__recvfrom_chk);

PRELOAD_EXPORT ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room)
{
	RECORD_READ(read, fd, size, NEXT(__read_chk)(fd, bytes, size, room));
}

PRELOAD_EXPORT ssize_t __pread_chk(int fd, void *bytes, size_t size, off_t offset, size_t room)
{
	RECORD_READ(pread, fd, size, NEXT(__pread_chk)(fd, bytes, size, offset, room));
}

PRELOAD_EXPORT ssize_t __pread64_chk(int fd, void *bytes, size_t size, off64_t offset, size_t room)
{
	RECORD_READ(pread, fd, size, NEXT(__pread64_chk)(fd, bytes, size, offset, room));
}

PRELOAD_EXPORT ssize_t __recv_chk(int fd, void *bytes, size_t size, size_t room, int flags)
{
	RECORD_READ(recv, fd, size, NEXT(__recv_chk)(fd, bytes, size, room, flags));
}

PRELOAD_EXPORT ssize_t __recvfrom_chk(int fd, void *bytes, size_t size, size_t room, int flags,
				      struct sockaddr *address, socklen_t *length)
{
	RECORD_READ(recvfrom, fd, size,
		    NEXT(__recvfrom_chk)(fd, bytes, size, room, flags, address, length));
}

/* ---- write ---- */

NEXT_VARIABLE(write);
NEXT_VARIABLE(pwrite);
NEXT_VARIABLE(pwrite64);
NEXT_VARIABLE(writev);
NEXT_VARIABLE(pwritev);
NEXT_VARIABLE(pwritev64);
NEXT_VARIABLE(send);
NEXT_VARIABLE(sendto);
NEXT_VARIABLE(sendmsg);

PRELOAD_EXPORT ssize_t write(int fd, const void *bytes, size_t size)
{
	RECORD_WRITE(write, fd, size, NEXT(write)(fd, bytes, size));
}

PRELOAD_EXPORT ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	RECORD_WRITE(pwrite, fd, size, NEXT(pwrite)(fd, bytes, size, offset));
}

PRELOAD_EXPORT ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset)
{
	RECORD_WRITE(pwrite, fd, size, NEXT(pwrite64)(fd, bytes, size, offset));
}

PRELOAD_EXPORT ssize_t writev(int fd, const struct iovec *parts, int n)
{
	RECORD_WRITE(writev, fd, count_bytes(parts, n), NEXT(writev)(fd, parts, n));
}

PRELOAD_EXPORT ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t offset)
{
	RECORD_WRITE(pwritev, fd, count_bytes(parts, n), NEXT(pwritev)(fd, parts, n, offset));
}

PRELOAD_EXPORT ssize_t pwritev64(int fd, const struct iovec *parts, int n, off64_t offset)
{
	RECORD_WRITE(pwritev, fd, count_bytes(parts, n), NEXT(pwritev64)(fd, parts, n, offset));
}

PRELOAD_EXPORT ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
	RECORD_WRITE(send, fd, size, NEXT(send)(fd, bytes, size, flags));
}

PRELOAD_EXPORT ssize_t sendto(int fd, const void *bytes, size_t size, int flags,
			      const struct sockaddr *address, socklen_t length)
{
	RECORD_WRITE(sendto, fd, size, NEXT(sendto)(fd, bytes, size, flags, address, length));
}

PRELOAD_EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	RECORD_WRITE(sendmsg, fd, count_message(message), NEXT(sendmsg)(fd, message, flags));
}
