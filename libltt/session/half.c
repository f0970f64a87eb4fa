/* half.c - the two halves of a flight recorder's tracefile. See half.h. */
#define _GNU_SOURCE
#include "session/half.h"

#include "session/atomic.h"
#include "session/events.h"
#include "session/file.h"
#include "session/sys.h"

#include <string.h>

/* Offset of the id in a block. */
enum { BLOCK_ID_AT = LTTP_BLOCK_START_BYTES - 4 };

bool lttp_half_is_made(const struct lttp_session *session, const struct lttp_file *file)
{
	uint64_t flight = session->head->flight_blocks;

	return flight != 0 && lttp_load(&file->blocks) >= 2 * flight;
}

int lttp_half_make(struct lttp_session *session, uint32_t number)
{
	return lttp_file_extend(session, number, 2 * (uint64_t)session->head->flight_blocks);
}

/* Whether the block at @offset has events and a newer block at the same position replaces it. */
static bool is_replaced(const struct lttp_head *head, int fd, off_t offset, uint64_t current)
{
	char start[LTTP_BLOCK_START_BYTES];
	uint16_t first;
	uint32_t id;

	if (lttp_pread(fd, start, sizeof(start), offset) != (ssize_t)sizeof(start))
		return false;
	memcpy(&first, start, sizeof(first));
	memcpy(&id, start + BLOCK_ID_AT, sizeof(id));
	return first == LTTP_ID_BLOCK_START && (uint32_t)current - id >= head->flight_blocks;
}

/* Clears a block in the order in which writers begin one, so that it is valid at any time. The file
 * may be truncated at any time, so it is not mapped. */
static void clear(const struct lttp_head *head, int fd, off_t offset)
{
	static const char zeros[8];
	ssize_t done = lttp_pwrite(fd, zeros, sizeof(zeros),
				   offset + head->block_bytes - (off_t)sizeof(zeros));

	if (done == (ssize_t)sizeof(zeros))
		done = lttp_pwrite(fd, zeros, sizeof(zeros), offset);
	(void)done; /* an old block that stays does no harm */
}

void lttp_half_thaw(struct lttp_session *session, uint32_t number)
{
	const struct lttp_head *head = session->head;
	struct lttp_file *file = &session->files[number];
	uint64_t frozen = lttp_load(&file->frozen);
	off_t half;
	int fd;

	if (frozen != 1 && frozen != 2)
		return;
	lttp_swap(&file->frozen, 0);
	half = (off_t)((frozen - 1) * head->flight_blocks * head->block_bytes);
	fd = lttp_session_file(session, lttp_file_name(number).text, O_RDWR);
	/* Writers clear the blocks that they replace from now on. */
	for (uint32_t i = 0; fd >= 0 && i < head->flight_blocks; i++) {
		off_t offset = half + (off_t)i * head->block_bytes;

		if (is_replaced(head, fd, offset, lttp_load(&file->current)))
			clear(head, fd, offset);
	}
	lttp_close(fd);
}

/* Moves the used blocks of the second half. */
static void move_back(const struct lttp_head *head, char *first)
{
	size_t half = (size_t)head->flight_blocks * head->block_bytes;

	for (size_t at = 0; at < half; at += head->block_bytes) {
		char *block = first + half + at;
		uint16_t id;

		memcpy(&id, block, sizeof(id));
		if (id != LTTP_ID_BLOCK_START)
			continue;
		memcpy(first + at, block, head->block_bytes);
		lttp_store(lttp_block_word(head, block), 0);
		lttp_store((uint64_t *)(void *)block, 0);
	}
}

void lttp_half_join(struct lttp_session *session, uint32_t number)
{
	const struct lttp_head *head = session->head;
	int fd = lttp_session_file(session, lttp_file_name(number).text, O_RDWR);
	struct stat status;
	char *first = NULL;

	/* The session state may be wrong; the length of the file is not. */
	if (fd >= 0 && fstat(fd, &status) == 0 &&
	    (uint64_t)status.st_size >= lttp_chunk_bytes(head))
		first = lttp_map_file(fd, 0, lttp_chunk_bytes(head));
	if (first != NULL) {
		move_back(head, first);
		munmap(first, lttp_chunk_bytes(head));
		lttp_store(&session->files[number].blocks, head->flight_blocks);
		if (ftruncate(fd, (off_t)(lttp_chunk_bytes(head) / 2)) != 0)
			lttp_raise(&session->files[number].blocks,
				   2 * (uint64_t)head->flight_blocks);
	}
	lttp_close(fd);
}
