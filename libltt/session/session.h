/* session.h - a session, as one process has it open.
 *
 *	struct lttp_session
 *	  head, files --------> info/session, shared by all processes (session-layout.h)
 *	  anchors ------------> first page of each tracefile and control file (anchor.h)
 *	  lock ---------------> info/lock; the mapping keeps a read lock
 *	  slot ---------------> of this process, in head->processes
 *	  kept                  file descriptors, without a recorder (kept.h)
 *	  directory, broker     how the trace was reached
 *
 * An attached process holds a read lock on one byte of info/lock (LTTP_LOCK_ATTACHED). The lock
 * belongs to the open file description, which a mapping keeps open. Thus it needs no file
 * descriptor, which the program might close, and forked children have it, too. The kernel releases
 * it when the last process with the mapping dies or executes another program. If a process gets the
 * write lock, no process writes any more.
 *
 * A process maps what it needs of the trace when it joins. Afterwards it can drop its privileges,
 * change its root or close all files, and continue to trace.
 */
#ifndef LTTP_SESSION_H
#define LTTP_SESSION_H

#include "session/session-layout.h"

#include <limits.h>
#include <stdbool.h>

/* Size of the address of a broker (broker-client.h). */
#define LTTP_BROKER_BYTES 256

struct lttp_anchors;
struct lttp_kept;

struct lttp_session {
	struct lttp_head *head;
	struct lttp_file *files;        /* head->cpus + head->lanes of them */
	size_t size_bytes;              /* of the mapping */
	struct lttp_anchors *anchors;   /* anchor.h; NULL: none */
	struct lttp_kept *kept;         /* kept.h; NULL: none */
	void *lock;                     /* mapping of info/lock while attached */
	struct lttp_process_slot *slot; /* of this process; NULL: none */
	bool is_foreign;    /* the PID namespace may differ from that of other processes */
	uint16_t pid_space; /* of this process, as in its slot */
	char directory[PATH_MAX];
	char broker[LTTP_BROKER_BYTES]; /* LTT_TRACE_SOCKET, or "" */
};

/* Bytes of the whole session state, for this many tracefiles. */
static inline size_t lttp_session_bytes(uint32_t files)
{
	return sizeof(struct lttp_head) + files * sizeof(struct lttp_file);
}

/* Used bytes of the fixed part. */
#define LTTP_FIXED_USED_BYTES                                                                      \
	(offsetof(struct lttp_head, pid_namespace) + sizeof(uint64_t) - LTTP_FIXED_AT)

static inline uint32_t lttp_session_files(const struct lttp_head *head)
{
	return head->cpus + head->lanes;
}

/* The last 8 bytes of a block are its word: the offset of the next event, then that of the last
 * one, each a uint32 in memory order. Storing the word commits an event.
 *
 *	0                                    last      next                       block_bytes
 *	+-------------+-------+--------+-----+---------+------------------+------+------+
 *	| block_start | clock | thread | ... | event   | padding          | next | last |
 *	+-------------+-------+--------+-----+---------+------------------+------+------+
 *	                                               |<-- at least the reserve ------>|
 */
static inline uint64_t lttp_word(uint32_t next, uint32_t last)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (uint64_t)last << 32 | next;
#else
	return (uint64_t)next << 32 | last;
#endif
}

static inline uint32_t lttp_word_next(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (uint32_t)word;
#else
	return (uint32_t)(word >> 32);
#endif
}

static inline uint32_t lttp_word_last(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (uint32_t)(word >> 32);
#else
	return (uint32_t)word;
#endif
}

static inline uint64_t *lttp_block_word(const struct lttp_head *head, char *block)
{
	return (uint64_t *)(void *)(block + head->block_bytes - 8);
}

/* Whether the events of a block extend past @offset. */
static inline bool lttp_block_is_past(const struct lttp_head *head, char *block, uint32_t offset)
{
	uint64_t word = __atomic_load_n(lttp_block_word(head, block), __ATOMIC_ACQUIRE);

	return lttp_word_next(word) > offset;
}

/* The reserve after the events of an open block: for an events_lost, a heartbeat at a bend, a
 * block_end and the word, and for stores of whole words that extend past an event. */
enum { LTTP_BLOCK_RESERVE_BYTES = 14 + 22 + 26 + 8 + 10 };

static inline uint32_t lttp_block_room(const struct lttp_head *head)
{
	return head->block_bytes - LTTP_BLOCK_RESERVE_BYTES;
}

#endif /* LTTP_SESSION_H */
