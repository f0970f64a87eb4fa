/* flame-priv.h - the tree of a flame. */
#ifndef LTT_ANALYSIS_FLAME_PRIV_H
#define LTT_ANALYSIS_FLAME_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/flame-priv.h is private to libltt; use <ltt/ltt-flame.h>"
#endif

#include <ltt/ltt-flame.h>

/* The root of the tree, which has no name. */
#define LTT_FLAME_ROOT 0

typedef struct LttFlameNode {
	const char *name;
	guint32 parent;
	guint32 depth; /* 0: the root */
	guint32 first; /* child; 0: none */
	guint32 next;  /* sibling; 0: none */
	gint64 self;
	gint64 total; /* set by ltt_flame_settle() */
} LttFlameNode;

/* Returns: the child of a node with that name, created if necessary; the node itself above a
 * limit */
guint32 ltt_flame_child(LttFlame *flame, guint32 node, const char *name);

void ltt_flame_add_to(LttFlame *flame, guint32 node, gint64 weight);

LttFlameNode *ltt_flame_get_node(LttFlame *flame, guint32 node);

/* Computes the totals and sorts the children of each node by name. */
void ltt_flame_settle(LttFlame *flame);

#endif
