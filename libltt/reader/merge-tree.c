/* merge-tree.c - see merge-tree-priv.h
 *
 * A leaf may load its next block only when no event of the block before is still on its way to the
 * root. That is so because a node is refilled only when it and all nodes above it offer nothing.
 */
#include "reader/merge-tree-priv.h"

#define BUFFER_EVENTS 256

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

/* Merges @n_events from two children that have as many each. The strides are constants where this
 * is called. The next head of either child is loaded before it is known which one will be needed.
 */
static inline __attribute__((always_inline)) void merge_events(LttMergeNode *node, guint32 n_events,
							       gsize left_stride,
							       gsize right_stride)
{
	LttMergeNode *left = node->left;
	LttMergeNode *right = node->right;
	const guint64 *left_times = left->times_ns + left->next;
	const guint64 *right_times = right->times_ns + right->next;
	const guint32 *left_sources = left->sources + left->next * left_stride;
	const guint32 *right_sources = right->sources + right->next * right_stride;
	guint64 *times = node->own_times_ns + node->end;
	guint32 *sources = node->own_sources + node->end;
	guint64 left_time = left_times[0];
	guint64 right_time = right_times[0];
	gsize l = 0;
	gsize r = 0;

	for (guint32 i = 0; i < n_events; i++) {
		const guint64 left_after = left_times[l + 1];
		const guint64 right_after = right_times[r + 1];
		const guint32 left_source = left_sources[l * left_stride];
		const guint32 right_source = right_sources[r * right_stride];
		const gboolean takes_right = right_time < left_time;

		times[i] = takes_right ? right_time : left_time;
		sources[i] = takes_right ? right_source : left_source;
		left_time = takes_right ? left_time : left_after;
		right_time = takes_right ? right_after : right_time;
		r += takes_right ? 1 : 0;
		l += takes_right ? 0 : 1;
	}
	left->next += (guint32)l;
	right->next += (guint32)r;
	node->end += n_events;
}

static void merge_run(LttMergeNode *node, guint32 n_events)
{
	if (node->left->stride == 0 && node->right->stride == 0)
		merge_events(node, n_events, 0, 0);
	else if (node->left->stride == 0)
		merge_events(node, n_events, 0, 1);
	else if (node->right->stride == 0)
		merge_events(node, n_events, 1, 0);
	else
		merge_events(node, n_events, 1, 1);
}

static LttStep refill(LttMergeNode **place, LttCursor **failed, GError **error);

static LttStep refill_leaf(LttMergeNode *leaf, LttCursor **failed, GError **error)
{
	const LttStep step = ltt_cursor_need_event(leaf->cursor, error);

	leaf->has_ended = step == LTT_STEP_END;
	if (step == LTT_STEP_ERROR)
		*failed = leaf->cursor;
	if (step == LTT_STEP_EVENT) {
		leaf->times_ns = leaf->cursor->block.times_ns;
		leaf->next = leaf->cursor->next_event;
		leaf->end = leaf->cursor->block.n_events;
	}
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
