/* cursor.c - step through one tracefile, a decoded block at a time.
 *
 * A step inside a block is an index that counts up and a struct that is filled; all that can go
 * wrong goes wrong when a block is loaded, or behind its last good event.
 */
#include "base/error-priv.h"
#include "model/ondisk-priv.h"
#include "reader/block-priv.h"
#include "reader/trace-priv.h"

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

LttCursor *ltt_cursor_new(LttTracefile *tracefile)
{
	LttCursor *cursor = g_new0(LttCursor, 1);

	cursor->tracefile = tracefile;
	ltt_block_init(&cursor->block);
	cursor->end_position = G_MAXUINT64;
	cursor->event.tracefile = tracefile;
	return cursor;
}

void ltt_cursor_set_window(LttCursor *cursor, guint64 from_ns, guint64 to_ns)
{
	ltt_tracefile_find_window(cursor->tracefile, from_ns, to_ns, &cursor->next_position,
				  &cursor->end_position);
}

void ltt_cursor_free(LttCursor *cursor)
{
	if (cursor == NULL)
		return;
	ltt_block_clear(&cursor->block);
	g_clear_error(&cursor->error);
	g_free(cursor);
}

static void fill_event(LttCursor *cursor)
{
	const LttBlock *block = &cursor->block;
	const guint32 i = cursor->next_event++;
	const LttSlot *slot = &g_array_index(block->slots->slots, LttSlot, block->ids[i]);
	LttEvent *event = &cursor->event;

	event->time_ns = block->times_ns[i];
	event->cycles = block->cycles[i];
	event->type = slot->type;
	event->layout = slot->layout;
	event->role = slot->role;
	event->id = block->ids[i];
	event->offset_bytes = block->offsets[i];
	event->payload = block->bytes + event->offset_bytes + LTT_EVENT_HEADER_BYTES;
	event->payload_bytes =
		block->offsets[i + 1] - event->offset_bytes - (guint32)LTT_EVENT_HEADER_BYTES;
	if (G_UNLIKELY(cursor->next_thread < block->threads->len)) {
		const LttThreadChange *change =
			&g_array_index(block->threads, LttThreadChange, cursor->next_thread);

		if (change->first == i) {
			event->has_thread = TRUE;
			event->pid = change->pid;
			event->tid = change->tid;
			cursor->next_thread++;
		}
	}
}

static gboolean load_next(LttCursor *cursor)
{
	if (!ltt_block_load(&cursor->block, cursor->tracefile, cursor->next_position,
			    &cursor->error)) {
		cursor->load_failed = TRUE;
		return FALSE;
	}
	cursor->next_position++;
	cursor->next_event = 0;
	cursor->next_thread = 0;
	cursor->event.block = cursor->block.place;
	cursor->event.byte_order =
		ltt_system_get_arch(cursor->tracefile->trace->system)->byte_order;
	cursor->event.has_thread = FALSE;
	return TRUE;
}

static LttStep fail(const LttCursor *cursor, GError **error)
{
	if (error != NULL)
		*error = g_error_copy(cursor->error);
	return LTT_STEP_ERROR;
}

LttStep ltt_cursor_next(LttCursor *cursor, const LttEvent **event, GError **error)
{
	g_return_val_if_fail(cursor != NULL && event != NULL, LTT_STEP_ERROR);

	while (G_UNLIKELY(cursor->next_event == cursor->block.n_events)) {
		if (cursor->error == NULL && cursor->block.damage != NULL)
			ltt_fail_at(&cursor->error, LTT_ERROR_CORRUPT, cursor->tracefile->name,
				    (gint64)cursor->block.place, cursor->block.damage_byte, "%s",
				    cursor->block.damage);
		if (cursor->error != NULL)
			return fail(cursor, error);
		if (cursor->next_position >=
		    MIN(cursor->end_position, ltt_tracefile_get_n_ordered(cursor->tracefile)))
			return LTT_STEP_END;
		if (!load_next(cursor))
			return fail(cursor, error);
	}
	fill_event(cursor);
	*event = &cursor->event;
	return LTT_STEP_EVENT;
}

void ltt_cursor_skip_block(LttCursor *cursor)
{
	if (cursor->error == NULL)
		return;
	g_clear_error(&cursor->error);
	g_clear_pointer(&cursor->block.damage, g_free);
	cursor->block.n_events = 0;
	cursor->next_event = 0;
	if (cursor->load_failed)
		cursor->next_position++;
	cursor->load_failed = FALSE;
}
