/* merge.c - all tracefiles as one stream (doc/format.md, 7).
 *
 * The tree says which tracefile comes next, for some hundred events at a time; its cursor then
 * fills in the event.
 */
#include "reader/merge-tree-priv.h"

#include <ltt/ltt-merge.h>

struct LttMerge {
	LttSelect *select;  /* borrowed; NULL: all events */
	GPtrArray *cursors; /* owned */
	LttMergeNode *root; /* NULL: there are no tracefiles */
	LttCursor *failed;  /* whose step failed last */
};

LttMerge *ltt_merge_new(LttTrace *trace, LttSelect *select)
{
	LttMerge *merge = g_new0(LttMerge, 1);
	const guint n_tracefiles = ltt_trace_get_n_tracefiles(trace);
	guint64 from_ns;
	guint64 to_ns;

	merge->select = select;
	merge->cursors = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_cursor_free);
	for (guint i = 0; i < n_tracefiles; i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);
		LttCursor *cursor;

		if (select != NULL && !ltt_select_wants_tracefile(select, tracefile))
			continue;
		cursor = ltt_cursor_new(tracefile);
		if (select != NULL && ltt_select_get_window(select, &from_ns, &to_ns))
			ltt_cursor_set_window(cursor, from_ns, to_ns);
		g_ptr_array_add(merge->cursors, cursor);
	}
	merge->root =
		ltt_merge_tree_new((LttCursor *const *)merge->cursors->pdata, merge->cursors->len);
	return merge;
}

void ltt_merge_free(LttMerge *merge)
{
	if (merge == NULL)
		return;
	ltt_merge_tree_free(merge->root);
	g_ptr_array_unref(merge->cursors);
	g_free(merge);
}

static LttStep refill(LttMerge *merge, GError **error)
{
	if (merge->root == NULL || merge->root->has_ended)
		return LTT_STEP_END;
	return ltt_merge_tree_refill(&merge->root, &merge->failed, error);
}

LttStep ltt_merge_next(LttMerge *merge, const LttEvent **event, GError **error)
{
	for (;;) {
		LttMergeNode *root = merge->root;
		guint32 source;

		if (G_UNLIKELY(root == NULL || root->next == root->end)) {
			const LttStep step = refill(merge, error);

			if (step != LTT_STEP_EVENT)
				return step;
			root = merge->root;
		}
		source = root->sources[(gsize)root->next++ * root->stride];
		*event = ltt_cursor_take(merge->cursors->pdata[source]);
		if (merge->select == NULL || ltt_select_matches(merge->select, *event))
			return LTT_STEP_EVENT;
	}
}

void ltt_merge_skip_block(LttMerge *merge)
{
	if (merge->failed != NULL)
		ltt_cursor_skip_block(merge->failed);
	merge->failed = NULL;
}
