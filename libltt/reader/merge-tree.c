/* merge-tree.c - see merge-tree-priv.h
 *
 * A leaf may load its next block only when no event of the block before is still on its way to the
 * root. That is so because a node is refilled only when it and all nodes above it offer nothing.
 */
#include "reader/merge-tree-priv.h"

#include "reader/merge-run-priv.h"

/* What fits the first cache of a processor, times and sources. */
#define BUFFER_EVENTS 1024

static LttMergeNode *new_leaf(LttCursor *cursor, guint32 source)
{
	LttMergeNode *node = g_new0(LttMergeNode, 1);

	node->cursor = cursor;
	node->source = source;
	node->sources = &node->source;
	return node;
}

static LttMergeNode *new_inner(LttMergeNode *left, LttMergeNode *right)
{
	LttMergeNode *node = g_new0(LttMergeNode, 1);

	node->left = left;
	node->right = right;
	node->times_ns = node->own_times_ns = g_new(guint64, BUFFER_EVENTS + 1);
	node->sources = node->own_sources = g_new(guint32, BUFFER_EVENTS);
	node->stride = 1;
	return node;
}

static LttMergeNode *new_tree(LttCursor *const *cursors, guint32 first, guint32 end)
{
	const guint32 middle = first + (end - first) / 2;

	if (end - first == 1)
		return new_leaf(cursors[first], first);
	return new_inner(new_tree(cursors, first, middle), new_tree(cursors, middle, end));
}

LttMergeNode *ltt_merge_tree_new(LttCursor *const *cursors, guint n_cursors)
{
	return n_cursors > 0 ? new_tree(cursors, 0, n_cursors) : NULL;
}

void ltt_merge_tree_free(LttMergeNode *root)
{
	if (root == NULL)
		return;
	ltt_merge_tree_free(root->left);
	ltt_merge_tree_free(root->right);
	g_free(root->own_times_ns);
	g_free(root->own_sources);
	g_free(root);
}

/* Where one child has ended the other takes its parent's place. */
static void collapse(LttMergeNode **place)
{
	LttMergeNode *node = *place;

	while (node->left != NULL && (node->left->has_ended || node->right->has_ended)) {
		LttMergeNode *rest = node->left->has_ended ? node->right : node->left;

		if (rest == node->left)
			node->left = NULL;
		else
			node->right = NULL;
		ltt_merge_tree_free(node);
		*place = node = rest;
	}
}

/* What a node offers, as an input of a merge. */
static LttMergeInput get_input(const LttMergeNode *node)
{
	return (LttMergeInput){
		.times_ns = node->times_ns + node->next,
		.sources = node->sources + node->next * node->stride,
		.stride = node->stride,
	};
}

/* Merges at most @n_events from two children that have as many each. */
static void merge_run(LttMergeNode *node, guint32 n_events)
{
	const LttMergeInput left = get_input(node->left);
	const LttMergeInput right = get_input(node->right);
	const LttMergeTaken taken =
		ltt_merge_run(&left, &right, n_events, node->own_times_ns + node->end,
			      node->own_sources + node->end);

	node->left->next += taken.left;
	node->right->next += taken.right;
	node->end += taken.left + taken.right;
}

static LttStep refill(LttMergeNode **place, LttCursor **failed, GError **error);

static LttStep refill_leaf(LttMergeNode *leaf, LttCursor **failed, GError **error)
{
	LttCursor *cursor = leaf->cursor;
	LttStep step;

	cursor->next_event = cursor->block.n_events; /* all have been offered */
	step = ltt_cursor_need_event(cursor, error);
	leaf->has_ended = step == LTT_STEP_END;
	if (step == LTT_STEP_ERROR)
		*failed = cursor;
	leaf->times_ns = cursor->block.times_ns;
	leaf->next = cursor->next_event;
	leaf->end = cursor->block.n_events;
	return step;
}

/* Refills a child that offers nothing. Returns: FALSE on an error */
static gboolean need_child(LttMergeNode **child, LttCursor **failed, GError **error)
{
	return (*child)->next < (*child)->end || (*child)->has_ended ||
	       refill(child, failed, error) != LTT_STEP_ERROR;
}

static LttStep refill(LttMergeNode **place, LttCursor **failed, GError **error)
{
	LttMergeNode *node = *place;

	if (node->left == NULL)
		return refill_leaf(node, failed, error);
	if (!need_child(&node->left, failed, error) || !need_child(&node->right, failed, error))
		return LTT_STEP_ERROR;
	if (node->left->has_ended || node->right->has_ended) {
		collapse(place);
		node = *place;
		if (node->next < node->end)
			return LTT_STEP_EVENT;
		return node->has_ended ? LTT_STEP_END : refill(place, failed, error);
	}
	node->next = node->end = 0;
	while (node->end < BUFFER_EVENTS) {
		const guint32 left = node->left->end - node->left->next;
		const guint32 right = node->right->end - node->right->next;

		if (left == 0 || right == 0)
			break;
		merge_run(node, MIN(BUFFER_EVENTS - node->end, MIN(left, right)));
	}
	return LTT_STEP_EVENT;
}

LttStep ltt_merge_tree_refill(LttMergeNode **root, LttCursor **failed, GError **error)
{
	return refill(root, failed, error);
}

void ltt_merge_tree_sync(const LttMergeNode *root, LttCursor *const *cursors)
{
	if (root->left == NULL) {
		root->cursor->next_event = root->next;
		return;
	}
	ltt_merge_tree_sync(root->left, cursors);
	ltt_merge_tree_sync(root->right, cursors);
	/* What lies here was taken from below, and goes back. */
	for (guint32 i = root->next; i < root->end; i++)
		cursors[root->own_sources[i]]->next_event--;
}
