/* readable.c - test by a system call whether memory can be read.
 *
 * rt_sigprocmask(2) reads the new mask before it checks the operation. With an operation that does not
 * exist it fails with EFAULT if the mask cannot be read, and otherwise with EINVAL without an effect. It
 * is faster than process_vm_readv(2), and filters of system calls allow it, because libc uses it.
 */
#define _GNU_SOURCE
#include "readable.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NO_OPERATION (-1)
/* The size of the kernel's mask. A word at a multiple of it lies in one page. */
#define MASK_BYTES 8
/* The smallest page of any architecture. */
#define PAGE_BYTES 4096

static bool can_read_page(uintptr_t address)
{
	const int saved = errno;
	const uintptr_t word = address & ~(uintptr_t)(MASK_BYTES - 1);
	const bool is_refused =
		syscall(SYS_rt_sigprocmask, NO_OPERATION, word, NULL, MASK_BYTES) != 0 &&
		errno == EFAULT;

	errno = saved;
	return word != 0 && !is_refused; /* a mask at 0 is none */
}

static size_t get_rest_of_page(uintptr_t address)
{
	return PAGE_BYTES - address % PAGE_BYTES;
}

bool is_readable(const void *bytes, size_t size)
{
	uintptr_t at = (uintptr_t)bytes;

	while (size > 0) {
		const size_t rest = get_rest_of_page(at);

		if (!can_read_page(at))
			return false;
		at += rest;
		size -= rest < size ? rest : size;
	}
	return true;
}

const char *readable_path(const char *path)
{
	for (size_t length = 0; length < PATH_MAX;) {
		const size_t rest = get_rest_of_page((uintptr_t)(path + length));

		if (!can_read_page((uintptr_t)(path + length)))
			return "";
		if (memchr(path + length, '\0', rest) != NULL)
			return path;
		length += rest;
	}
	return "";
}
