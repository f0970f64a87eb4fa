/* file.c - create, allocate and map the tracefiles cpu/N. See file.h. */
#define _GNU_SOURCE
#include "session/file.h"

#include "session/anchor.h"
#include "session/atomic.h"
#include "session/directory.h"
#include "session/keeper.h"
#include "session/kept.h"
#include "session/sys.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>

enum {
	IDLE_WAIT_NS = 200000,
};

int lttp_file_make(struct lttp_session *session, int directory, uint32_t number)
{
	uint64_t *made = &session->files[number].made;
	int fd;

	if (lttp_load(made) == LTTP_MADE_WHOLE)
		return 0;
	/* A second process must not create another file after the first one was renamed. */
	if (!lttp_replace(made, LTTP_MADE_NOT, LTTP_MADE_HALF))
		return -EAGAIN;
	fd = lttp_openat(directory, lttp_spare_name(number).text, O_RDWR | O_CREAT | O_EXCL, 0666);
	lttp_store(made, fd < 0 ? LTTP_MADE_NOT : LTTP_MADE_WHOLE);
	lttp_close(fd);
	return fd < 0 ? fd : 0;
}

uint32_t lttp_file_make_lanes(struct lttp_session *session)
{
	struct lttp_head *head = session->head;
	uint32_t windows = head->lanes / LTTP_LANES_AT_HAND, first = head->cpus;
	int directory = lttp_session_directory(session);

	if (windows > 0)
		first +=
			(uint32_t)(lttp_add(&head->lane_windows, 1) % windows) * LTTP_LANES_AT_HAND;
	for (uint32_t i = 0; directory >= 0 && i < LTTP_LANES_AT_HAND; i++) {
		if (first + i < lttp_session_files(head))
			lttp_file_make(session, directory, first + i);
	}
	lttp_close(directory);
	return first;
}

int lttp_file_open(const struct lttp_session *session, int directory, uint32_t number)
{
	int fd = -ENOENT;

	if (lttp_load(&session->files[number].blocks) == 0)
		fd = lttp_openat(directory, lttp_spare_name(number).text, O_RDWR | O_NOFOLLOW, 0);
	if (fd == -ENOENT)
		fd = lttp_openat(directory, lttp_file_name(number).text, O_RDWR | O_NOFOLLOW, 0);
	return fd;
}

/* Opens a file as cpu/N. @is_new: it gets its first block, and this name if it has none */
static int open_to_extend(struct lttp_session *session, uint32_t number, bool is_new)
{
	struct lttp_file_name name = lttp_file_name(number);
	int directory = lttp_session_directory(session), result = 0, fd;

	if (directory < 0)
		return directory;
	if (is_new)
		result = lttp_file_make(session, directory, number);
	fd = result == 0 ? lttp_openat(directory, name.text, O_RDWR | O_NOFOLLOW, 0) : result;
	if (fd == -ENOENT && is_new) {
		/* If another process is faster, the file has its name, too. */
		(void)!renameat(directory, lttp_spare_name(number).text, directory, name.text);
		fd = lttp_openat(directory, name.text, O_RDWR | O_NOFOLLOW, 0);
	}
	lttp_close(directory);
	return fd;
}

static int append_until(int fd, uint64_t end)
{
	static const char zeros[4096];
	struct stat status;

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

/* For file systems without fallocate(2): appends zeros, never over bytes that may be in use. Like
 * fallocate(2), leaves the file offset and the flags as they are. */
static int append_zeros(int fd, uint64_t end)
{
	int flags = fcntl(fd, F_GETFL);
	off_t at = lseek(fd, 0, SEEK_CUR);
	int result;

	if (flags < 0 || at < 0 || fcntl(fd, F_SETFL, flags | O_APPEND) != 0)
		return -errno;
	result = append_until(fd, end);
	if (fcntl(fd, F_SETFL, flags) != 0 || lseek(fd, at, SEEK_SET) != at)
		return result != 0 ? result : -errno;
	return result;
}

int lttp_allocate(int fd, uint64_t offset, uint64_t size)
{
	struct rlimit limit;
	int result;

	/* Beyond the limit, a signal would kill the program. */
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

/* Whether a file may grow so much at once: the state may be damaged, and must not fill the disk. */
static bool may_grow(const struct lttp_session *session, int fd, uint64_t blocks)
{
	const struct lttp_head *head = session->head;
	uint64_t most = LTTP_GROW_BYTES_MAX / head->block_bytes + head->chunk_blocks;
	struct stat status;

	return fstat(fd, &status) == 0 &&
	       blocks <= 2 * ((uint64_t)status.st_size / head->block_bytes) + most;
}

int lttp_file_extend(struct lttp_session *session, uint32_t number, uint64_t blocks)
{
	struct lttp_file *file = &session->files[number];
	uint64_t have = lttp_load(&file->blocks), block_bytes = session->head->block_bytes;
	int kept, fd, result;

	if (have >= blocks)
		return 0;
	if (blocks > UINT32_MAX)
		return -EFBIG;
	kept = fd = lttp_kept_file(session, LTTP_ANCHOR_TRACEFILES + number);
	if (kept < 0)
		fd = open_to_extend(session, number, have == 0);
	if (fd < 0)
		return fd;
	result = may_grow(session, fd, blocks) ? 0 : -EIO;
	if (result == 0)
		result = lttp_allocate(fd, have * block_bytes, (blocks - have) * block_bytes);
	if (result == 0)
		lttp_raise(&file->blocks, blocks);
	if (kept < 0)
		lttp_close(fd);
	return result;
}

int lttp_file_map(const struct lttp_session *session, uint32_t number, uint64_t chunk, char **at)
{
	size_t size = lttp_chunk_bytes(session->head);
	uint32_t anchor = LTTP_ANCHOR_TRACEFILES + number;
	bool anchored = lttp_anchor_is_set(session, anchor);
	int fd, result = 0;

	*at = lttp_anchor_map(session, anchor, chunk * size, size);
	if (*at != NULL)
		return 0;
	if (!lttp_keeper_lets_open(session))
		return anchored ? -ENOMEM : -EACCES;
	fd = lttp_session_file(session, lttp_file_name(number).text, O_RDWR);
	if (fd < 0)
		return anchored ? -ENOMEM : fd;
	if (!anchored)
		lttp_anchor_set(session, anchor, fd);
	*at = lttp_map_file(fd, chunk * size, size);
	if (*at == NULL) /* EAGAIN: the process may not lock more memory */
		result = errno == EAGAIN ? -ENOMEM : -errno;
	lttp_close(fd);
	return result;
}

char *lttp_file_map_control(const struct lttp_session *session, uint32_t which, uint32_t number)
{
	static const char *const names[] = {[LTTP_ANCHOR_PROCESSES] = "control/processes",
					    [LTTP_ANCHOR_FACILITIES] = "control/facilities"};
	uint64_t size = session->head->block_bytes;
	char *at = lttp_anchor_map(session, which, number * size, size);
	struct stat status;
	int fd;

	if (at != NULL && lttp_is_readable(at + size - sizeof(uint64_t)))
		return at;
	if (at != NULL)
		munmap(at, size);
	at = NULL;
	if (!lttp_keeper_lets_open(session))
		return NULL;
	fd = lttp_session_file(session, names[which], O_RDWR);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0 && (uint64_t)status.st_size / size > number)
		at = lttp_map_file(fd, number * size, size);
	lttp_close(fd);
	return at;
}

uint64_t lttp_file_lane_owner(const struct lttp_session *session, uint32_t pid)
{
	/* 16 random bytes that the kernel generates at each exec. */
	const void *random = (const void *)getauxval(AT_RANDOM);
	uint32_t program = 0;

	if (random != NULL)
		memcpy(&program, random, sizeof(program));
	if (session->is_foreign)
		program = program >> 17 << 16 | session->pid_space;
	else
		program >>= 1;
	return (uint64_t)session->is_foreign << 63 | (uint64_t)program << 32 | pid;
}

bool lttp_file_owner_is_near(const struct lttp_session *session, uint64_t owner)
{
	if (!session->is_foreign)
		return owner >> 63 == 0;
	return owner >> 63 != 0 && session->pid_space != LTTP_SPACE_UNKNOWN &&
	       (uint16_t)(owner >> 32) == session->pid_space;
}

bool lttp_file_lane_is_free(const struct lttp_session *session, uint32_t number)
{
	uint64_t owner = lttp_load(&session->files[number].lane_owner);
	uint32_t pid = (uint32_t)owner;

	if (owner == 0)
		return true;
	return lttp_file_owner_is_near(session, owner) && pid != 0 && kill((pid_t)pid, 0) != 0 &&
	       errno == ESRCH;
}

/* model: wait_lane */
bool lttp_file_wait(const struct lttp_session *session, uint32_t number, unsigned *patience)
{
	const uint64_t *turns = &session->files[number].turns;
	uint64_t seen = lttp_load(turns);

	while (seen % 2 != 0 && lttp_load(turns) == seen) {
		/* It stays odd if its process died. */
		if (lttp_file_lane_is_free(session, number))
			break;
		if (*patience == 0)
			return false;
		--*patience;
		lttp_sleep_ns(IDLE_WAIT_NS);
	}
	return true;
}
