/* copy-blocks.h - copy the blocks of a tracefile while it is written.
 *
 * Writers may overwrite the oldest block first, so blocks are copied from the newest to the oldest,
 * and the copy begins after the first block that was overwritten meanwhile.
 */
#ifndef LTTP_COPY_BLOCKS_H
#define LTTP_COPY_BLOCKS_H

#include "session/session.h"

/* Copies the tracefile @path to the same path in the directory @to, up to @place. @is_ring: block N
 * of a flight recorder is at N modulo both halves, and not in one of two halves (half.h)
 *
 * Returns: 0; -EAGAIN if the newest block was overwritten; otherwise -errno */
int lttp_copy_tracefile(const struct lttp_session *session, int to, const char *path,
			const struct lttp_place *place, bool is_ring);

/* Read and write all bytes at an offset. Return: 0 or -errno */
int lttp_read_all(int fd, char *bytes, size_t size, uint64_t offset);
int lttp_write_all(int fd, const char *bytes, size_t size, uint64_t offset);

#endif /* LTTP_COPY_BLOCKS_H */
