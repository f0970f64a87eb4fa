/* copy-blocks.h - copy the blocks of a tracefile while it is written.
 *
 * Writers may overwrite the oldest block first, so blocks are copied from the newest to the oldest,
 * and the copy begins after the first block that was overwritten meanwhile.
 */
#ifndef LTTP_COPY_BLOCKS_H
#define LTTP_COPY_BLOCKS_H

#include "session/session.h"

#include <stdbool.h>

/* The progress of a copy of several tracefiles. */
struct lttp_copying {
	/* May be NULL. Called after each block. Returns: whether to continue */
	bool (*on_block)(const struct lttp_copying *copying);
	void *data;      /* for on_block */
	uint64_t blocks; /* copied so far; a second attempt counts from 0 */
	uint64_t total;  /* upper bound */
};

/* The position of block N in a tracefile. */
enum lttp_copy_form {
	LTTP_COPY_PLAIN,  /* N */
	LTTP_COPY_FLIGHT, /* in a flight recorder: in one of two halves (half.h); otherwise N */
	LTTP_COPY_RING,   /* in a flight recorder: N modulo both halves; otherwise N */
};

/* Returns: the most blocks that a copy up to @place can have */
uint64_t lttp_copy_count(const struct lttp_head *head, const struct lttp_place *place,
			 enum lttp_copy_form form);

/* Copies the tracefile @path to the same path in the directory @to, up to @place.
 *
 * Returns: 0; -EAGAIN if the newest block was overwritten; -ECANCELED if @copying cancels;
 * otherwise -errno */
int lttp_copy_tracefile(const struct lttp_session *session, int to, const char *path,
			const struct lttp_place *place, enum lttp_copy_form form,
			struct lttp_copying *copying);

/* Read and write all bytes at an offset. Return: 0 or -errno */
int lttp_read_all(int fd, char *bytes, size_t size, uint64_t offset);
int lttp_write_all(int fd, const char *bytes, size_t size, uint64_t offset);

#endif /* LTTP_COPY_BLOCKS_H */
