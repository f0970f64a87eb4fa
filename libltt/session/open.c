/* open.c - open and close a session. See open.h. */
#define _GNU_SOURCE
#include "session/open.h"

#include "session/anchor.h"
#include "session/atomic.h"
#include "session/directory.h"
#include "session/file.h"
#include "session/kept.h"
#include "session/sys.h"

#include <stdlib.h>
#include <string.h>

/* Takes the lock of attached processes. Finishing the trace prevents that. */
static int lock_shared(struct lttp_session *session, int fd)
{
	int result = lttp_session_set_lock(fd, LTTP_LOCK_ATTACHED, F_RDLCK);
	void *at;

	if (result != 0)
		return result == -EBUSY ? -ESHUTDOWN : result;
	at = mmap(NULL, lttp_page_bytes(), PROT_READ, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return -ENOMEM;
	session->lock = at;
	return 0;
}

/* Replaces the mapping of the fixed part by a private copy, which other processes cannot change.
 * Returns: 0 or -errno */
static int keep_fixed(struct lttp_session *session, int fd)
{
	char *at = (char *)session->head + LTTP_FIXED_AT;
	char *copy = lttp_map_memory(LTTP_FIXED_BYTES);
	ssize_t n;

	if (copy == NULL)
		return -ENOMEM;
	n = lttp_pread(fd, copy, LTTP_FIXED_USED_BYTES, LTTP_FIXED_AT);
	if (n == LTTP_FIXED_USED_BYTES && mprotect(copy, LTTP_FIXED_BYTES, PROT_READ) == 0 &&
	    mremap(copy, LTTP_FIXED_BYTES, LTTP_FIXED_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, at) ==
		    at)
		return 0;
	munmap(copy, LTTP_FIXED_BYTES);
	return n == LTTP_FIXED_USED_BYTES ? -ENOMEM : -EBADMSG;
}

static int map_state(struct lttp_session *session, int fd)
{
	struct stat status;
	void *at;

	if (fstat(fd, &status) != 0)
		return -EIO;
	if (!S_ISREG(status.st_mode) || status.st_size < (off_t)sizeof(struct lttp_head) ||
	    status.st_size > (off_t)lttp_session_bytes(LTTP_CPUS_MAX + LTTP_LANES))
		return -EBADMSG;
	at = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return -ENOMEM;
	session->head = at;
	session->files = (struct lttp_file *)(session->head + 1);
	session->size_bytes = (size_t)status.st_size;
	return keep_fixed(session, fd);
}

static void find_space(struct lttp_session *session)
{
	uint64_t own = lttp_namespace_of_self("/proc/self/ns/pid");

	session->is_foreign = own != session->head->pid_namespace;
	session->pid_space = LTTP_SPACE_OWN;
	if (session->is_foreign)
		session->pid_space = own != 0 ? (uint16_t)(1 + own % (LTTP_SPACE_UNKNOWN - 1))
					      : LTTP_SPACE_UNKNOWN;
}

int lttp_session_take(struct lttp_session *session, int state_fd, int lock_fd,
		      enum lttp_session_use use)
{
	int result = -EPERM;

	if (lttp_session_trusts(state_fd, use) && lttp_session_trusts(lock_fd, use))
		result = map_state(session, state_fd);
	if (result == 0 && use != LTTP_SESSION_WATCH)
		result = lock_shared(session, lock_fd);
	if (result == 0)
		result = lttp_session_check(session->head, session->size_bytes, use);
	if (result != 0)
		lttp_session_close(session);
	else
		find_space(session);
	return result;
}

static void anchor(struct lttp_session *session, uint32_t which, int fd)
{
	if (fd >= 0)
		lttp_anchor_set(session, which, fd);
	lttp_close(fd);
}

/* Anchors the control files and the tracefiles of the CPUs that have one. A file that cannot be
 * anchored is opened when it is needed. */
static void anchor_files(struct lttp_session *session, int directory)
{
	if (!lttp_anchors_make(session))
		return;
	anchor(session, LTTP_ANCHOR_PROCESSES,
	       lttp_openat(directory, "control/processes", O_RDWR | O_NOFOLLOW, 0));
	anchor(session, LTTP_ANCHOR_FACILITIES,
	       lttp_openat(directory, "control/facilities", O_RDWR | O_NOFOLLOW, 0));
	for (uint32_t i = 0; i < session->head->cpus; i++) {
		if (lttp_load(&session->files[i].made) == LTTP_MADE_WHOLE)
			anchor(session, LTTP_ANCHOR_TRACEFILES + i,
			       lttp_file_open(session, directory, i));
	}
}

int lttp_session_open(struct lttp_session *session, const char *directory,
		      enum lttp_session_use use)
{
	int folder, state, lock = -1, result;

	memset(session, 0, sizeof(*session));
	if (realpath(directory, session->directory) == NULL)
		return -errno;
	folder = lttp_session_directory(session);
	if (folder < 0)
		return folder;
	state = lttp_openat(folder, "info/session", O_RDWR | O_NOFOLLOW, 0);
	result = state < 0 ? state : 0;
	if (result == 0 && !lttp_session_trusts(folder, use))
		result = -EPERM;
	if (result == 0 && use != LTTP_SESSION_WATCH) {
		lock = lttp_openat(folder, "info/lock", O_RDWR | O_NOFOLLOW, 0);
		result = lock < 0 ? lock : 0;
	}
	if (result == 0)
		result = lttp_session_take(session, state, lock, use);
	if (result == 0 && use != LTTP_SESSION_WATCH)
		anchor_files(session, folder);
	lttp_close(state);
	lttp_close(lock);
	lttp_close(folder);
	return result;
}

static void let_go(struct lttp_session *session)
{
	if (session->lock != NULL)
		munmap(session->lock, lttp_page_bytes());
	session->lock = NULL;
}

void lttp_session_close(struct lttp_session *session)
{
	let_go(session);
	lttp_anchors_free(session);
	lttp_kept_close(session);
	if (session->head != NULL)
		munmap(session->head, session->size_bytes);
	session->head = NULL;
	session->files = NULL;
}

static void put_memory(void *at, size_t size)
{
	void *memory = mmap(at, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);

	(void)memory; /* at the requested address; without memory, the old mapping stays */
}

void lttp_session_forget(struct lttp_session *session)
{
	char *changing = (char *)session->head + LTTP_FIXED_AT + LTTP_FIXED_BYTES;

	put_memory(session->head, LTTP_FIXED_AT);
	put_memory(changing, session->size_bytes - LTTP_FIXED_AT - LTTP_FIXED_BYTES);
	let_go(session);
}
