/* wakeups.c - see wakeups-priv.h. */
#include "view/wakeups-priv.h"

typedef struct Finding {
	const LttViewStates *states;
	GHashTable *lanes; /* empty: all */
	GArray *list;      /* of LttViewWakeup */
} Finding;

static gboolean is_wanted(const Finding *finding, gint lane)
{
	return g_hash_table_size(finding->lanes) == 0 ||
	       g_hash_table_contains(finding->lanes, GINT_TO_POINTER(lane));
}

static void take_stretch(gint woken, const LttStretch *stretch, gpointer data)
{
	const Finding *finding = data;
	LttViewWakeup wakeup = {
		.woken = (guint)woken,
		.woken_ns = stretch->begin_ns,
		.runs_ns = stretch->end_ns,
		.has_run = stretch->has_ended && stretch->next == LTT_THREAD_RUNNING,
	};
	gint waker;

	if (woken < 0 || stretch->subject != LTT_STRETCH_OF_THREAD ||
	    stretch->state != LTT_THREAD_RUNNABLE || stretch->waker.kind != LTT_WAKER_THREAD)
		return;
	waker = ltt_view_states_find_thread(finding->states, stretch->recording, TRUE,
					    stretch->waker.pid, stretch->waker.tid);
	wakeup.waker = (guint)waker;
	if (waker >= 0 && (is_wanted(finding, woken) || is_wanted(finding, waker)))
		g_array_append_val(finding->list, wakeup);
}

static gint compare_wakeups(gconstpointer a, gconstpointer b)
{
	const LttViewWakeup *first = a;
	const LttViewWakeup *second = b;

	if (first->woken_ns != second->woken_ns)
		return first->woken_ns < second->woken_ns ? -1 : 1;
	return (gint)first->woken - (gint)second->woken;
}

gboolean ltt_view_find_wakeups(const LttViewWakeupsRequest *request, GArray *list,
			       gboolean *is_read, gboolean *is_exact, GError **error)
{
	g_autoptr(GHashTable) lanes = g_hash_table_new(NULL, NULL);
	Finding finding = {request->states, lanes, list};
	const LttViewStatesVisit visit = {
		.from_ns = request->from_ns,
		.to_ns = request->to_ns,
		.func = take_stretch,
		.user_data = &finding,
		.callbacks = request->callbacks,
	};
	LttViewStatesVisited visited;

	if (request->states == NULL)
		return TRUE;
	for (guint i = 0; i < request->lanes->len; i++)
		g_hash_table_add(lanes, GUINT_TO_POINTER(g_array_index(request->lanes, guint, i)));
	if (!ltt_view_states_visit(request->states, &visit, &visited, error))
		return FALSE;
	*is_read = visited.is_read;
	*is_exact = visited.is_exact;
	g_array_sort(list, compare_wakeups);
	return TRUE;
}
