/* merge.c - merge all tracefiles into one stream (doc/format.md, 7).
 *
 * The tree determines the tracefiles of the next events, some hundred at a time. The cursor of the
 * tracefile then fills in the event.
 */
#include "reader/merge-priv.h"

#include "base/job-priv.h"
#include "reader/merge-tree-priv.h"
#include "reader/selection-priv.h"

/* Read-ahead doubles the memory for blocks; with more tracefiles that outweighs the gain. */
#define MAX_AHEAD_CURSORS 8

struct LttMerge {
	LttSelect *select;      /* borrowed; NULL: all events */
	LttSelectDepth depth;   /* of select, at the start of the merge */
	GPtrArray *cursors;     /* owned */
	LttCursor **by_source;  /* the array inside */
	LttMergeNode *root;     /* NULL: there are no tracefiles */
	const guint32 *sources; /* the next event that the root offers, */
	gsize stride;           /* the stride, */
	guint32 n_left;         /* and the number of events */
	LttCursor *failed;      /* the cursor whose step failed last */
	LttAhead *ahead;        /* owned; NULL: no block is decoded ahead */
	LttJobCallbacks callbacks;
	guint64 n_read; /* events that the root has offered */
};

LttMerge *ltt_merge_new(LttTrace *trace, LttSelect *select)
{
	LttMerge *merge = g_new0(LttMerge, 1);
	const guint n_tracefiles = ltt_trace_get_n_tracefiles(trace);
	const LttSelection *window = ltt_selection_with_window(select);

	merge->select = select;
	merge->depth = ltt_selection_get_depth(select);
	merge->cursors = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_cursor_free);
	for (guint i = 0; i < n_tracefiles; i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);
		LttCursor *cursor;

		if (!ltt_selection_wants_tracefile(select, tracefile))
			continue;
		cursor = ltt_cursor_new(tracefile);
		if (window != NULL)
			ltt_cursor_set_window(cursor, window->from_ns, window->to_ns);
		g_ptr_array_add(merge->cursors, cursor);
	}
	merge->by_source = (LttCursor **)merge->cursors->pdata;
	merge->root = ltt_merge_tree_new(merge->by_source, merge->cursors->len);
	return merge;
}

void ltt_merge_free(LttMerge *merge)
{
	if (merge == NULL)
		return;
	ltt_ahead_free(merge->ahead);
	ltt_merge_tree_free(merge->root);
	g_ptr_array_unref(merge->cursors);
	g_free(merge);
}

void ltt_merge_read_ahead(LttMerge *merge)
{
	if (merge->ahead != NULL || merge->cursors->len > MAX_AHEAD_CURSORS ||
	    g_get_num_processors() < 2)
		return;
	merge->ahead = ltt_ahead_new();
	for (guint i = 0; merge->ahead != NULL && i < merge->cursors->len; i++)
		ltt_cursor_set_ahead(merge->cursors->pdata[i], merge->ahead);
}

void ltt_merge_set_callbacks(LttMerge *merge, const LttJobCallbacks *callbacks)
{
	merge->callbacks = callbacks != NULL ? *callbacks : (LttJobCallbacks){0};
}

void ltt_merge_set_shelf(LttMerge *merge, LttShelf *shelf)
{
	for (guint i = 0; i < merge->cursors->len; i++)
		merge->by_source[i]->shelf = shelf;
}

static LttStep refill(LttMerge *merge, GError **error)
{
	LttStep step;

	if (merge->root == NULL || merge->root->has_ended)
		return LTT_STEP_END;
	if (!ltt_job_progress(&merge->callbacks, LTT_PROGRESS_EVENTS, merge->n_read, 0, error))
		return LTT_STEP_ERROR;
	merge->root->next = merge->root->end;
	step = ltt_merge_tree_refill(&merge->root, &merge->failed, error);
	if (step == LTT_STEP_EVENT) {
		merge->stride = merge->root->stride;
		merge->sources = merge->root->sources + merge->root->next * merge->stride;
		merge->n_left = merge->root->end - merge->root->next;
		merge->n_read += merge->n_left;
	}
	return step;
}

static inline LttCursor *take_source(LttMerge *merge)
{
	LttCursor *cursor = merge->by_source[*merge->sources];

	merge->sources += merge->stride;
	merge->n_left--;
	return cursor;
}

/* The slow path of a step. A separate function, so that the fast path saves no registers. */
static G_GNUC_NO_INLINE LttStep next_selected(LttMerge *merge, const LttEvent **event,
					      GError **error)
{
	do {
		if (merge->n_left == 0) {
			const LttStep step = refill(merge, error);

			if (step != LTT_STEP_EVENT)
				return step;
		}
		*event = ltt_cursor_take(take_source(merge));
	} while (!ltt_selection_matches(merge->select, merge->depth, *event));
	return LTT_STEP_EVENT;
}

LttStep ltt_merge_next(LttMerge *merge, const LttEvent **event, GError **error)
{
	/* The fast path: the tree offers an ordinary event and no selection applies. */
	if (G_LIKELY(merge->n_left > 0 && merge->depth != LTT_SELECT_BY_EVENT)) {
		LttCursor *cursor = merge->by_source[*merge->sources];
		const LttSlot *slot = ltt_cursor_peek(cursor);

		if (G_LIKELY(slot->role == LTT_ROLE_ORDINARY)) {
			*event = ltt_cursor_fill(take_source(merge), slot);
			return LTT_STEP_EVENT;
		}
	}
	return next_selected(merge, event, error);
}

guint ltt_merge_copy(LttMerge *merge, LttEvent *events, guint max_events, guint64 max_payload_bytes,
		     guint64 *payload_bytes)
{
	const guint n_most = MIN(max_events, merge->n_left);
	LttCursor *const *by_source = merge->by_source;
	const guint32 *sources = merge->sources;
	guint64 n_bytes = *payload_bytes;
	guint n;

	if (merge->depth == LTT_SELECT_BY_EVENT)
		return 0;
	for (n = 0; n < n_most; n++) {
		LttCursor *cursor = by_source[*sources];
		const LttSlot *slot = ltt_cursor_peek(cursor);

		if (slot->role != LTT_ROLE_ORDINARY)
			break;
		ltt_cursor_copy(cursor, slot, &events[n]);
		n_bytes += events[n].payload_bytes;
		if (n_bytes > max_payload_bytes)
			break;
		cursor->next_event++;
		sources += merge->stride;
		*payload_bytes = n_bytes;
	}
	merge->sources = sources;
	merge->n_left -= n;
	return n;
}

LttStep ltt_merge_drain(LttMerge *merge, GError **error)
{
	LttStep step;

	do {
		merge->n_left = 0;
		step = refill(merge, error);
	} while (step == LTT_STEP_EVENT);
	if (step == LTT_STEP_ERROR)
		ltt_merge_tree_sync(merge->root, merge->by_source);
	return step;
}

void ltt_merge_skip_block(LttMerge *merge)
{
	if (merge->failed != NULL)
		ltt_cursor_skip_block(merge->failed);
}
