/* journal.h - journal of control/processes in the session state.
 *
 * A process can be stopped or killed while it writes the event of its start or end, and no other
 * process may have to wait for it. So it prepares the event in a notice and appends it to the
 * journal by one compare-and-exchange, which determines its place in the file, its time and its
 * bytes. Any process can then write the event to the file: all would write the same bytes to the
 * same place.
 *
 *	notices  | free | event 7 | prepared   | event 8 | event 6 | free | ...
 *	              .----'           .---------'         |
 *	journal  ... | 6 | 7 | 8 |  next: 9                 ring buffer: event N at N % length
 *	               |
 *	file     | block_start | .. | event 6 | word        written up to journal_done
 *
 * An event stays in the ring buffer, and its notice with it, until LTTP_JOURNAL others follow. A
 * notice whose process died is reused when no other is free.
 */
#ifndef LTTP_JOURNAL_H
#define LTTP_JOURNAL_H

#include "session/session.h"

/* Where the next event goes. */
struct lttp_journal_end {
	uint64_t number; /* number of that event */
	uint64_t cycles; /* of the last time value in the block */
	uint32_t block;
	uint32_t offset; /* 0: the block was not begun */
	uint32_t last;   /* where the last event is */
	bool is_closed;  /* the event goes to the next block */
};

/* Bytes of an event in the file, with the time value before it. */
uint32_t lttp_notice_bytes(const struct lttp_notice *notice);

/* Where the event itself begins in its block. */
uint32_t lttp_notice_offset(const struct lttp_notice *notice);

/* Sets the place of an event after @end, and its time, which is now. Returns: 0 or -EIO */
int lttp_notice_place(struct lttp_head *head, struct lttp_notice *notice,
		      const struct lttp_journal_end *end);

/* Finds the end of the journal. Returns: false if it changes too fast */
bool lttp_journal_find_end(struct lttp_head *head, struct lttp_journal_end *end);

/* Copies event @number. Returns: false if the ring buffer does not contain it */
bool lttp_journal_read(struct lttp_head *head, uint64_t number, struct lttp_notice *out);

/* Appends an event. @spot: (nullable): set to its place (LTTP_SPOT()) before the event counts
 *
 * Returns: 0; -EAGAIN if the journal is full until more of it is written to the file; -EBUSY if all
 *   notices are in use; -EIO */
int lttp_journal_enter(struct lttp_head *head, uint16_t id, const void *bytes, uint32_t size,
		       uint64_t *spot);

#endif /* LTTP_JOURNAL_H */
