/* ltt-cursor.h - walk the events of one tracefile, oldest block first.
 *
 * Blocks are read in the order of their ids (doc/format.md, 3.5), events in the order of the file.
 * To read a whole trace in time order use ltt-merge.h, which keeps one cursor for each file.
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
	LTT_STEP_END = 0,    /* nothing is left; a further step says so again */
	LTT_STEP_EVENT = 1,  /* *event was set */
	LTT_STEP_WAIT = 2,   /* nothing yet; only where a trace is followed (ltt-follow.h) */
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
 * Keeps to the blocks that may hold events of [@from_ns, @to_ns), so that what lies far from the
 * window is not read: of a large file only some blocks are looked at to find them. Events outside
 * of the window may still come. For a cursor that has not been moved.
 */
void ltt_cursor_set_window(LttCursor *cursor, guint64 from_ns, guint64 to_ns);

/**
 * ltt_cursor_next:
 * @event: (out) (transfer none): valid until the next call on @cursor. Set on LTT_STEP_EVENT.
 * @error: set on LTT_STEP_ERROR:
 *   LTT_ERROR_CORRUPT  the block is damaged here; its events before the damage have been given.
 *                      ltt_problem_from_error() has the place
 *   LTT_ERROR_IO       the file could not be read
 *   LTT_ERROR_LIMIT    there is no memory for a block
 *   A further step gives the same error, until ltt_cursor_skip_block().
 */
LttStep ltt_cursor_next(LttCursor *cursor, const LttEvent **event, GError **error);

/* Gives up the block that a step just failed in; the next step starts at the following one. Behind
 * a step that did not fail it does nothing. */
void ltt_cursor_skip_block(LttCursor *cursor);

G_END_DECLS

#endif /* LTT_CURSOR_H */
