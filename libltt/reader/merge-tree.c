/* merge-tree.c - see merge-tree-priv.h
 *
 * A leaf may load its next block only when no buffer between it and the root contains an event of
 * the current block. This holds because a node is refilled only when it and all nodes above it are
 * empty.
 */
#include "reader/merge-tree-priv.h"

#include "reader/merge-run-priv.h"

#include <string.h>

/* Times and sources of this many events fit the L1 cache. */
#define BUFFER_EVENTS 1024

/* Minimum number of consecutive events of one child that are offered in place. */
#define MIN_VIEW_EVENTS 32

/* After two consecutive runs shorter than this, the node assumes that the events alternate, and
 * merges this many steps without a search. */
#define MIN_RUN_EVENTS 8
#define STEP_EVENTS    256

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
	node->times_ns = node->own_times_ns = g_new(guint64, BUFFER_EVENTS);
	node->sources = node->own_sources = g_new(guint32, BUFFER_EVENTS);
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

/* If one child has ended, the other replaces their parent. */
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

/* Returns: the events that a node offers, as an input of a merge */
static LttMergeInput get_input(const LttMergeNode *node)
{
	return (LttMergeInput){
		.times_ns = node->times_ns + node->next,
		.sources = node->sources + node->next * node->stride,
		.stride = node->stride,
	};
}

static guint32 count_left(const LttMergeNode *node)
{
	return node->end - node->next;
}

/* Merges step by step, as far as both children have events. */
static void take_steps(LttMergeNode *node)
{
	const LttMergeInput left = get_input(node->left);
	const LttMergeInput right = get_input(node->right);
	const guint32 most = MIN(STEP_EVENTS, BUFFER_EVENTS - node->end);
	const guint32 n_events = MIN(most, MIN(count_left(node->left), count_left(node->right)));
	const LttMergeTaken taken =
		ltt_merge_run(&left, &right, n_events, node->own_times_ns + node->end,
			      node->own_sources + node->end);

	node->left->next += taken.left;
	node->right->next += taken.right;
	node->end += taken.left + taken.right;
}

/* Copies the next @n_events of a child. */
static void take_run(LttMergeNode *node, LttMergeNode *child, guint32 n_events)
{
	const LttMergeInput input = get_input(child);
	guint32 *sources = node->own_sources + node->end;

	memcpy(node->own_times_ns + node->end, input.times_ns, n_events * sizeof(guint64));
	for (guint32 i = 0; i < n_events; i++)
		sources[i] = input.sources[i * input.stride];
	child->next += n_events;
	node->end += n_events;
}

/* Offers the next @n_events of a child in place. */
static void take_view(LttMergeNode *node, LttMergeNode *child, guint32 n_events)
{
	node->times_ns = child->times_ns;
	node->sources = child->sources;
	node->stride = child->stride;
	node->next = child->next;
	node->end = child->next += n_events;
}

/* Finds the child that the next event comes from. Returns: the number of its events before the head
 * of the other one */
static guint32 find_run(const LttMergeNode *node, LttMergeNode **child)
{
	const LttMergeNode *left = node->left;
	const LttMergeNode *right = node->right;
	const guint64 left_ns = left->times_ns[left->next];
	const guint64 right_ns = right->times_ns[right->next];

	*child = right_ns < left_ns ? node->right : node->left;
	return right_ns < left_ns
		       ? ltt_merge_count(right->times_ns + right->next, count_left(right),
					 left_ns - 1)
		       : ltt_merge_count(left->times_ns + left->next, count_left(left), right_ns);
}

/* Merges two children until one of them is empty. */
static void merge_children(LttMergeNode *node)
{
	guint32 last_run = MIN_RUN_EVENTS;

	node->times_ns = node->own_times_ns;
	node->sources = node->own_sources;
	node->stride = 1;
	node->next = node->end = 0;
	while (node->end < BUFFER_EVENTS && count_left(node->left) > 0 &&
	       count_left(node->right) > 0) {
		LttMergeNode *child;
		const guint32 run = find_run(node, &child);

		if (run >= MIN_VIEW_EVENTS) {
			if (node->end == 0)
				take_view(node, child, run);
			return;
		}
		if (run < MIN_RUN_EVENTS && last_run < MIN_RUN_EVENTS)
			take_steps(node);
		else
			take_run(node, child, MIN(run, BUFFER_EVENTS - node->end));
		last_run = run;
	}
}

static LttStep refill(LttMergeNode **place, LttCursor **failed, GError **error);

/* Returns: the index of the first event after @first with a lesser time than its predecessor; the
 * number of events if there is none */
static guint32 find_fall(const LttBlock *block, guint32 first)
{
	guint32 i = first + 1;

	while (i < block->n_events && block->times_ns[i] >= block->times_ns[i - 1])
		i++;
	return MIN(i, block->n_events);
}

static LttStep refill_leaf(LttMergeNode *leaf, LttCursor **failed, GError **error)
{
	LttCursor *cursor = leaf->cursor;
	LttStep step;

	/* All events before it have been offered; a skipped block has no events. */
	cursor->next_event = MIN(leaf->end, cursor->block.n_events);
	step = ltt_cursor_need_event(cursor, error);
	leaf->has_ended = step == LTT_STEP_END;
	if (step == LTT_STEP_ERROR)
		*failed = cursor;
	leaf->times_ns = cursor->block.times_ns;
	leaf->next = cursor->next_event;
	leaf->end = find_fall(&cursor->block, cursor->next_event);
	return step;
}

/* Refills an empty child. Returns: FALSE on an error */
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
	merge_children(node);
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
	/* Returns the events in this buffer to the children. */
	for (guint32 i = root->next; i < root->end; i++)
		cursors[root->sources[i * root->stride]]->next_event--;
}
