/* cursor-priv.h - internals of a cursor, for the merge, which steps it a block at a time.
 *
 * The inline functions move it inside a block; cursor.c moves it from one block to the next.
 */
#ifndef LTT_CURSOR_PRIV_H
#define LTT_CURSOR_PRIV_H

#ifndef LTT_BUILDING
#error "cursor-priv.h is private to libltt; use <ltt/ltt-cursor.h>"
#endif

#include "reader/ahead-priv.h"
#include "reader/shelf-priv.h"

#include <ltt/ltt-cursor.h>

struct LttCursor {
	LttTracefile *tracefile; /* borrowed */
	LttBlock block;
	guint64 next_position; /* the block to load after this one */
	gboolean has_window;   /* only blocks from first to end, and open ones, are loaded */
	guint64 first_position;
	guint64 end_position;
	guint32 next_event;
	guint next_thread;    /* the next change in block.threads */
	gboolean load_failed; /* the block at next_position failed to load; see error */
	GError *error;        /* of a failed step, to be reported again */
	LttEvent event;       /* lent out */
	LttAhead *ahead;      /* borrowed; NULL: no block is decoded ahead */
	LttAheadBlock *next;  /* owned, the slot in `ahead`; NULL if `ahead` is NULL */
	LttShelf *shelf;      /* borrowed; NULL: events are valid until the next step only */
};

/* Positions the cursor before an event; loads a block if necessary. Returns the same values as
 * ltt_cursor_next(). */
LttStep ltt_cursor_need_event(LttCursor *cursor, GError **error);

/* Enables read-ahead. @ahead must be freed before the cursor. */
void ltt_cursor_set_ahead(LttCursor *cursor, LttAhead *ahead);

typedef void (*LttVisitEvent)(gpointer data, const LttEvent *event);

/* Calls @visit for each event that can be read, in order. Skips damaged blocks without a report: for
 * secondary passes over a tracefile that another reader reports on. A block that cannot be read is a
 * problem of the trace. */
void ltt_cursor_visit_readable(LttTracefile *tracefile, LttVisitEvent visit, gpointer data);

/* Returns: the slot of the next event, which must exist in the block */
static inline const LttSlot *ltt_cursor_peek(const LttCursor *cursor)
{
	const LttBlock *block = &cursor->block;

	return &block->slots[block->records[cursor->next_event].id];
}

/* Updates the current thread at the event @i, where it may change. */
static inline void ltt_cursor_change_thread(LttCursor *cursor, guint32 i)
{
	const GArray *threads = cursor->block.threads;

	/* More than one change if events were skipped. */
	for (; cursor->next_thread < threads->len; cursor->next_thread++) {
		const LttThreadChange *change =
			&g_array_index(threads, LttThreadChange, cursor->next_thread);

		if (change->first > i)
			break;
		cursor->event.has_thread = TRUE;
		cursor->event.pid = change->pid;
		cursor->event.tid = change->tid;
	}
}

/* Steps to the next event, whose slot is @slot. If its role is LTT_ROLE_THREAD, the caller calls
 * ltt_cursor_change_thread() first. */
static inline const LttEvent *ltt_cursor_fill(LttCursor *cursor, const LttSlot *slot)
{
	ltt_block_fill_event(&cursor->block, cursor->next_event++, slot, &cursor->event);
	return &cursor->event;
}

/* Copies the next event to @event without stepping onto it. It does not change the thread. */
static inline void ltt_cursor_copy(const LttCursor *cursor, const LttSlot *slot, LttEvent *event)
{
	event->has_thread = cursor->event.has_thread;
	event->pid = cursor->event.pid;
	event->tid = cursor->event.tid;
	event->byte_order = cursor->event.byte_order;
	event->block = cursor->event.block;
	event->tracefile = cursor->event.tracefile;
	ltt_block_fill_event(&cursor->block, cursor->next_event, slot, event);
}

static inline const LttEvent *ltt_cursor_take(LttCursor *cursor)
{
	const LttSlot *slot = ltt_cursor_peek(cursor);

	if (G_UNLIKELY(slot->role == LTT_ROLE_THREAD))
		ltt_cursor_change_thread(cursor, cursor->next_event);
	return ltt_cursor_fill(cursor, slot);
}

#endif
