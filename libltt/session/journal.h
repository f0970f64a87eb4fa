/* journal.h - the events of control/processes, in the session state before they are in the file.
 *
 * Any process may be stopped or killed while it says that it starts or ends, and nobody may have to
 * wait for it. So an event is first made whole in a draft, then entered in the journal by one
 * compare-and-exchange, which settles its place in the file, its time and its bytes for good. After
 * that anybody can write it into the file: all write the same bytes to the same place.
 *
 *	drafts   | free | event 7 | being made | event 8 | event 6 | free | ...
 *	              .----'           .---------'         |
 *	journal  ... | 6 | 7 | 8 |  next: 9                 a ring: event N at N modulo its length
 *	               |
 *	file     | block_start | .. | event 6 | word        in the file so far: journal_done
 *
 * An event stays in the ring, and its draft with it, until so many others have been entered. A
 *draft of a process that died over it is taken back when there is no other.
 */
#ifndef LTTP_JOURNAL_H
#define LTTP_JOURNAL_H

#include "session/session.h"

/* Where the next event goes. */
struct lttp_journal_end {
	uint64_t number; /* of that event */
	uint64_t cycles; /* of the last time value in the block */
	uint32_t block;
	uint32_t offset; /* 0: the block is not begun */
	uint32_t last;   /* where the last event is */
	bool is_closed;  /* the block; it will be the next one */
};

/* Bytes of an event in the file, with the time value before it. */
uint32_t lttp_notice_bytes(const struct lttp_notice *notice);

/* Where the event itself begins in its block. */
uint32_t lttp_notice_offset(const struct lttp_notice *notice);

/* Sets the place of an event that comes behind @end, and its time: now. -EIO */
int lttp_notice_place(struct lttp_head *head, struct lttp_notice *notice,
		      const struct lttp_journal_end *end);

/* Finds the end of the journal. False: it changes too fast. */
bool lttp_journal_find_end(struct lttp_head *head, struct lttp_journal_end *end);

/* Copies event @number. False: it is not there yet, or no more. */
bool lttp_journal_read(struct lttp_head *head, uint64_t number, struct lttp_notice *out);

/* Enters an event. @spot (nullable): where its place is noted before it counts (LTTP_SPOT())
 *
 * Returns: 0; -EAGAIN if there is no room in the journal until more of it is in the file; -EBUSY if
 *   all drafts are taken; -EIO */
int lttp_journal_enter(struct lttp_head *head, uint16_t id, const void *bytes, uint32_t size,
		       uint64_t *spot);

#endif /* LTTP_JOURNAL_H */
