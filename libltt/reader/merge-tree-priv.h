/* merge-tree-priv.h - find the tracefiles of the next events, many events at a time.
 *
 * A tree of two-way merges. A leaf is a cursor and offers the times of its block. An inner node
 * repeatedly takes the lesser head of its two children, the left one at equal times. So the root
 * returns the events of all files in time order (doc/format.md, 7).
 *
 *	                 root            buffer: merged, as both children are busy
 *	               /      \
 *	         node            node    view into the times of cpu/1, up to the next time of
 *	        /    \          /    \   the idle cpu/2
 *	   control   cpu/0   cpu/1   cpu/2
 *
 * A node copies only where events of both children alternate. If one child has many events before
 * the head of the other, the node offers them in place and finds their number by a galloping
 * search. So an idle file costs some searches for each of its own events, and nothing for events of
 * other files.
 *
 * The times that a node offers never decrease: a leaf offers its block only up to the first
 * decrease.
 */
#ifndef LTT_MERGE_TREE_PRIV_H
#define LTT_MERGE_TREE_PRIV_H

#ifndef LTT_BUILDING
#error "merge-tree-priv.h is private to libltt; use <ltt/ltt-merge.h>"
#endif

#include "reader/cursor-priv.h"

typedef struct LttMergeNode LttMergeNode;

struct LttMergeNode {
	const guint64 *times_ns; /* the times offered: from next up to, not including, end */
	const guint32 *sources;  /* indexes of the cursors, at stride; all equal in a leaf */
	guint32 stride;
	guint32 next;
	guint32 end;
	gboolean has_ended; /* all events have been offered */
	LttCursor *cursor;  /* leaf: borrowed */
	guint32 source;     /* leaf: its index */
	LttMergeNode *left; /* inner node: owned */
	LttMergeNode *right;
	guint64 *own_times_ns; /* inner node: its buffer */
	guint32 *own_sources;
};

/* Returns: (transfer full) (nullable): a tree over @cursors, whose order breaks ties; NULL: there
 * are none */
LttMergeNode *ltt_merge_tree_new(LttCursor *const *cursors, guint n_cursors);
void ltt_merge_tree_free(LttMergeNode *root);

/**
 * ltt_merge_tree_refill:
 * @root: (inout): must have no events left to offer, because this function replaces the blocks that
 * contain them. May become another node of the tree
 * @failed: (out): the cursor that could not step, set on LTT_STEP_ERROR
 *
 * Returns the same values as ltt_cursor_next().
 */
LttStep ltt_merge_tree_refill(LttMergeNode **root, LttCursor **failed, GError **error);

/* Positions each cursor before its first event that the root has not offered, for a caller that has
 * not stepped the cursors itself. @cursors: as for ltt_merge_tree_new() */
void ltt_merge_tree_sync(const LttMergeNode *root, LttCursor *const *cursors);

#endif
