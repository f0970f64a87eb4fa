/* ltt-cursor.h - walk the events of one tracefile, oldest block first.
 *
 * A cursor reads blocks in the order of their ids (doc/format.md, 3.5) and the events of a block in
 * the order of the file. To read a whole trace in time order, use ltt-merge.h, which keeps one
 * cursor for each file.
 *
 * Threads: a cursor is used by one thread at a time.
 */
#ifndef LTT_CURSOR_H
#define LTT_CURSOR_H

#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

/* What one step found. */
typedef enum LttStep {
	LTT_STEP_ERROR = -1, /* the GError is set and the cursor has not moved */
	LTT_STEP_END = 0,    /* no events are left; a further step returns this again */
	LTT_STEP_EVENT = 1,  /* *event was set */
	LTT_STEP_WAIT = 2,   /* no event yet; only from ltt_follow_next() (ltt-follow.h) */
} LttStep;

typedef struct LttCursor LttCursor;

/**
 * ltt_cursor_new:
 * @tracefile: (transfer none): its trace must outlive the cursor
 *
 * Returns: (transfer full): a cursor before the first event. Nothing is read yet.
 */
LttCursor *ltt_cursor_new(LttTracefile *tracefile);
void ltt_cursor_free(LttCursor *cursor); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttCursor, ltt_cursor_free)

/**
 * ltt_cursor_set_window:
 *
 * Restricts a cursor that has not been moved yet to the blocks that may hold events of
 * [@from_ns, @to_ns). A binary search finds them, so that only a few blocks outside the window are
 * read. The cursor may still return events outside the window.
 */
void ltt_cursor_set_window(LttCursor *cursor, guint64 from_ns, guint64 to_ns);

/**
 * ltt_cursor_next:
 * @event: (out) (transfer none): valid until the next call on @cursor. Set on LTT_STEP_EVENT.
 * @error: set on LTT_STEP_ERROR:
 *   LTT_ERROR_CORRUPT  the block is damaged here; its events before the damage were returned.
 *                      ltt_problem_from_error() returns the place
 *   LTT_ERROR_IO       the file could not be read
 *   LTT_ERROR_LIMIT    out of memory for a block
 *   Further steps return the same error until ltt_cursor_skip_block() is called.
 */
LttStep ltt_cursor_next(LttCursor *cursor, const LttEvent **event, GError **error);

/* Skips the rest of the block in which the last step failed; the next step starts at the following
 * block. Does nothing if the last step did not fail. */
void ltt_cursor_skip_block(LttCursor *cursor);

G_END_DECLS

#endif /* LTT_CURSOR_H */
