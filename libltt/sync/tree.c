/* tree.c - see tree-priv.h. The shortest paths from clock 0, by Dijkstra's algorithm. */
#include "sync/tree-priv.h"

#include <math.h>

typedef struct Tree {
	const LttSyncEdge *edges;
	guint n_edges;
	LttSyncNode *nodes;
	guint n_nodes;
	double *bounds_ns;        /* of the best way so far to each node */
	const LttSyncEdge **ways; /* the last edge of it */
} Tree;

/* Returns: (transfer full): the line of an edge from one of its clocks to the other */
static LttSyncLine *get_line(const LttSyncEdge *edge, guint from)
{
	return from == edge->second ? ltt_sync_line_invert(edge->line)
				    : ltt_sync_line_dup(edge->line);
}

/* Offers the ways that lead over @node to its neighbours. */
static void offer_ways(Tree *tree, guint node)
{
	for (guint i = 0; i < tree->n_edges; i++) {
		const LttSyncEdge *edge = &tree->edges[i];
		const guint other = edge->first == node ? edge->second : edge->first;
		LttSyncLine *line;
		double bound_ns;

		if ((edge->first != node && edge->second != node) || tree->nodes[other].is_found)
			continue;
		line = get_line(edge, other);
		bound_ns = tree->bounds_ns[node] +
			   ltt_sync_line_get_bound(line, tree->nodes[other].start_ns,
						   tree->nodes[other].end_ns);
		ltt_sync_line_free(line);
		if (bound_ns >= tree->bounds_ns[other])
			continue;
		tree->bounds_ns[other] = bound_ns;
		tree->ways[other] = edge;
	}
}

/* Returns: the nearest node that is not found yet; n_nodes if none can be reached */
static guint find_nearest(const Tree *tree)
{
	guint nearest = tree->n_nodes;

	for (guint i = 0; i < tree->n_nodes; i++) {
		if (tree->nodes[i].is_found || tree->bounds_ns[i] == INFINITY)
			continue;
		if (nearest == tree->n_nodes || tree->bounds_ns[i] < tree->bounds_ns[nearest])
			nearest = i;
	}
	return nearest;
}

/* Sets the line of a node, whose way is known. */
static gboolean settle(Tree *tree, guint index, GError **error)
{
	const LttSyncEdge *edge = tree->ways[index];
	LttSyncNode *node = &tree->nodes[index];
	LttSyncLine *line;

	node->is_found = TRUE;
	if (edge == NULL)
		return TRUE;
	node->parent = edge->first == index ? edge->second : edge->first;
	line = get_line(edge, index);
	if (tree->nodes[node->parent].line == NULL) {
		node->line = line;
		return TRUE;
	}
	node->line = ltt_sync_line_chain(line, tree->nodes[node->parent].line, error);
	ltt_sync_line_free(line);
	return node->line != NULL;
}

gboolean ltt_sync_find_tree(const LttSyncEdge *edges, guint n_edges, LttSyncNode *nodes,
			    guint n_nodes, GError **error)
{
	g_autofree double *bounds_ns = g_new(double, n_nodes);
	g_autofree const LttSyncEdge **ways = g_new0(const LttSyncEdge *, n_nodes);
	Tree tree = {edges, n_edges, nodes, n_nodes, bounds_ns, ways};
	guint node;

	for (guint i = 0; i < n_nodes; i++)
		bounds_ns[i] = i == 0 ? 0 : INFINITY;
	while ((node = find_nearest(&tree)) < n_nodes) {
		if (!settle(&tree, node, error))
			return FALSE;
		offer_ways(&tree, node);
	}
	return TRUE;
}
