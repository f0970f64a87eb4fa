/* cut.c - the ends of all tracefiles at one value of the counter. See cut.h. */
#define _GNU_SOURCE
#include "session/cut.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/cpus.h"
#include "session/file.h"
#include "session/half.h"
#include "session/kernel-cut.h"
#include "session/sys.h"

#include <stdlib.h>

enum {
	AHEAD_NS = 100000,        /* longer than it takes to store the cut in all gates */
	MAX_AHEAD_NS = 100000000, /* of a thread that is not on a CPU meanwhile */
};

/* Stores the cut in all gates. model: announce */
static void announce(struct lttp_session *session, struct lttp_cut *cut)
{
	for (uint32_t i = 0; i < lttp_session_files(session->head); i++) {
		uint64_t *at = &session->files[i].gate.cut_cycles, seen = lttp_load(at);

		while (seen != LTTP_CUT_ENDED && !lttp_replace(at, seen, cut->cycles))
			seen = lttp_load(at);
	}
	lttp_kernel_cut_announce(session, cut);
	lttp_fence();
}

/* Stores a cut that is @ahead_ns ahead in all gates. Returns: false if this took so long that an event
 * at or after the cut may have passed a gate before. model: ahead */
static bool announce_ahead(struct lttp_session *session, struct lttp_cut *cut, uint64_t ahead_ns)
{
	const struct lttp_head *head = session->head;
	const uint64_t start = lttp_clock_read(head);
	const uint64_t ahead = head->cycles_per_second / (1000000000 / ahead_ns);

	cut->cycles = start + ahead;
	announce(session, cut);
	/* Half of the time: a fast read of the counter does not wait for the stores. */
	return lttp_clock_read(head) - start < ahead / 2;
}

void lttp_cut_end(struct lttp_session *session, const struct lttp_cut *cut)
{
	for (uint32_t i = 0; i < lttp_session_files(session->head); i++) {
		lttp_replace(&session->files[i].gate.cut_cycles, cut->cycles, LTTP_CUT_NEVER);
		lttp_half_thaw(session, i);
	}
	lttp_kernel_cut_end(session, cut);
}

/* The word of the current block, read from the file. */
static int read_word(const struct lttp_session *session, uint32_t number, uint64_t current,
		     uint64_t *word)
{
	uint64_t block_bytes = session->head->block_bytes;
	int fd = lttp_session_file(session, lttp_file_name(number).text, O_RDONLY);
	off_t at = (off_t)((current >> 32) * block_bytes + block_bytes - 8);
	long result;

	if (fd < 0)
		return fd;
	result = lttp_result(pread(fd, word, sizeof(*word), at));
	lttp_close(fd);
	return result == sizeof(*word) ? 0 : result < 0 ? (int)result : -EIO;
}

/* Finds the end of a file. The gate must be loaded last. model: find_place */
static int find_place(struct lttp_session *session, uint32_t number, uint64_t cycles,
		      struct lttp_place *place)
{
	struct lttp_file *file = &session->files[number];
	int result = 0;

	place->current = lttp_load(&file->current);
	place->word = 0;
	if (place->current != LTTP_NO_BLOCK)
		result = read_word(session, number, place->current, &place->word);
	lttp_fence();
	if (lttp_load(&file->gate.cut_cycles) == cycles)
		return lttp_load(&file->current) == place->current ? result : -EAGAIN;
	if (lttp_load(&file->cut_done_cycles) != cycles)
		return -EAGAIN;
	place->current = lttp_load(&file->cut_place.current);
	place->word = lttp_load(&file->cut_place.word);
	return 0;
}

int lttp_cut_make(struct lttp_session *session, struct lttp_cut *cut)
{
	struct lttp_head *head = session->head;
	bool *visited = calloc(head->cpus, sizeof(*visited));
	unsigned patience = LTTP_PATIENCE;
	int result = 0;

	if (visited == NULL)
		return -ENOMEM;
	for (uint64_t ahead_ns = AHEAD_NS; !announce_ahead(session, cut, ahead_ns); ahead_ns *= 2) {
		lttp_cut_end(session, cut);
		if (ahead_ns > MAX_AHEAD_NS) {
			free(visited);
			return -EAGAIN;
		}
	}
	while (lttp_clock_read(head) <= cut->cycles)
		;
	/* model: visit */
	lttp_cpus_visit(head, NULL, NULL, visited);
	for (uint32_t i = 0; result == 0 && i < lttp_session_files(head); i++) {
		if (i >= head->cpus)
			lttp_file_wait(session, i, &patience);
		result = find_place(session, i, cut->cycles, &cut->places[i]);
	}
	free(visited);
	if (result == 0)
		result = lttp_kernel_cut_wait(session, cut);
	if (!lttp_load(&head->running))
		result = -ESHUTDOWN;
	if (result != 0)
		lttp_cut_end(session, cut);
	return result;
}
