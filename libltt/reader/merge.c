/* merge.c - the heads of all tracefiles, earliest first (doc/format.md, 7).
 *
 * A binary heap of small entries: time and file order are in the entry, so sifting touches no
 * cursor. The event that was given last stays on top until the next call; replacing it is one sift
 * down.
 */
#include <ltt/ltt-merge.h>

typedef struct Head {
	guint64 time_ns;
	guint order; /* place of the file: breaks ties */
	LttCursor *cursor;
	const LttEvent *event;
} Head;

struct LttMerge {
	LttSelect *select;  /* borrowed; NULL: all events */
	GPtrArray *cursors; /* owned */
	guint n_started;    /* cursors that have been stepped onto their first event */
	Head *heads;        /* a heap */
	guint n_heads;
	gboolean top_is_spent; /* the top's event has been given out */
	LttCursor *failed;     /* whose step failed last */
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
	merge->heads = g_new(Head, merge->cursors->len);
	return merge;
}

void ltt_merge_free(LttMerge *merge)
{
	if (merge == NULL)
		return;
	g_ptr_array_unref(merge->cursors);
	g_free(merge->heads);
	g_free(merge);
}

static inline gboolean is_before(const Head *a, const Head *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->order < b->order;
}

/* Puts @head at @at, where there is room, or further down, so that the heap is in order again. */
static void sift_down(LttMerge *merge, guint at, Head head)
{
	Head *heads = merge->heads;

	for (;;) {
		guint child = 2 * at + 1;

		if (child >= merge->n_heads)
			break;
		if (child + 1 < merge->n_heads && is_before(&heads[child + 1], &heads[child]))
			child++;
		if (!is_before(&heads[child], &head))
			break;
		heads[at] = heads[child];
		at = child;
	}
	heads[at] = head;
}

static void sift_up(LttMerge *merge, guint at, Head head)
{
	Head *heads = merge->heads;

	while (at > 0 && is_before(&head, &heads[(at - 1) / 2])) {
		heads[at] = heads[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heads[at] = head;
}

/* Steps every cursor onto its first event. */
static LttStep start(LttMerge *merge, GError **error)
{
	while (merge->n_started < merge->cursors->len) {
		Head head = {.order = merge->n_started,
			     .cursor = merge->cursors->pdata[merge->n_started]};
		const LttStep step = ltt_cursor_next(head.cursor, &head.event, error);

		if (step == LTT_STEP_ERROR) {
			merge->failed = head.cursor;
			return step;
		}
		merge->n_started++;
		if (step == LTT_STEP_EVENT) {
			head.time_ns = head.event->time_ns;
			sift_up(merge, merge->n_heads++, head);
		}
	}
	return LTT_STEP_EVENT;
}

/* Moves the cursor on top by one event, and the heap with it. */
static LttStep advance_top(LttMerge *merge, GError **error)
{
	Head head = merge->heads[0];
	const LttStep step = ltt_cursor_next(head.cursor, &head.event, error);

	if (step == LTT_STEP_ERROR) {
		merge->failed = head.cursor;
		return step;
	}
	if (step == LTT_STEP_EVENT)
		head.time_ns = head.event->time_ns;
	else
		head = merge->heads[--merge->n_heads];
	if (merge->n_heads > 0)
		sift_down(merge, 0, head);
	merge->top_is_spent = FALSE;
	return LTT_STEP_EVENT;
}

LttStep ltt_merge_next(LttMerge *merge, const LttEvent **event, GError **error)
{
	if (G_UNLIKELY(merge->n_started < merge->cursors->len) &&
	    start(merge, error) == LTT_STEP_ERROR)
		return LTT_STEP_ERROR;
	for (;;) {
		if (merge->top_is_spent && advance_top(merge, error) == LTT_STEP_ERROR)
			return LTT_STEP_ERROR;
		if (merge->n_heads == 0)
			return LTT_STEP_END;
		merge->top_is_spent = TRUE;
		if (merge->select == NULL ||
		    ltt_select_matches(merge->select, merge->heads[0].event)) {
			*event = merge->heads[0].event;
			return LTT_STEP_EVENT;
		}
	}
}

void ltt_merge_skip_block(LttMerge *merge)
{
	if (merge->failed != NULL)
		ltt_cursor_skip_block(merge->failed);
	merge->failed = NULL;
}
