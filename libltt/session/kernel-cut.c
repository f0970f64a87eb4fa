/* kernel-cut.c - the ends of the kernel's tracefiles at a cut. See kernel-cut.h. */
#define _GNU_SOURCE
#include "session/kernel-cut.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/copy-blocks.h"
#include "session/directory.h"
#include "session/events.h"
#include "session/sys.h"

#include <string.h>

enum {
	POLL_NS = 1000000,
	PATIENCE_S = 3,
};

uint32_t lttp_kernel_cut_files(const struct lttp_session *session)
{
	return lttp_load(&session->head->kernel_files) != 0 ? lttp_kernel_cut_count(session->head)
							    : 0;
}

struct lttp_kernel_name lttp_kernel_cut_name(const struct lttp_head *head, uint32_t index)
{
	struct lttp_kernel_name name = {"control/processes.kernel"};

	if (index < head->cpus)
		strncpy(name.text, lttp_file_name(lttp_kernel_cut_number(head, index)).text,
			sizeof(name.text) - 1);
	return name;
}

void lttp_kernel_cut_announce(struct lttp_session *session, struct lttp_cut *cut)
{
	cut->kernel_has_ended = lttp_load(&session->head->kernel_done_cycles) == LTTP_KERNEL_ENDED;
	lttp_store(&session->head->kernel_cut_cycles, cut->cycles);
}

void lttp_kernel_cut_end(struct lttp_session *session, const struct lttp_cut *cut)
{
	lttp_replace(&session->head->kernel_cut_cycles, cut->cycles, 0);
}

/* Finds the newest block of a file that is not written any more. */
static int find_newest(const struct lttp_session *session, int fd, struct lttp_place *place)
{
	uint64_t size = session->head->block_bytes;
	struct stat status;

	if (fstat(fd, &status) != 0)
		return -errno;
	for (uint64_t slot = 0; slot < (uint64_t)status.st_size / size; slot++) {
		char start[LTTP_BLOCK_START_BYTES] = "";
		uint32_t id;
		uint64_t word;
		int result = lttp_read_all(fd, start, sizeof(start), slot * size);

		if (result == 0)
			result = lttp_read_all(fd, (char *)&word, 8, slot * size + size - 8);
		if (result != 0)
			return result;
		memcpy(&id, start + sizeof(start) - sizeof(id), sizeof(id));
		if (word != 0 && (place->current == LTTP_NO_BLOCK || id > (uint32_t)place->current))
			*place = (struct lttp_place){LTTP_CURRENT(slot, id), word};
	}
	return 0;
}

/* Finds the places in the files that a killed recorder left. */
static int find_places(const struct lttp_session *session, struct lttp_place *places)
{
	for (uint32_t i = 0; i < lttp_kernel_cut_count(session->head); i++) {
		uint32_t number = lttp_kernel_cut_number(session->head, i);
		int fd = lttp_session_file(session, lttp_kernel_cut_name(session->head, i).text,
					   O_RDONLY);
		int result = fd == -ENOENT ? 0 : fd;

		places[number] = (struct lttp_place){LTTP_NO_BLOCK, 0};
		if (fd >= 0)
			result = find_newest(session, fd, &places[number]);
		lttp_close(fd);
		if (result != 0)
			return result;
	}
	return 0;
}

/* Copies the places that the recorder has stored. Returns: 0; -EAGAIN if it has replaced them */
static int take_places(const struct lttp_session *session, uint64_t done, struct lttp_place *places)
{
	for (uint32_t i = 0; i < lttp_kernel_cut_count(session->head); i++) {
		const struct lttp_place *place = &session->files[i].kernel_place;

		places[lttp_kernel_cut_number(session->head, i)] =
			(struct lttp_place){lttp_load(&place->current), lttp_load(&place->word)};
	}
	lttp_fence();
	return lttp_load(&session->head->kernel_done_cycles) == done ? 0 : -EAGAIN;
}

static bool is_recorder_alive(struct lttp_session *session)
{
	int lock = lttp_session_lock(session, LTTP_LOCK_KEEPER, F_WRLCK);

	lttp_close(lock);
	return lock < 0;
}

int lttp_kernel_cut_wait(struct lttp_session *session, struct lttp_cut *cut)
{
	struct lttp_head *head = session->head;
	uint64_t start = lttp_clock_read(head);

	if (lttp_kernel_cut_files(session) == 0)
		return 0;
	lttp_store(&head->kernel_ready_cycles, cut->cycles);
	for (;;) {
		/* First: a recorder that ends completes the files before. */
		bool is_alive = is_recorder_alive(session);
		uint64_t done = lttp_load(&head->kernel_done_cycles);

		/* Files that were completed since the announcement may have events after the cut. */
		if (done == LTTP_KERNEL_ENDED && !cut->kernel_has_ended)
			return -EAGAIN;
		if (done == cut->cycles || done == LTTP_KERNEL_ENDED)
			return take_places(session, done, cut->places);
		if (!is_alive)
			return find_places(session, cut->places);
		if (lttp_clock_read(head) - start >= PATIENCE_S * head->cycles_per_second)
			return -ETIMEDOUT;
		lttp_sleep_ns(POLL_NS);
	}
}
