/* finish.c - end a session and complete its trace. See finish.h.
 *
 * Each gate gets a cut that no event passes. When the finishing thread has run on a CPU, events
 * that were in progress there are written or aborted; a lane shows whether it is busy. Then the
 * blocks can be closed, even those of stopped processes.
 */
#define _GNU_SOURCE
#include "session/finish.h"

#include "session/atomic.h"
#include "session/control.h"
#include "session/cpus.h"
#include "session/directory.h"
#include "session/events.h"
#include "session/file.h"
#include "session/half.h"
#include "session/losses-report.h"
#include "session/registry.h"
#include "session/sys.h"
#include "session/writer.h"

#include <stdlib.h>

enum { EXTENTS = 64 };

/* A step in progress may have opened the gate again; none can after this visit. */
static void shut(uint32_t cpu, void *data)
{
	struct lttp_session *session = data;

	lttp_store(&session->files[cpu].gate.cut_cycles, LTTP_CUT_ENDED);
}

static void shut_all(struct lttp_session *session)
{
	for (uint32_t i = 0; i < lttp_session_files(session->head); i++)
		lttp_store(&session->files[i].gate.cut_cycles, LTTP_CUT_ENDED);
	lttp_fence();
}

static void end(struct lttp_session *session, bool *visited)
{
	lttp_swap(&session->head->running, 0);
	shut_all(session);
	lttp_cpus_visit(session->head, shut, session, visited);
	shut_all(session);
}

void lttp_session_end(struct lttp_session *session)
{
	bool *visited = calloc(session->head->cpus, sizeof(*visited));

	if (visited != NULL)
		end(session, visited);
	free(visited);
}

/* Closes the last block of a file. Returns: false if it stays open */
static bool close_file(struct lttp_session *session, uint32_t number)
{
	static const uint64_t no_epoch;
	struct ltt_probe_cpu here = {.gate = NULL};
	struct lttp_writer writer = {.serial = 0};
	struct lttp_actor actor = {NULL, 0};

	lttp_writer_open(&writer, session, number, actor, &here);
	writer.epoch_at = &no_epoch;
	writer.running = 0;
	return lttp_writer_close(&writer); /* model: close_lane */
}

bool lttp_session_shut_lane(struct lttp_session *session, uint32_t number, unsigned *patience)
{
	if (!lttp_file_wait(session, number, patience))
		return false;
	lttp_store(&session->files[number].gate.cut_cycles, LTTP_CUT_ENDED);
	lttp_fence();
	return lttp_file_wait(session, number, patience);
}

/* Closes the blocks of all files without events in progress. @settled: (out): set to false if there
 * is another file. Returns: number of lost events that no tracefile counts */
static uint64_t close_files(struct lttp_session *session, const bool *visited, bool alone,
			    bool *settled)
{
	uint64_t lost = lttp_load(&session->head->lost);
	uint32_t cpus = session->head->cpus;
	unsigned patience = LTTP_PATIENCE;

	for (uint32_t i = 0; i < lttp_session_files(session->head); i++) {
		if (session->head->flight_blocks != 0)
			lttp_half_thaw(session, i);
		if (lttp_load(&session->files[i].current) == LTTP_NO_BLOCK)
			lost += lttp_load(&session->files[i].lost);
		else if (alone ||
			 (i < cpus ? visited[i] : lttp_session_shut_lane(session, i, &patience)))
			close_file(session, i);
		else
			*settled = false;
	}
	return lost;
}

/* Restores the length of the files of a flight recorder. */
static void join_halves(struct lttp_session *session)
{
	for (uint32_t i = 0; i < lttp_session_files(session->head); i++) {
		if (lttp_half_is_made(session, &session->files[i]))
			lttp_half_join(session, i);
	}
}

/* Whether a block is used; true if it cannot be read. */
static bool is_used(int fd, uint64_t block, uint64_t block_bytes)
{
	off_t start = (off_t)(block * block_bytes);
	uint16_t id = 0;
	uint32_t last = 0;

	ssize_t n = pread(fd, &id, sizeof(id), start);

	if (n == sizeof(id))
		n = pread(fd, &last, sizeof(last), start + (off_t)block_bytes - 4);
	return n < 0 || (n == sizeof(last) && (id == LTTP_ID_BLOCK_START || last != 0));
}

/* Parts of a file with data. After and between them can be holes of any length. */
struct extents {
	unsigned n;
	struct {
		off_t from, to;
	} last[EXTENTS]; /* the last ones; part n is at n % EXTENTS */
};

static void find_extents(int fd, struct extents *extents)
{
	off_t end = 0, data, hole;
	struct stat status;

	extents->n = 0;
	while ((data = lseek(fd, end, SEEK_DATA)) >= 0 &&
	       (hole = lseek(fd, data, SEEK_HOLE)) > end) {
		extents->last[extents->n % EXTENTS].from = data;
		extents->last[extents->n % EXTENTS].to = end = hole;
		extents->n++;
	}
	if ((data >= 0 || errno != ENXIO) && fstat(fd, &status) == 0) {
		extents->last[0].from = 0;
		extents->last[0].to = status.st_size;
		extents->n = 1;
	}
}

/* Returns: the number of blocks up to the last used one */
static uint64_t used_blocks(int fd, uint64_t block_bytes)
{
	struct extents extents;
	uint64_t from = 0;

	find_extents(fd, &extents);
	for (unsigned i = 0; i < EXTENTS && i < extents.n; i++) {
		unsigned at = (extents.n - 1 - i) % EXTENTS;
		uint64_t end = ((uint64_t)extents.last[at].to + block_bytes - 1) / block_bytes;

		from = (uint64_t)extents.last[at].from / block_bytes;
		for (uint64_t block = end; block > from; block--) {
			if (is_used(fd, block - 1, block_bytes))
				return block;
		}
	}
	return extents.n > EXTENTS ? from : 0;
}

/* Truncates a file to its used blocks, or removes it if it has none. */
static void trim(int folder, const char *name, uint64_t block_bytes)
{
	int fd = lttp_openat(folder, name, O_RDWR | O_NOFOLLOW, 0);
	uint64_t blocks = fd >= 0 ? used_blocks(fd, block_bytes) : UINT64_MAX;

	int result = 0;

	if (blocks == 0)
		result = unlinkat(folder, name, 0);
	else if (blocks != UINT64_MAX)
		result = ftruncate(fd, (off_t)(blocks * block_bytes));
	(void)result; /* unused blocks do no harm */
	lttp_close(fd);
}

static int trim_file(int folder, const char *name, void *head)
{
	trim(folder, name, ((const struct lttp_head *)head)->block_bytes);
	return 0;
}

/* Removes a description whose process died while writing it. */
static int remove_unfinished(int folder, const char *name, void *unused)
{
	(void)unused;
	if (name[0] == '.')
		unlinkat(folder, name, 0);
	return 0;
}

static int remove_file(int folder, const char *name, void *unused)
{
	(void)unused;
	unlinkat(folder, name, 0);
	return 0;
}

/* Removes the files of the session. info/lock is last: it keeps other processes out. */
static void remove_state(int directory)
{
	lttp_folder_each(directory, LTTP_SPARE_FOLDER, remove_file, NULL);
	unlinkat(directory, LTTP_SPARE_FOLDER, AT_REMOVEDIR);
	unlinkat(directory, "info/session", 0);
	unlinkat(directory, "info/lock", 0);
}

enum lttp_finished lttp_session_finish(struct lttp_session *session, bool quiet)
{
	bool *visited = calloc(session->head->cpus, sizeof(*visited));
	bool settled = true, alone;
	int lock, directory;
	uint64_t lost;

	if (visited == NULL)
		return LTTP_FINISHED_SEEN;
	end(session, visited);
	lock = lttp_session_lock(session, LTTP_LOCK_ATTACHED, F_WRLCK);
	lost = close_files(session, visited, lock >= 0, &settled);
	free(visited);
	alone = lock >= 0 || (quiet && settled);
	directory = alone ? lttp_session_directory(session) : -ENOENT;
	/* First, because on a full disk control/processes needs the space. */
	if (alone)
		join_halves(session);
	if (directory >= 0)
		lttp_folder_each(directory, "cpu", trim_file, session->head);
	lttp_control_use_reserve(session);
	lttp_losses_report(session);
	lttp_control_close(session, lost);
	if (!alone)
		return LTTP_FINISHED_SEEN;
	lttp_registry_close(session);
	if (directory >= 0) {
		lttp_folder_each(directory, "control", trim_file, session->head);
		lttp_folder_each(directory, "eventdefs", remove_unfinished, NULL);
		remove_state(directory);
	}
	lttp_close(directory);
	lttp_close(lock);
	return LTTP_FINISHED;
}
