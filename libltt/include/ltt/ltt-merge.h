/* ltt-merge.h - read the events of a trace, or of a part of it, in time order (doc/format.md, 7).
 *
 * Threads: a merge is used by one thread at a time.
 */
#ifndef LTT_MERGE_H
#define LTT_MERGE_H

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-select.h>

G_BEGIN_DECLS

typedef struct LttMerge LttMerge;

/**
 * ltt_merge_new:
 * @trace: must outlive the merge
 * @select: (transfer none) (nullable): which events; NULL: all, with hidden events. Must outlive
 *   the merge
 *
 * Returns: (transfer full): a merge before the first event
 */
LttMerge *ltt_merge_new(LttTrace *trace, LttSelect *select);
void ltt_merge_free(LttMerge *merge); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttMerge, ltt_merge_free)

/**
 * ltt_merge_read_ahead:
 *
 * Decodes one block ahead for each tracefile in another thread. Use it when the whole trace is
 * needed soon; the events are the same. Does nothing on a single processor, and nothing for many
 * tracefiles, to save memory. Do not use it for a trace that is still being written, whose blocks
 * should be read as late as possible.
 */
void ltt_merge_read_ahead(LttMerge *merge);

/**
 * ltt_merge_set_callbacks:
 * @callbacks: (nullable): copied. on_progress is called at least every few thousand events that are
 *   read, selected or not, in the thread of the step. on_problem is not called, because a problem
 *   is the error of a step. NULL: no callbacks
 *
 * Lets a caller cancel a step that finds no selected event for a long time: if on_progress returns
 * FALSE, the step returns LTT_STEP_ERROR with LTT_ERROR_CANCELLED. A further step continues.
 */
void ltt_merge_set_callbacks(LttMerge *merge, const LttJobCallbacks *callbacks);

/* Moves to the next selected event. Returns: as ltt_cursor_next() */
LttStep ltt_merge_next(LttMerge *merge, const LttEvent **event, GError **error);

/**
 * ltt_merge_drain:
 *
 * Reads and merges all remaining events, selected or not, without returning them, to find out
 * whether they can be read.
 *
 * Returns: LTT_STEP_END; or LTT_STEP_ERROR as ltt_cursor_next(). It may be called again after
 *   ltt_merge_skip_block()
 */
LttStep ltt_merge_drain(LttMerge *merge, GError **error);

/* Skips the rest of the block in which the last step failed. */
void ltt_merge_skip_block(LttMerge *merge);

G_END_DECLS

#endif /* LTT_MERGE_H */
