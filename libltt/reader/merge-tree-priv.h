/* merge-tree-priv.h - which tracefile the next event comes from, for many events at a time.
 *
 * A tree of two-way merges. A leaf is a cursor and offers times of its block; an inner node offers
 * what it takes from its two children, always the lesser head, the left one at equal times. So the
 * root gives the heads of all files, least first (doc/format.md, 7).
 *
 *	                 root            buffer: merged, as both children are busy
 *	               /      \
 *	         node            node    view into the times of cpu/1, up to the next time of
 *	        /    \          /    \   the idle cpu/2
 *	   control   cpu/0   cpu/1   cpu/2
 *
 * A node copies only where events of both children alternate. Where one child has many events
 * before the head of the other, the node offers them in place, and a search finds how many they
 * are. So an idle file costs some searches for each of its events, and nothing for those of others.
 *
 * The times that a node offers never fall: a leaf offers its block only as far as times rise.
 */
#ifndef LTT_MERGE_TREE_PRIV_H
#define LTT_MERGE_TREE_PRIV_H

#ifndef LTT_BUILDING
#error "merge-tree-priv.h is private to libltt; use <ltt/ltt-merge.h>"
#endif

#include "reader/cursor-priv.h"

typedef struct LttMergeNode LttMergeNode;

struct LttMergeNode {
	const guint64 *times_ns; /* what is offered, from next up to and without end */
	const guint32 *sources;  /* places of the cursors, at stride; those of a leaf are all one */
	guint32 stride;
	guint32 next;
	guint32 end;
	gboolean has_ended; /* nothing more will come */
	LttCursor *cursor;  /* leaf: borrowed */
	guint32 source;     /* leaf: its place */
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
