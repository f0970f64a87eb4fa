/* session.h - a session as one process has it before its eyes.
 *
 * A process that is attached keeps a read lock on one byte of DIR/info/lock (LTTP_LOCK_ATTACHED).
 * The lock belongs to the open file description, and a mapping keeps that open: so it needs no file
 * descriptor, which the program might close; forked children have it too; and the kernel drops it
 * when the last process with the mapping dies or runs another program. Whoever gets the write lock
 * knows that nobody writes any more. info/lock has mode 0600: nobody else can hold up or keep out a
 * process by locks of his own.
 *
 * What a process needs of the trace later is mapped when it joins (anchor.h), so that it can drop
 * its privileges, change its root, or close all files, and trace on. The trace directory is known
 * by its path alone. Each use opens it anew and makes sure that it still is the same directory.
 */
#ifndef LTTP_SESSION_H
#define LTTP_SESSION_H

#include "session/session-layout.h"

#include <limits.h>
#include <stdbool.h>

/* Longer than any name of a broker (broker-client.h). */
#define LTTP_BROKER_BYTES 256

struct lttp_anchors;
struct lttp_kept;

struct lttp_session {
	struct lttp_head *head;
	struct lttp_file *files;        /* by number, head->cpus + head->lanes of them */
	size_t size_bytes;              /* of the mapping */
	struct lttp_anchors *anchors;   /* anchor.h; NULL: there are none */
	struct lttp_kept *kept;         /* kept.h; NULL: there are none */
	void *lock;                     /* mapping of info/lock while attached */
	struct lttp_process_slot *slot; /* of this process; NULL: it has none */
	bool is_foreign; /* this process may be in another PID namespace than others */
	char directory[PATH_MAX];
	char broker[LTTP_BROKER_BYTES]; /* who passes files on: LTT_TRACE_SOCKET, or "" */
};

enum lttp_session_use {
	LTTP_SESSION_ATTACH, /* to write: takes the lock, and is refused where it does not fit */
	LTTP_SESSION_ATTACH_OWN, /* the same, if all of it belongs to the process's user or to root
				  */
	LTTP_SESSION_WATCH,      /* to look on: for `ltt record` and others */
};

/* Opens the session of the trace directory @directory, which is made absolute.
 *
 * Returns: 0; -ESHUTDOWN if it has ended; -EPROTO if this process does not fit, which it then has
 *   noted in the session; -EBADMSG if the file is none of ours; otherwise -errno. */
int lttp_session_open(struct lttp_session *session, const char *directory,
		      enum lttp_session_use use);

/* The same with files that are open already: info/session and, to attach, info/lock. They stay
 * open. @session is empty but for its directory. */
int lttp_session_take(struct lttp_session *session, int state_fd, int lock_fd,
		      enum lttp_session_use use);

/* Whether the fixed part of the state of @size_bytes is one that the code may rely on, whoever
 * wrote it. */
bool lttp_session_is_plausible(const struct lttp_head *head, size_t size_bytes);

/* Whether an open file of the trace belongs to somebody whom @use trusts. */
bool lttp_session_trusts(int fd, enum lttp_session_use use);

/* Lets go of it. Nothing that was in the mapping may be used any more. */
void lttp_session_close(struct lttp_session *session);

/* Lets go of it while another thread may still be looking: puts memory of no meaning in its place,
 * for good. In such a session nothing runs. */
void lttp_session_forget(struct lttp_session *session);

/* Notes in the session that this process, or its facility @name if not NULL, could not join. */
void lttp_session_refuse(struct lttp_head *head, uint32_t reason, const char *name);

/* Bytes of the whole session state, for so many tracefiles. */
static inline size_t lttp_session_bytes(uint32_t files)
{
	return sizeof(struct lttp_head) + files * sizeof(struct lttp_file);
}

/* What is used of the pages of the fixed part. */
#define LTTP_FIXED_USED_BYTES                                                                      \
	(offsetof(struct lttp_head, pid_namespace) + sizeof(uint64_t) - LTTP_FIXED_AT)

static inline uint32_t lttp_session_files(const struct lttp_head *head)
{
	return head->cpus + head->lanes;
}

/* A block's word stands in its last 8 bytes: where the next event goes, then where the last one is,
 * each as a uint32 in memory order. */
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

/* What is kept free behind the events of an open block: for an events_lost, for a heartbeat at a
 * bend, for a block_end and the word, and some bytes that stores of whole words may run over. */
enum { LTTP_BLOCK_RESERVE_BYTES = 14 + 22 + 26 + 8 + 10 };

static inline uint32_t lttp_block_room(const struct lttp_head *head)
{
	return head->block_bytes - LTTP_BLOCK_RESERVE_BYTES;
}

#endif /* LTTP_SESSION_H */
