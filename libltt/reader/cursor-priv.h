/* cursor-priv.h - the inside of a cursor, for the merge, which steps it a block at a time.
 */
#ifndef LTT_CURSOR_PRIV_H
#define LTT_CURSOR_PRIV_H

#ifndef LTT_BUILDING
#error "cursor-priv.h is private to libltt; use <ltt/ltt-cursor.h>"
#endif

#include "model/ondisk-priv.h"
#include "reader/block-priv.h"

#include <ltt/ltt-cursor.h>

struct LttCursor {
	LttTracefile *tracefile; /* borrowed */
	LttBlock block;
	guint64 next_position; /* of the block to load after this one */
	guint64 end_position;  /* of the block not to be loaded any more; G_MAXUINT64: behind the
				  last */
	guint32 next_event;
	guint next_thread;    /* the next change in block.threads */
	gboolean load_failed; /* the block at next_position; error says why */
	GError *error;        /* what a failed step said, to be said again */
	LttEvent event;       /* lent out */
};

/* Makes sure that the cursor stands in front of an event, loading a block at need; outcomes as for
 * ltt_cursor_next(). */
LttStep ltt_cursor_need_event(LttCursor *cursor, GError **error);

/* Notes the thread where the event at @i changes it. */
void ltt_cursor_change_thread(LttCursor *cursor, guint32 i);

/* Steps onto the next event, which must be there in the block. */
static inline const LttEvent *ltt_cursor_take(LttCursor *cursor)
{
	const LttBlock *block = &cursor->block;
	const guint32 i = cursor->next_event++;
	const LttRecord *record = &block->records[i];
	const LttSlot *slot = &block->slots[record->id];
	LttEvent *event = &cursor->event;

	event->time_ns = block->times_ns[i];
	event->cycles = block->cycles[i];
	event->type = slot->type;
	event->layout = slot->layout;
	event->role = slot->role;
	event->id = record->id;
	event->offset_bytes = record->offset;
	event->payload = block->bytes + record->offset + LTT_EVENT_HEADER_BYTES;
	event->payload_bytes = record[1].offset - record->offset - (guint32)LTT_EVENT_HEADER_BYTES;
	if (G_UNLIKELY(slot->role == LTT_ROLE_THREAD))
		ltt_cursor_change_thread(cursor, i);
	return event;
}

#endif
