/* support-faults.h - system calls that fail as a test says.
 *
 * The program that includes this has functions of its own with the names of those of libc, through which the
 * code under test calls the kernel. So one file of a program includes it, and defines _GNU_SOURCE before.
 */
#ifndef SUPPORT_FAULTS_H
#define SUPPORT_FAULTS_H

#include "support-session.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What happens to the next calls of one number. */
static struct {
	long number;
	int left;         /* how many of them */
	int skip;         /* how many of them go through before */
	int error;        /* 0: they do less */
	size_t most;      /* bytes that they read or write; 0: all */
	long then_number; /* a call that fails once after these */
	int then_error;
	bool takes_zero; /* files are opened as descriptor 0, if that is free */
	unsigned hits;
} plan = {.number = -1};

static long real_call(long number, const long *args)
{
	static long (*call)(long, ...);

	if (call == NULL)
		call = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return call(number, args[0], args[1], args[2], args[3], args[4], args[5]);
}

/* Moves a file that was opened in a directory to descriptor 0, and a directory or a socket away from it. */
static long move(long fd, bool is_directory)
{
	long moved = fd;

	if (!plan.takes_zero || fd < 0)
		return fd;
	if (is_directory)
		moved = fcntl((int)fd, F_DUPFD_CLOEXEC, 10);
	else if (fcntl(0, F_GETFD) < 0)
		moved = dup3((int)fd, 0, O_CLOEXEC);
	if (moved != fd)
		close((int)fd);
	return moved;
}

/* Reads more arguments than there are, as the one of libc. */
__attribute__((no_sanitize("address"))) long syscall(long number, ...)
{
	long args[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		args[i] = va_arg(list, long);
	va_end(list);
	if (number == plan.number && plan.left > 0 && plan.skip-- <= 0) {
		plan.skip = 0;
		plan.left--;
		plan.hits++;
		if (plan.error != 0) {
			errno = plan.error;
			return -1;
		}
		if (plan.most != 0 && (size_t)args[2] > plan.most)
			args[2] = (long)plan.most;
	}
	if (number == plan.then_number && plan.left == 0 && plan.then_error != 0) {
		errno = plan.then_error;
		plan.then_error = 0;
		return -1;
	}
	/* A snapshot holds the lock while it copies. */
	if (number == SYS_openat && strcmp((const char *)args[1], "info/lock") != 0)
		return move(real_call(number, args), (int)args[0] == AT_FDCWD);
	return real_call(number, args);
}

/* These calls of copy-blocks.c and others are not made through syscall(2). */
static ssize_t move_bytes(long number, int fd, const void *bytes, size_t size, off_t offset)
{
	return syscall(number, (long)fd, (long)bytes, (long)size, (long)offset, 0L, 0L);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
	return move_bytes(SYS_pread64, fd, bytes, size, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	return move_bytes(SYS_pwrite64, fd, bytes, size, offset);
}

int linkat(int from, const char *path, int to, const char *name, int flags)
{
	return (int)syscall(SYS_linkat, (long)from, (long)path, (long)to, (long)name, (long)flags,
			    0L);
}

int renameat(int from, const char *path, int to, const char *name)
{
	return (int)syscall(SYS_renameat2, (long)from, (long)path, (long)to, (long)name, 0L, 0L);
}

off_t lseek(int fd, off_t offset, int whence)
{
	return syscall(SYS_lseek, (long)fd, (long)offset, (long)whence, 0L, 0L, 0L);
}

void *mmap(void *at, size_t size, int rights, int flags, int fd, off_t offset)
{
	return (void *)syscall(SYS_mmap, (long)at, (long)size, (long)rights, (long)flags, (long)fd,
			       (long)offset);
}

int socket(int domain, int type, int protocol)
{
	return (int)move(syscall(SYS_socket, (long)domain, (long)type, (long)protocol, 0L, 0L, 0L),
			 true);
}

static void fail(long number, int times, int error)
{
	plan.number = number;
	plan.left = times;
	plan.error = error;
	plan.most = 0;
	plan.hits = 0;
	plan.then_error = 0;
}

/* The calls do at most this many bytes at once. */
__attribute__((unused)) static void shorten(long number, size_t most)
{
	fail(number, INT_MAX, 0);
	plan.most = most;
}

/* A session for faults; no call fails until the test plans it, nor while the session is freed. */
__attribute__((unused)) static TestSession new_session_for_faults(const char *name)
{
	fail(-1, 0, 0);
	return test_session_new(name, 0, LTTP_SESSION_ATTACH);
}

__attribute__((unused)) static void free_session_for_faults(TestSession *test)
{
	fail(-1, 0, 0);
	plan.takes_zero = false;
	test_session_free(test);
}

#endif /* SUPPORT_FAULTS_H */
