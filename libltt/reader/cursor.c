/* cursor.c - step through one tracefile, a decoded block at a time.
 *
 * A step inside a block increments an index and fills a struct. It can fail only when it loads a
 * block, or after the last valid event of a block.
 */
#include "reader/cursor-priv.h"

#include "base/error-priv.h"
#include "reader/trace-priv.h"

LttCursor *ltt_cursor_new(LttTracefile *tracefile)
{
	LttCursor *cursor = g_new0(LttCursor, 1);

	cursor->tracefile = tracefile;
	ltt_block_init(&cursor->block);
	cursor->event.tracefile = tracefile;
	cursor->event.byte_order = ltt_system_get_arch(tracefile->trace->system)->byte_order;
	return cursor;
}

void ltt_cursor_free(LttCursor *cursor)
{
	if (cursor == NULL)
		return;
	if (cursor->next != NULL)
		ltt_ahead_block_clear(cursor->next);
	g_free(cursor->next);
	ltt_block_clear(&cursor->block);
	g_clear_error(&cursor->error);
	g_free(cursor);
}

void ltt_cursor_set_window(LttCursor *cursor, guint64 from_ns, guint64 to_ns)
{
	ltt_tracefile_find_window(cursor->tracefile, from_ns, to_ns, &cursor->first_position,
				  &cursor->end_position);
	cursor->has_window = TRUE;
}

void ltt_cursor_set_ahead(LttCursor *cursor, LttAhead *ahead)
{
	cursor->ahead = ahead;
	cursor->next = g_new(LttAheadBlock, 1);
	ltt_ahead_block_init(cursor->next, cursor->tracefile);
}

/* Skips the blocks outside the window. Returns: FALSE if no block is left */
static gboolean find_next(LttCursor *cursor)
{
	if (cursor->has_window)
		cursor->next_position =
			ltt_tracefile_next_in_window(cursor->tracefile, cursor->first_position,
						     cursor->end_position, cursor->next_position);
	return cursor->next_position < ltt_tracefile_get_n_ordered(cursor->tracefile);
}

static gboolean load(LttCursor *cursor)
{
	return (cursor->ahead != NULL && ltt_ahead_take(cursor->ahead, cursor->next,
							cursor->next_position, &cursor->block)) ||
	       ltt_block_load(&cursor->block, cursor->tracefile, cursor->next_position,
			      &cursor->error);
}

static gboolean load_next(LttCursor *cursor)
{
	cursor->next_event = 0;
	cursor->next_thread = 0;
	if (cursor->shelf != NULL && cursor->block.n_events > 0)
		ltt_shelf_exchange(cursor->shelf, &cursor->block, cursor->tracefile->block_bytes);
	if (!load(cursor)) {
		cursor->block.n_events = 0;
		cursor->load_failed = TRUE;
		return FALSE;
	}
	cursor->next_position++;
	cursor->event.block = cursor->block.place;
	cursor->event.has_thread = FALSE;
	if (cursor->ahead != NULL && find_next(cursor))
		ltt_ahead_ask(cursor->ahead, cursor->next, cursor->next_position);
	return TRUE;
}

static LttStep fail(const LttCursor *cursor, GError **error)
{
	if (error != NULL)
		*error = g_error_copy(cursor->error);
	return LTT_STEP_ERROR;
}

LttStep ltt_cursor_need_event(LttCursor *cursor, GError **error)
{
	while (cursor->next_event == cursor->block.n_events) {
		if (cursor->error == NULL && cursor->block.damage != NULL)
			ltt_fail_at(&cursor->error, LTT_ERROR_CORRUPT, cursor->tracefile->name,
				    (gint64)cursor->block.place, cursor->block.damage_byte, "%s",
				    cursor->block.damage);
		if (cursor->error != NULL)
			return fail(cursor, error);
		if (!find_next(cursor))
			return LTT_STEP_END;
		if (!load_next(cursor))
			return fail(cursor, error);
	}
	return LTT_STEP_EVENT;
}

LttStep ltt_cursor_next(LttCursor *cursor, const LttEvent **event, GError **error)
{
	LttStep step;

	g_return_val_if_fail(cursor != NULL && event != NULL, LTT_STEP_ERROR);
	if (G_UNLIKELY(cursor->next_event == cursor->block.n_events)) {
		step = ltt_cursor_need_event(cursor, error);
		if (step != LTT_STEP_EVENT)
			return step;
	}
	*event = ltt_cursor_take(cursor);
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

void ltt_cursor_visit_readable(LttTracefile *tracefile, LttVisitEvent visit, gpointer data)
{
	g_autoptr(LttCursor) cursor = ltt_cursor_new(tracefile);
	const LttEvent *event;
	LttStep step;

	do {
		g_autoptr(GError) error = NULL;

		while ((step = ltt_cursor_next(cursor, &event, &error)) == LTT_STEP_EVENT)
			visit(data, event);
		if (step == LTT_STEP_ERROR) {
			ltt_tracefile_note_failure(tracefile, error);
			ltt_cursor_skip_block(cursor);
		}
	} while (step != LTT_STEP_END);
}
