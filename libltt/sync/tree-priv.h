/* tree-priv.h - lines from all clocks to the first one, over pairs of clocks. */
#ifndef LTT_SYNC_TREE_PRIV_H
#define LTT_SYNC_TREE_PRIV_H

#ifndef LTT_BUILDING
#error "sync/tree-priv.h is private to libltt; use <ltt/ltt-sync.h>"
#endif

#include "sync/line-priv.h"

/* Two clocks whose relation is known. */
typedef struct LttSyncEdge {
	guint first;
	guint second;
	LttSyncLine *line; /* from the first to the second */
} LttSyncEdge;

/* A clock. */
typedef struct LttSyncNode {
	guint64 start_ns; /* of its events */
	guint64 end_ns;
	gboolean is_found;
	guint parent;      /* the clock that it was compared with */
	LttSyncLine *line; /* to clock 0; NULL: not found, or clock 0 itself */
} LttSyncNode;

/* Finds the lines by the way of the least sum of bounds. @nodes: (array length=n_nodes): start_ns and
 * end_ns are set; the rest is set here
 * Returns: FALSE as ltt_sync_line_chain() */
gboolean ltt_sync_find_tree(const LttSyncEdge *edges, guint n_edges, LttSyncNode *nodes,
			    guint n_nodes, GError **error);

#endif
