/* merge-tree-priv.h - which tracefile the next event comes from, for many events at a time.
 *
 * A tree of two-way merges. A leaf is a cursor and offers the times of its block; an inner node has
 * a buffer of times and sources that it fills from its two children, always taking the lesser head,
 * the left one at equal times. So the root gives the heads of all files, least first
 * (doc/format.md, 7), also where times of a file fall.
 *
 * Nodes work on arrays, many events at a time (merge-run-priv.h).
 */
#ifndef LTT_MERGE_TREE_PRIV_H
#define LTT_MERGE_TREE_PRIV_H

#ifndef LTT_BUILDING
#error "merge-tree-priv.h is private to libltt; use <ltt/ltt-merge.h>"
#endif

#include "reader/cursor-priv.h"

typedef struct LttMergeNode LttMergeNode;

struct LttMergeNode {
	const guint64 *times_ns; /* what is offered, from next up to and without end, which may be
				    loaded */
	const guint32 *sources;  /* places of the cursors, at stride; those of a leaf are all one */
	guint32 stride;
	guint32 next;
	guint32 end;
	gboolean has_ended; /* nothing more will come */
	LttCursor *cursor;  /* leaf: borrowed */
	guint32 source;     /* leaf: its place */
	LttMergeNode *left; /* inner node: owned */
	LttMergeNode *right;
	guint64 *own_times_ns;
	guint32 *own_sources;
};

/* Returns: (transfer full) (nullable): a tree over @cursors, whose order breaks ties; NULL: there
 * are none */
LttMergeNode *ltt_merge_tree_new(LttCursor *const *cursors, guint n_cursors);
void ltt_merge_tree_free(LttMergeNode *root);

/**
 * ltt_merge_tree_refill:
 * @root: (inout): offers nothing any more: the blocks that its events lie in are replaced here. May
 * become another node of the tree
 * @failed: (out): the cursor that could not step, set on LTT_STEP_ERROR
 *
 * Outcomes as for ltt_cursor_next().
 */
LttStep ltt_merge_tree_refill(LttMergeNode **root, LttCursor **failed, GError **error);

/* Lets each cursor stand in front of the first event that the root has not offered, for a caller
 * that has not taken from the cursors what was offered. @cursors: as for ltt_merge_tree_new() */
void ltt_merge_tree_sync(const LttMergeNode *root, LttCursor *const *cursors);

#endif
