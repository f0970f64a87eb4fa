/* file.h - the tracefiles cpu/N as files: made, allocated ahead of use, mapped.
 *
 * Space is allocated by fallocate(2) before anything is stored into it, so that a full disk shows
 * here, as an error, and not as a SIGBUS in the middle of the program. Files only grow.
 */
#ifndef LTTP_FILE_H
#define LTTP_FILE_H

#include "session.h"

#include <stdbool.h>

/* Makes sure that tracefile @number has at least @blocks blocks; makes the file if it is not there
 * and it never had a block. Several threads and processes may do so at the same time.
 *
 * Returns: 0; -EFBIG where the size limit of the process or of the file system is reached (the
 *   signal for that is not raised); -ENOSPC, -EDQUOT, -EMFILE, ...: otherwise -errno. */
int lttp_file_extend(struct lttp_session *session, uint32_t number, uint64_t blocks);

/* Maps chunk @chunk of tracefile @number, head->chunk_blocks blocks; NULL if it cannot be. */
char *lttp_file_map(const struct lttp_session *session, uint32_t number, uint64_t chunk);

/* Takes tracefile @number for this process alone, making the file if it is not there.
 *
 * @out: (out): what holds it; lttp_file_unlock() lets go, and so does the end of the process
 *
 * Returns: 0; -EWOULDBLOCK if somebody else has it; otherwise -errno. */
int lttp_file_lock(const struct lttp_session *session, uint32_t number, void **out);
void lttp_file_unlock(void *lock);

/* Waits until the event that is being written to the lane with tracefile @number, if any, is done
 * or given up. Returns false if that takes long: its thread is stopped, it seems. */
bool lttp_file_wait(const struct lttp_session *session, uint32_t number);

static inline size_t lttp_chunk_bytes(const struct lttp_head *head)
{
	return (size_t)head->chunk_blocks * head->block_bytes;
}

/* Makes room of @size bytes at @offset of a file; a file that is shorter gets longer. -errno */
int lttp_allocate(int fd, uint64_t offset, uint64_t size);

/* "cpu/" and a number. */
struct lttp_file_name {
	char text[16];
};
struct lttp_file_name lttp_file_name(uint32_t number);

#endif /* LTTP_FILE_H */
