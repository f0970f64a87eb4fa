/* file.c - the tracefiles cpu/N as files. See file.h. */
#define _GNU_SOURCE
#include "file.h"

#include "atomic.h"
#include "sys.h"

#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>

enum {
	IDLE_TRIES = 1000,
	IDLE_WAIT_NS = 200000,
};

struct lttp_file_name lttp_file_name(uint32_t number)
{
	struct lttp_file_name name = {"cpu/"};
	char digits[10];
	unsigned n = 0, at = 4;

	do {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	} while (number != 0);
	while (n > 0)
		name.text[at++] = digits[--n];
	name.text[at] = 0;
	return name;
}

/* Where the file system cannot allocate: writes zeros at the end of the file, never over bytes that
 * may be in use already. */
static int append_zeros(int fd, uint64_t end)
{
	static const char zeros[4096];
	struct stat status;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_APPEND) != 0)
		return -errno;
	for (;;) {
		uint64_t missing;
		long written;

		if (fstat(fd, &status) != 0)
			return -errno;
		if ((uint64_t)status.st_size >= end)
			return 0;
		missing = end - (uint64_t)status.st_size;
		written = lttp_write(fd, zeros, missing < sizeof(zeros) ? missing : sizeof(zeros));
		if (written < 0 && written != -EINTR)
			return (int)written;
	}
}

int lttp_allocate(int fd, uint64_t offset, uint64_t size)
{
	struct rlimit limit;
	int result;

	/* Beyond the limit a signal would be raised that ends the program. */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    offset + size > limit.rlim_cur)
		return -EFBIG;
	do {
		result = lttp_fallocate(fd, offset, size);
	} while (result == -EINTR);
	if (result == -EOPNOTSUPP || result == -ENOSYS)
		result = append_zeros(fd, offset + size);
	return result;
}

int lttp_file_extend(struct lttp_session *session, uint32_t number, uint64_t blocks)
{
	struct lttp_file *file = &session->files[number];
	uint64_t have = lttp_load(&file->blocks), block_bytes = session->head->block_bytes;
	int fd, result;

	if (have >= blocks)
		return 0;
	if (blocks > UINT32_MAX)
		return -EFBIG;
	fd = lttp_session_file(session, lttp_file_name(number).text,
			       have == 0 ? O_RDWR | O_CREAT : O_RDWR);
	if (fd < 0)
		return fd;
	result = lttp_allocate(fd, have * block_bytes, (blocks - have) * block_bytes);
	if (result == 0)
		lttp_raise(&file->blocks, blocks);
	lttp_close(fd);
	return result;
}

char *lttp_file_map(const struct lttp_session *session, uint32_t number, uint64_t chunk)
{
	int fd = lttp_session_file(session, lttp_file_name(number).text, O_RDWR);
	size_t size = lttp_chunk_bytes(session->head);
	char *at;

	if (fd < 0)
		return NULL;
	at = lttp_map_file(fd, chunk * size, size);
	lttp_close(fd);
	return at;
}

/* The lock belongs to the open file, which the mapping keeps open; nothing of it is ever touched.
 */
int lttp_file_lock(const struct lttp_session *session, uint32_t number, void **out)
{
	int fd = lttp_session_file(session, lttp_file_name(number).text, O_RDWR | O_CREAT);
	int result = 0;

	if (fd < 0)
		return fd;
	if (flock(fd, LOCK_EX | LOCK_NB) != 0)
		result = -errno;
	else if ((*out = lttp_map_file(fd, 0, LTTP_BLOCK_BYTES_MIN)) == NULL)
		result = -ENOMEM;
	lttp_close(fd);
	return result;
}

void lttp_file_unlock(void *lock)
{
	munmap(lock, LTTP_BLOCK_BYTES_MIN);
}

bool lttp_file_wait(const struct lttp_session *session, uint32_t number)
{
	const uint64_t *turns = &session->files[number].turns;
	uint64_t seen = lttp_load(turns);

	for (int tries = 0; seen % 2 != 0 && lttp_load(turns) == seen; tries++) {
		void *lock = NULL;

		/* For ever, if its process died. */
		if (lttp_file_lock(session, number, &lock) == 0) {
			lttp_file_unlock(lock);
			break;
		}
		if (tries == IDLE_TRIES)
			return false;
		lttp_sleep_ns(IDLE_WAIT_NS);
	}
	return true;
}
