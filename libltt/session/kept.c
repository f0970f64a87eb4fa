/* kept.c - file descriptors of a trace that a program started by itself. See kept.h. */
#define _GNU_SOURCE
#include "session/kept.h"

#include "session/anchor.h"
#include "session/atomic.h"
#include "session/directory.h"
#include "session/sys.h"

#include <sys/resource.h>

/* select(2) cannot handle higher descriptors, and a program may rely on low ones. */
enum { DESCRIPTORS_MAX = 1024 };

struct lttp_kept {
	size_t size_bytes; /* of this */
	uint32_t n;
	struct {
		int fd; /* 0: none */
		dev_t device;
		ino_t inode;
	} files[];
};

static uint32_t count_anchored(const struct lttp_session *session, uint32_t n)
{
	uint32_t anchored = 0;

	for (uint32_t i = 0; i < n; i++)
		anchored += lttp_anchor_is_set(session, i);
	return anchored;
}

/* Returns the lowest of @n high descriptors; -EMFILE if they would be more than half of all. */
static int lowest(uint32_t n)
{
	struct rlimit limit;
	rlim_t end = DESCRIPTORS_MAX;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return -errno;
	if (limit.rlim_cur < end)
		end = limit.rlim_cur;
	return n <= end / 2 ? (int)(end - n) : -EMFILE;
}

static void keep(struct lttp_session *session, uint32_t which, const char *path, int from)
{
	int fd = lttp_session_file(session, path, O_RDWR);
	int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, from) : -1;
	struct stat status;

	lttp_close(fd);
	if (high < 0)
		return;
	if (fstat(high, &status) != 0) {
		lttp_close(high);
		return;
	}
	session->kept->files[which].device = status.st_dev;
	session->kept->files[which].inode = status.st_ino;
	session->kept->files[which].fd = high;
}

void lttp_kept_open(struct lttp_session *session)
{
	uint32_t n = LTTP_ANCHOR_TRACEFILES + lttp_session_files(session->head);
	size_t size = sizeof(struct lttp_kept) + n * sizeof(session->kept->files[0]);
	int from = lowest(count_anchored(session, n));

	if (from < 0)
		return;
	session->kept = lttp_map_memory(size);
	if (session->kept == NULL)
		return;
	session->kept->size_bytes = size;
	session->kept->n = n;
	keep(session, LTTP_ANCHOR_PROCESSES, "control/processes", from);
	for (uint32_t i = 0; i < lttp_session_files(session->head); i++) {
		if (lttp_load(&session->files[i].blocks) > 0)
			keep(session, LTTP_ANCHOR_TRACEFILES + i, lttp_file_name(i).text, from);
	}
}

void lttp_kept_close(struct lttp_session *session)
{
	struct lttp_kept *kept = session->kept;

	if (kept == NULL)
		return;
	for (uint32_t i = 0; i < kept->n; i++)
		lttp_close(lttp_kept_file(session, i));
	session->kept = NULL;
	munmap(kept, kept->size_bytes);
}

int lttp_kept_file(const struct lttp_session *session, uint32_t which)
{
	const struct lttp_kept *kept = session->kept;
	struct stat status;

	if (kept == NULL || kept->files[which].fd == 0 ||
	    fstat(kept->files[which].fd, &status) != 0 ||
	    status.st_dev != kept->files[which].device || status.st_ino != kept->files[which].inode)
		return -EBADF;
	return kept->files[which].fd;
}
