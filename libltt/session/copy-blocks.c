/* copy-blocks.c - copy the blocks of a tracefile while it is written. See copy-blocks.h. */
#define _GNU_SOURCE
#include "session/copy-blocks.h"

#include "session/directory.h"
#include "session/events.h"
#include "session/file.h"
#include "session/half.h"
#include "session/sys.h"

#include <stdlib.h>
#include <string.h>

/* The copy of a tracefile. */
struct copy {
	const struct lttp_head *head;
	int from, to;
	uint64_t blocks; /* of the source */
	char *buffer;    /* of a block */
	enum lttp_copy_form form;
	struct lttp_copying *copying;
};

int lttp_read_all(int fd, char *bytes, size_t size, uint64_t offset)
{
	while (size > 0) {
		ssize_t n = pread(fd, bytes, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		bytes += n;
		size -= (size_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

int lttp_write_all(int fd, const char *bytes, size_t size, uint64_t offset)
{
	while (size > 0) {
		ssize_t n = pwrite(fd, bytes, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		bytes += n;
		size -= (size_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

/* Distinguishes one use of a block from the next. */
struct label {
	uint16_t event_id;
	uint32_t block_id;
	uint64_t word;
};

static int read_label(const struct copy *copy, uint64_t offset, struct label *label)
{
	char start[LTTP_BLOCK_START_BYTES] = "";
	uint64_t word_at = offset + copy->head->block_bytes - 8;
	int result = lttp_read_all(copy->from, (char *)&label->word, 8, word_at);

	if (result == 0)
		result = lttp_read_all(copy->from, start, sizeof(start), offset);
	memcpy(&label->event_id, start, 2);
	memcpy(&label->block_id, start + LTTP_BLOCK_START_BYTES - 4, 4);
	return result;
}

/* Copies the block in @slot to @to_slot if its id is still @id, with the word @word, or its own one
 * if @word is 0. Returns: 1 if it was copied; 0 if it was overwritten; -errno */
static int copy_block(const struct copy *copy, uint32_t slot, uint32_t to_slot, uint32_t id,
		      uint64_t word)
{
	uint64_t size = copy->head->block_bytes, offset = slot * size, to = to_slot * size;
	struct label before, after;
	uint32_t used;
	int result = read_label(copy, offset, &before);

	if (result != 0)
		return result;
	if (before.event_id != LTTP_ID_BLOCK_START || before.block_id != id || before.word == 0)
		return 0;
	result = lttp_read_all(copy->from, copy->buffer, size, offset);
	if (result == 0)
		result = read_label(copy, offset, &after);
	if (result != 0)
		return result;
	if (after.event_id != LTTP_ID_BLOCK_START || after.block_id != id || after.word == 0)
		return 0;
	if (word == 0)
		word = before.word;
	/* Later events must not be in the padding either. */
	used = lttp_word_next(word) < size - 8 ? lttp_word_next(word)
					       : lttp_word_last(word) + LTTP_BLOCK_END_BYTES;
	if (used <= size - 8)
		memset(copy->buffer + used, 0, size - 8 - used);
	memcpy(copy->buffer + size - 8, &word, 8);
	result = lttp_allocate(copy->to, to, size);
	if (result == 0)
		result = lttp_write_all(copy->to, copy->buffer, size, to);
	return result == 0 ? 1 : result;
}

/* The same for a flight recorder, in either half. In a ring of both halves the block is in the first
 * place that is tried. */
static int copy_flight_block(const struct copy *copy, uint32_t slot, uint32_t id, uint64_t word)
{
	uint32_t to_slot = slot % copy->head->flight_blocks;
	int result = copy_block(copy, slot, to_slot, id, word);

	if (result == 0 && copy->blocks > copy->head->flight_blocks)
		result = copy_block(copy, lttp_half_other(copy->head, slot), to_slot, id, word);
	return result;
}

uint64_t lttp_copy_count(const struct lttp_head *head, const struct lttp_place *place,
			 enum lttp_copy_form form)
{
	if (place->current == LTTP_NO_BLOCK)
		return 0;
	/* Ids begin anew after 2^32 blocks. */
	return form != LTTP_COPY_PLAIN && head->flight_blocks != 0 ? head->flight_blocks
								   : (place->current >> 32) + 1;
}

/* Copies the blocks up to @place, newest first. Returns: 0; -EAGAIN if the newest was overwritten;
 * -ECANCELED; otherwise -errno */
static int copy_blocks(const struct copy *copy, const struct lttp_place *place)
{
	uint32_t slot = (uint32_t)(place->current >> 32), id = (uint32_t)place->current;
	uint32_t flight = copy->form != LTTP_COPY_PLAIN ? copy->head->flight_blocks : 0;
	uint64_t blocks = lttp_copy_count(copy->head, place, copy->form), word = place->word;
	struct lttp_copying *copying = copy->copying;

	for (uint32_t n = 0; n < blocks; n++) {
		int result;

		/* A flight recorder that has not used all of its blocks. */
		if (n > 0 && slot >= copy->blocks)
			return 0;
		result = flight != 0 ? copy_flight_block(copy, slot, id - n, word)
				     : copy_block(copy, slot, slot, id - n, word);

		if (result < 0)
			return result;
		if (result == 0)
			return n == 0 ? -EAGAIN : 0;
		copying->blocks++;
		if (copying->on_block != NULL && !copying->on_block(copying))
			return -ECANCELED;
		if (copy->form == LTTP_COPY_RING && flight != 0)
			slot = (id - n - 1) % (2 * flight);
		else
			slot = flight != 0 && slot % flight == 0 ? slot + flight - 1 : slot - 1;
		word = 0;
	}
	return 0;
}

int lttp_copy_tracefile(const struct lttp_session *session, int to, const char *path,
			const struct lttp_place *place, enum lttp_copy_form form,
			struct lttp_copying *copying)
{
	struct copy copy = {.head = session->head, .form = form, .copying = copying};
	struct stat status;
	int result = 0;

	if (place->current == LTTP_NO_BLOCK)
		return 0;
	copy.buffer = malloc(session->head->block_bytes);
	copy.from = lttp_session_file(session, path, O_RDONLY);
	copy.to = copy.from < 0 ? copy.from
				: lttp_openat(to, path, O_WRONLY | O_CREAT | O_EXCL, 0666);
	if (copy.buffer == NULL)
		result = -ENOMEM;
	else if (copy.to < 0)
		result = copy.to;
	else if (fstat(copy.from, &status) != 0)
		result = -errno;
	copy.blocks = result == 0 ? (uint64_t)status.st_size / session->head->block_bytes : 0;
	if (result == 0)
		result = copy_blocks(&copy, place);
	lttp_close(copy.from);
	lttp_close(copy.to);
	free(copy.buffer);
	return result;
}
