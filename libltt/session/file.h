/* file.h - the tracefiles cpu/N as files: made, allocated ahead of use, mapped.
 *
 * Space is allocated by fallocate(2) before anything is stored into it, so that a full disk shows
 * here, as an error, and not as a SIGBUS in the middle of the program. Files only grow.
 */
#ifndef LTTP_FILE_H
#define LTTP_FILE_H

#include "session/directory.h"
#include "session/session.h"

#include <stdbool.h>

/* Makes the empty file of tracefile @number in the trace at the open @directory. 0, also if it was
 * there; -EAGAIN if somebody else is about to; otherwise -errno. */
int lttp_file_make(struct lttp_session *session, int directory, uint32_t number);

/* Opens the file of a tracefile, wherever it is. -errno */
int lttp_file_open(const struct lttp_session *session, int directory, uint32_t number);

/* Lanes that a process has at hand from the start, in case it needs some when it may open no more.
 */
enum { LTTP_LANES_AT_HAND = 32 };

/* Makes the files of the next LTTP_LANES_AT_HAND lanes; other processes may use them, too. Returns
 * the number of the first. */
uint32_t lttp_file_make_lanes(struct lttp_session *session);

/* Makes sure that tracefile @number has at least @blocks blocks; makes the file if it is not there
 * and it never had a block. Several threads and processes may do so at the same time.
 *
 * Returns: 0; -EFBIG where the size limit of the process or of the file system is reached (the
 *   signal for that is not raised); -ENOSPC, -EDQUOT, -EMFILE, ...: otherwise -errno. */
int lttp_file_extend(struct lttp_session *session, uint32_t number, uint64_t blocks);

/* Files that are small grow by no more than that at once; others by as much as they have. */
#define LTTP_GROW_BYTES_MAX (32u << 20)

/* Maps chunk @chunk of tracefile @number, head->chunk_blocks blocks. -errno, and @at is NULL */
int lttp_file_map(const struct lttp_session *session, uint32_t number, uint64_t chunk, char **at);

/* Maps block @number of a control file, which one of the enum lttp_anchor says. NULL: it is not
 * there or out of reach. */
char *lttp_file_map_control(const struct lttp_session *session, uint32_t which, uint32_t number);

/* What lttp_file.lane_owner says of this process, whose number is @pid; another word after exec.
 * Others can tell whether it is dead, unless one of them is in another PID namespace. */
uint64_t lttp_file_lane_owner(const struct lttp_session *session, uint32_t pid);

/* Whether nobody writes to the lane with tracefile @number: nobody has it, or who has it is dead.
 */
bool lttp_file_lane_is_free(const struct lttp_session *session, uint32_t number);

/* How long all waiting for lanes may take together, in looks at one. */
#define LTTP_PATIENCE 1000

/* Waits until the event that is being written to the lane with tracefile @number, if any, is done
 * or given up, and takes off @patience the times that it looked. Returns false if that takes long:
 * its thread is stopped, it seems. */
bool lttp_file_wait(const struct lttp_session *session, uint32_t number, unsigned *patience);

static inline size_t lttp_chunk_bytes(const struct lttp_head *head)
{
	return (size_t)head->chunk_blocks * head->block_bytes;
}

/* Makes room of @size bytes at @offset of a file; a file that is shorter gets longer. -errno */
int lttp_allocate(int fd, uint64_t offset, uint64_t size);

#endif /* LTTP_FILE_H */
