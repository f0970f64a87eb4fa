/* ltt-merge.h - all events of a trace, or of a part of it, in the order of time (doc/format.md, 7).
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
 * @select: (transfer none) (nullable): which events; NULL: all, builtin and tracer ones too. Must
 *   outlive the merge
 *
 * Returns: (transfer full): a merge before the first event
 */
LttMerge *ltt_merge_new(LttTrace *trace, LttSelect *select);
void ltt_merge_free(LttMerge *merge); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttMerge, ltt_merge_free)

/**
 * ltt_merge_read_ahead:
 *
 * Decodes blocks in another thread, one for each tracefile, before they are needed: for those who
 * want all of a trace soon. The events are the same. Does nothing where it would not help: with one
 * processor, or with many tracefiles, which are enough memory as it is. Not for a trace that is
 * still being written, of which blocks are to be read as late as possible.
 */
void ltt_merge_read_ahead(LttMerge *merge);

/* The next selected event; outcomes as for ltt_cursor_next(). */
LttStep ltt_merge_next(LttMerge *merge, const LttEvent **event, GError **error);

/**
 * ltt_merge_drain:
 *
 * Reads and merges all that is left, selected or not, for those who want to know whether it can be
 * read and nothing else: no event is filled in.
 *
 * Returns: LTT_STEP_END or LTT_STEP_ERROR, which is as for ltt_cursor_next(); after
 * ltt_merge_skip_block() it may be called again
 */
LttStep ltt_merge_drain(LttMerge *merge, GError **error);

/* Gives up the block that a step just failed in; the next step goes on behind it. */
void ltt_merge_skip_block(LttMerge *merge);

G_END_DECLS

#endif /* LTT_MERGE_H */
