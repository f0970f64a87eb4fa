/* sys.h - system calls without the wrappers of libc.
 *
 * The probe runs inside other programs, also in their signal handlers. The program may replace
 * functions of libc, and many of these are cancellation points: a thread that is cancelled in
 * open() would leak a file descriptor and lose an event without counting it. So functions that can
 * block are called through syscall(2). All return -errno on failure.
 */
#ifndef LTTP_SYS_H
#define LTTP_SYS_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static inline long lttp_result(long value)
{
	return value == -1 ? -errno : value;
}

static inline void lttp_close(int fd)
{
	if (fd >= 0)
		syscall(SYS_close, fd);
}

/* Replaces a new descriptor that is one of standard input, output and error by another one: the
 * program may have closed these, and still write to them. */
static inline int lttp_above_standard(int fd)
{
	int above = fd;

	if (fd >= 0 && fd <= STDERR_FILENO) {
		above = (int)lttp_result(fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
		lttp_close(fd);
	}
	return above;
}

static inline int lttp_openat(int directory, const char *path, int flags, mode_t mode)
{
	return lttp_above_standard(
		(int)lttp_result(syscall(SYS_openat, directory, path, flags | O_CLOEXEC, mode)));
}

static inline long lttp_read(int fd, void *bytes, size_t size)
{
	return lttp_result(syscall(SYS_read, fd, bytes, size));
}

/* Reads the first @size - 1 bytes of a small file, such as those in /proc, and appends a 0.
 * Returns: their number; or -errno, and @text is empty */
static inline long lttp_read_text(const char *path, char *text, size_t size)
{
	int fd = lttp_openat(AT_FDCWD, path, O_RDONLY, 0);
	long n = fd >= 0 ? lttp_read(fd, text, size - 1) : fd;

	lttp_close(fd);
	text[n > 0 ? n : 0] = 0;
	return n;
}

static inline long lttp_write(int fd, const void *bytes, size_t size)
{
	return lttp_result(syscall(SYS_write, fd, bytes, size));
}

/* On 32-bit machines the arguments of the system call depend on the architecture. */
static inline long lttp_pread(int fd, void *bytes, size_t size, off_t offset)
{
#if defined(__LP64__)
	return lttp_result(syscall(SYS_pread64, fd, bytes, size, offset));
#else
	return lttp_result(pread(fd, bytes, size, offset));
#endif
}

static inline long lttp_pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
#if defined(__LP64__)
	return lttp_result(syscall(SYS_pwrite64, fd, bytes, size, offset));
#else
	return lttp_result(pwrite(fd, bytes, size, offset));
#endif
}

static inline int lttp_fallocate(int fd, uint64_t offset, uint64_t size)
{
#if defined(__LP64__)
	return (int)lttp_result(syscall(SYS_fallocate, fd, 0, offset, size));
#else
	return (int)lttp_result(fallocate(fd, 0, (off_t)offset, (off_t)size));
#endif
}

static inline void lttp_sleep_ns(long ns)
{
	struct timespec time = {ns / 1000000000, ns % 1000000000};

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
}

/* Of the monotonic clock, which is read without a system call. */
static inline uint64_t lttp_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* As prctl(2), which the probe replaces for the program (probe/prctl.c). */
static inline int lttp_prctl(int option, void *argument)
{
	return (int)syscall(SYS_prctl, option, argument, 0ul, 0ul, 0ul);
}

/* Blocks the signals of the thread but those that an instruction or a system call of its own causes: if
 * they were blocked, these would kill the process, regardless of their handlers. */
static inline void lttp_block_signals(uint64_t *before)
{
	static const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
	uint64_t all = UINT64_MAX;

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		all &= ~(1ull << (own[i] - 1));
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, before, sizeof(all));
}

static inline void lttp_restore_signals(const uint64_t *before)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, before, NULL, sizeof(*before));
}

static inline size_t lttp_page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Returns: a shared mapping of a file, which forked children do not inherit; NULL on failure */
static inline char *lttp_map_file(int fd, uint64_t offset, size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);

	if (at == MAP_FAILED)
		return NULL;
	madvise(at, size, MADV_DONTFORK);
	return (char *)at;
}

/* Returns: private zeroed memory; NULL on failure */
static inline void *lttp_map_memory(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* Whether the page at @at can be read now; a page after the end of a file cannot. The kernel reads
 * a signal set at @at, and then rejects the other arguments. */
static inline bool lttp_is_readable(const void *at)
{
	return syscall(SYS_rt_sigprocmask, -1, at, NULL, sizeof(uint64_t)) == 0 || errno != EFAULT;
}

static inline uint32_t lttp_gettid(void)
{
	return (uint32_t)syscall(SYS_gettid);
}

static inline uint32_t lttp_getpid(void)
{
	return (uint32_t)syscall(SYS_getpid);
}

#endif /* LTTP_SYS_H */
