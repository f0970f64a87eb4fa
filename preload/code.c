/* code.c - see code.h.
 *
 * Mappings are read from /proc/self/maps, which needs no lock of the dynamic linker, so that this may
 * happen in any function and in signal handlers. A thread that finds another one here skips it. A thread that
 * must not skip it, because files were unmapped, leaves a note for the other one: to wait for it could take
 * forever, if that one has a lower priority.
 */
#define _GNU_SOURCE
#include "code.h"

#include "build-id.h"
#include "next.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAPPINGS = 2048, BUFFER_BYTES = 8192 };

uint64_t code_granules[CODE_GRANULES];

/* Of a mapping that has been recorded. */
struct range {
	uint64_t from;
	uint64_t end;
};

/* A line of the file. */
struct line {
	struct range range;
	uint64_t offset;
	bool is_code;
	const char *path; /* empty: no file */
};

static int busy;
static int is_outdated; /* All mappings are to be forgotten. */
/* Used by the thread that has set `busy`. */
static struct range ranges[MAPPINGS];
static size_t n_ranges;
static char buffer[BUFFER_BYTES];

/* ---- lines ---- */

static uint64_t take_hexadecimal(const char **at)
{
	uint64_t number = 0;

	for (;; (*at)++) {
		if (**at >= '0' && **at <= '9')
			number = number * 16 + (uint64_t)(**at - '0');
		else if (**at >= 'a' && **at <= 'f')
			number = number * 16 + (uint64_t)(**at - 'a') + 10;
		else
			return number;
	}
}

static const char *skip_word(const char *at)
{
	while (*at != 0 && *at != ' ')
		at++;
	while (*at == ' ')
		at++;
	return at;
}

/* "55d0c0e00000-55d0c0e01000 r-xp 00001000 08:01 1234      /usr/bin/true" */
static struct line parse_line(const char *at)
{
	struct line line;

	line.range.from = take_hexadecimal(&at);
	at += *at != 0;
	line.range.end = take_hexadecimal(&at);
	at = skip_word(at);
	line.is_code = strnlen(at, 3) == 3 && at[2] == 'x';
	at = skip_word(at);
	line.offset = take_hexadecimal(&at);
	line.path = skip_word(skip_word(skip_word(at)));
	return line;
}

/* ---- mappings ---- */

static bool is_recorded(const struct range *range)
{
	for (size_t i = 0; i < n_ranges; i++) {
		if (ranges[i].from == range->from && ranges[i].end == range->end)
			return true;
	}
	return false;
}

/* @first: address of the start of the file; 0: not known */
static void record(const struct line *line, uint64_t first)
{
	uint8_t build_id[BUILD_ID_MAX];
	size_t length = 0;

	if (is_recorded(&line->range))
		return;
	if (n_ranges < MAPPINGS)
		ranges[n_ranges++] = line->range;
	if (first != 0)
		length = build_id_read(first, build_id);
	trace_code_mapping((uint32_t)syscall(SYS_getpid), line->range.from,
			   line->range.end - line->range.from, line->offset, length, build_id,
			   line->path);
}

/* Reads the lines in the buffer. @first: (inout): address of the start of the last file. Returns: the
 * number of bytes of complete lines */
static size_t take_lines(size_t length, uint64_t *first)
{
	char *at = buffer, *end;

	while ((end = memchr(at, '\n', (size_t)(buffer + length - at))) != NULL) {
		struct line line;

		*end = 0;
		line = parse_line(at);
		if (line.offset == 0)
			*first = line.path[0] == '/' ? line.range.from : 0;
		if (line.is_code && line.path[0] != 0)
			record(&line, *first);
		at = end + 1;
	}
	return (size_t)(at - buffer);
}

static void read_mappings(void)
{
	const int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
	uint64_t first = 0;
	size_t length = 0;
	long n;

	if (fd < 0)
		return;
	while (length < BUFFER_BYTES &&
	       (n = syscall(SYS_read, fd, buffer + length, BUFFER_BYTES - length)) > 0) {
		size_t done;

		length += (size_t)n;
		done = take_lines(length, &first);
		length -= done;
		memmove(buffer, buffer + done, length);
	}
	syscall(SYS_close, fd);
}

static bool is_known(uint64_t address)
{
	for (size_t i = 0; i < n_ranges; i++) {
		if (address >= ranges[i].from && address < ranges[i].end)
			return true;
	}
	return false;
}

/* A signal handler that leaves by longjmp() would stay busy. Signals that an instruction causes are not blocked:
 * they would kill the process. */
static void block_signals(sigset_t *before)
{
	static const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		sigdelset(&all, own[i]);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

static bool begin(void)
{
	return __atomic_exchange_n(&busy, 1, __ATOMIC_SEQ_CST) == 0;
}

static void end(void)
{
	__atomic_store_n(&busy, 0, __ATOMIC_SEQ_CST);
}

static void forget(void)
{
	for (size_t i = 0; i < CODE_GRANULES; i++)
		__atomic_store_n(&code_granules[i], 0, __ATOMIC_RELAXED);
	n_ranges = 0;
}

/* Forgets all mappings if they are outdated, unless another thread will: that one looks after its end(). */
static void forget_outdated(void)
{
	while (__atomic_load_n(&is_outdated, __ATOMIC_SEQ_CST) != 0 && begin()) {
		__atomic_store_n(&is_outdated, 0, __ATOMIC_SEQ_CST);
		forget();
		end();
	}
}

void code_find(uint64_t address)
{
	const uint64_t granule = address >> CODE_GRANULE_BITS;
	const int saved = errno;
	sigset_t signals;

	if (!trace_code_mapping_enabled() || __atomic_load_n(&busy, __ATOMIC_RELAXED) != 0)
		return;
	block_signals(&signals);
	if (begin()) {
		if (!is_known(address))
			read_mappings();
		__atomic_store_n(&code_granules[granule % CODE_GRANULES], granule,
				 __ATOMIC_RELAXED);
		end();
		forget_outdated();
	}
	pthread_sigmask(SIG_SETMASK, &signals, NULL);
	errno = saved;
}

void code_forget(void)
{
	forget();
	__atomic_store_n(&is_outdated, 0, __ATOMIC_RELAXED);
	end();
}

/* ---- unloaded libraries ---- */

NEXT_VARIABLE(dlclose);

PRELOAD_EXPORT int dlclose(void *library)
{
	const int result = NEXT(dlclose)(library);
	sigset_t signals;

	__atomic_store_n(&is_outdated, 1, __ATOMIC_SEQ_CST);
	block_signals(&signals);
	forget_outdated();
	pthread_sigmask(SIG_SETMASK, &signals, NULL);
	return result;
}
