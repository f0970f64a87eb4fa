/* file.h - create, allocate and map the tracefiles cpu/N.
 *
 * Space is allocated by fallocate(2) before use, so that a full disk causes an error here and not a
 * SIGBUS in the program. Files only grow.
 */
#ifndef LTTP_FILE_H
#define LTTP_FILE_H

#include "session/directory.h"
#include "session/session.h"

#include <stdbool.h>

/* Creates the empty file of tracefile @number in the open trace directory. Returns: 0, also if it
 * exists; -EAGAIN if another process is creating it; otherwise -errno */
int lttp_file_make(struct lttp_session *session, int directory, uint32_t number);

/* Opens a tracefile under the name that it has now. Returns: -errno on failure */
int lttp_file_open(const struct lttp_session *session, int directory, uint32_t number);

/* Number of lanes that a process reserves when it joins, in case it may not open files later. */
enum { LTTP_LANES_AT_HAND = 32 };

/* Creates the files of the next LTTP_LANES_AT_HAND lanes, which other processes may use, too.
 * Returns: the number of the first */
uint32_t lttp_file_make_lanes(struct lttp_session *session);

/* Ensures that tracefile @number has at least @blocks blocks. Creates the file if it never had a
 * block. Several threads and processes may call it at the same time.
 *
 * Returns: 0; -EFBIG where the size limit of the process or of the file system is reached (without
 * the signal); -ENOSPC, -EDQUOT, -EMFILE, ...: otherwise -errno. */
int lttp_file_extend(struct lttp_session *session, uint32_t number, uint64_t blocks);

/* Files grow by at most this, or double. */
#define LTTP_GROW_BYTES_MAX (32u << 20)

/* Maps chunk @chunk of tracefile @number. Returns: 0; -errno, with *@at NULL */
int lttp_file_map(const struct lttp_session *session, uint32_t number, uint64_t chunk, char **at);

/* Maps block @number of the control file @which (enum lttp_anchor). Returns: NULL if it does not
 * exist or cannot be mapped */
char *lttp_file_map_control(const struct lttp_session *session, uint32_t which, uint32_t number);

/* Returns: the value of lttp_file.lane_owner for this process, whose number is @pid. It changes
 * with exec. Processes of the same PID namespace can determine from it whether the owner is
 * dead. */
uint64_t lttp_file_lane_owner(const struct lttp_session *session, uint32_t pid);

/* Whether @owner is a process of the PID namespace of this one. */
bool lttp_file_owner_is_near(const struct lttp_session *session, uint64_t owner);

/* Whether the lane with tracefile @number has no owner, or a dead one. */
bool lttp_file_lane_is_free(const struct lttp_session *session, uint32_t number);

/* Limit of all waiting for lanes together, in checks of a lane. */
#define LTTP_PATIENCE 1000

/* Waits until no event is being written to the lane with tracefile @number. Subtracts the number of
 * checks from *@patience. Returns: false if *@patience is used up: the thread is probably stopped
 */
bool lttp_file_wait(const struct lttp_session *session, uint32_t number, unsigned *patience);

static inline size_t lttp_chunk_bytes(const struct lttp_head *head)
{
	return (size_t)head->chunk_blocks * head->block_bytes;
}

/* Allocates @size bytes at @offset of a file, and extends it if necessary. Returns: 0 or -errno */
int lttp_allocate(int fd, uint64_t offset, uint64_t size);

#endif /* LTTP_FILE_H */
