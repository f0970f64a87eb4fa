/* compare.c - compare two merged streams. See ltt-compare.h.
 *
 * While the next events of both streams are equal, skips both. If they differ in time, the earlier
 * one is in one trace only. If they have the same time, compares all events of that time, up to a
 * limit, regardless of their order. If times are not compared, searches the nearest pair of equal
 * events; the events before it are in one trace only.
 */
#include "analysis/compare-stream-priv.h"
#include "base/job-priv.h"
#include "model/facility-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* Events between two calls of on_progress. */
#define PROGRESS_EVENTS 16384

typedef struct Compare {
	const LttCompareRequest *request;
	LttCompareStream streams[2];
	gboolean is_same_arch;
	GHashTable *counts; /* name -> LttCompareCount */
	LttCompareCount total;
	const LttEventType *last_type; /* type of the last lookup */
	LttCompareCount *last_count;
	GQueue before;    /* of LttKeptEvent: the last common events, not reported yet */
	guint n_behind;   /* number of common events still to be reported */
	gboolean has_gap; /* common events were omitted since the last report */
	gboolean has_told;
	guint64 n_events; /* events read from both streams */
	GError *error;    /* ends the comparison; NULL: none */
} Compare;

/* ---- report and count ---- */

static LttCompareCount *get_count(Compare *compare, const LttEventType *type)
{
	LttCompareCount *count;

	if (type == compare->last_type)
		return compare->last_count;
	count = g_hash_table_lookup(compare->counts, type->full_name);
	if (count == NULL) {
		count = g_new0(LttCompareCount, 1);
		count->name = type->full_name;
		g_hash_table_insert(compare->counts, type->full_name, count);
	}
	compare->last_type = type;
	compare->last_count = count;
	return count;
}

static void tell(Compare *compare, LttComparePlace place, const LttEvent *event)
{
	if (compare->request->on_event != NULL)
		compare->request->on_event(place, event, compare->request->callbacks.user_data);
	compare->has_told = TRUE;
}

static void hold_back(Compare *compare, const LttEvent *event)
{
	LttKeptEvent *oldest = NULL;

	if (compare->before.length >= compare->request->n_context) {
		oldest = g_queue_pop_head(&compare->before);
		compare->has_gap = compare->has_told;
	}
	if (oldest != NULL)
		ltt_kept_event_free(oldest);
	if (compare->request->n_context > 0)
		g_queue_push_tail(&compare->before, ltt_kept_event_new(event));
}

static void take_both(Compare *compare, const LttEvent *event)
{
	get_count(compare, event->type)->n_both++;
	compare->total.n_both++;
	if (compare->request->on_event == NULL)
		return;
	if (compare->n_behind > 0) {
		compare->n_behind--;
		tell(compare, LTT_COMPARE_BOTH, event);
	} else {
		hold_back(compare, event);
	}
}

static void take_one(Compare *compare, guint index, const LttEvent *event)
{
	LttCompareCount *count = get_count(compare, event->type);
	LttKeptEvent *kept;

	if (index == 0) {
		count->n_first++;
		compare->total.n_first++;
	} else {
		count->n_second++;
		compare->total.n_second++;
	}
	if (compare->has_gap)
		tell(compare, LTT_COMPARE_GAP, NULL);
	compare->has_gap = FALSE;
	while ((kept = g_queue_pop_head(&compare->before)) != NULL) {
		tell(compare, LTT_COMPARE_BOTH, &kept->event);
		ltt_kept_event_free(kept);
	}
	tell(compare, index == 0 ? LTT_COMPARE_FIRST : LTT_COMPARE_SECOND, event);
	compare->n_behind = compare->request->n_context;
}

static void show_progress(Compare *compare, guint n)
{
	const guint64 before = compare->n_events;

	compare->n_events += n;
	if (compare->error == NULL &&
	    (before == 0 || before / PROGRESS_EVENTS != compare->n_events / PROGRESS_EVENTS))
		ltt_job_progress(&compare->request->callbacks, LTT_PROGRESS_EVENTS, before, 0,
				 &compare->error);
}

/* Reports that the next event of a stream is in that stream only. */
static void pass_one(Compare *compare, guint index)
{
	LttCompareStream *stream = &compare->streams[index];

	show_progress(compare, 1);
	take_one(compare, index, ltt_compare_stream_peek(stream));
	ltt_compare_stream_drop(stream);
}

static void pass_both(Compare *compare)
{
	show_progress(compare, 2);
	take_both(compare, ltt_compare_stream_peek(&compare->streams[0]));
	ltt_compare_stream_drop(&compare->streams[0]);
	ltt_compare_stream_drop(&compare->streams[1]);
}

/* ---- compare two events ---- */

/* Returns: whether types, architectures and payload bytes are equal, so that the values are too */
static gboolean has_same_bytes(const Compare *compare, const LttEvent *a, const LttEvent *b)
{
	return compare->is_same_arch && a->payload_bytes == b->payload_bytes &&
	       memcmp(a->payload, b->payload, a->payload_bytes) == 0 &&
	       ltt_event_type_is_same(a->type, b->type);
}

static gboolean is_same_arch(const LttCompareRequest *request)
{
	const LttArch *a = ltt_system_get_arch(ltt_trace_get_system(request->traces[0]));
	const LttArch *b = ltt_system_get_arch(ltt_trace_get_system(request->traces[1]));

	return a->byte_order == b->byte_order && a->size == b->size;
}

static gboolean is_same(Compare *compare, const LttEvent *a, const LttEvent *b)
{
	const guint ignored = compare->request->ignored;
	g_autofree char *a_key = NULL;
	g_autofree char *b_key = NULL;

	if ((ignored & LTT_COMPARE_IGNORE_TIME) == 0 && a->time_ns != b->time_ns)
		return FALSE;
	if ((ignored & LTT_COMPARE_IGNORE_TRACEFILE) == 0 &&
	    !g_str_equal(ltt_tracefile_get_name(a->tracefile),
			 ltt_tracefile_get_name(b->tracefile)))
		return FALSE;
	if ((ignored & LTT_COMPARE_IGNORE_THREAD) == 0 &&
	    (a->has_thread != b->has_thread ||
	     (a->has_thread && (a->pid != b->pid || a->tid != b->tid))))
		return FALSE;
	if (!g_str_equal(a->type->full_name, b->type->full_name))
		return FALSE;
	if (has_same_bytes(compare, a, b))
		return TRUE;
	a_key = ltt_compare_stream_make_key(&compare->streams[0], a);
	b_key = ltt_compare_stream_make_key(&compare->streams[1], b);
	return g_str_equal(a_key, b_key);
}

/* ---- find differences ---- */

/* The kept events of the second stream: key -> list of events, in order. */
static GHashTable *list_by_key(LttCompareStream *stream)
{
	GHashTable *by_key = g_hash_table_new_full(ltt_hash_text, g_str_equal, NULL,
						   (GDestroyNotify)g_ptr_array_unref);

	for (GList *at = stream->kept.head; at != NULL; at = at->next) {
		LttKeptEvent *kept = at->data;
		const char *key = ltt_compare_stream_get_key(stream, kept);
		GPtrArray *list = g_hash_table_lookup(by_key, key);

		if (list == NULL) {
			list = g_ptr_array_new();
			g_hash_table_insert(by_key, (gpointer)key, list);
		}
		g_ptr_array_add(list, kept);
	}
	return by_key;
}

/* Finds for each kept event of the first stream an equal one in the second. */
static void match(LttCompareStream *first, LttCompareStream *second)
{
	g_autoptr(GHashTable) by_key = list_by_key(second);

	for (GList *at = first->kept.head; at != NULL; at = at->next) {
		LttKeptEvent *kept = at->data;
		GPtrArray *list =
			g_hash_table_lookup(by_key, ltt_compare_stream_get_key(first, kept));

		kept->is_matched = list != NULL && list->len > 0;
		if (kept->is_matched)
			((LttKeptEvent *)g_ptr_array_steal_index(list, list->len - 1))->is_matched =
				TRUE;
	}
}

static gboolean is_next_matched(const LttCompareStream *stream)
{
	return ((const LttKeptEvent *)g_queue_peek_head((GQueue *)&stream->kept))->is_matched;
}

/* Compares all events of one time, regardless of their order. */
static void compare_together(Compare *compare, guint64 time_ns)
{
	LttCompareStream *first = &compare->streams[0];
	LttCompareStream *second = &compare->streams[1];

	ltt_compare_stream_keep(first, LTT_MAX_COMPARE_TOGETHER, &time_ns);
	ltt_compare_stream_keep(second, LTT_MAX_COMPARE_TOGETHER, &time_ns);
	match(first, second);
	while (first->kept.length > 0 || second->kept.length > 0) {
		if (first->kept.length > 0 && !is_next_matched(first))
			pass_one(compare, 0);
		else if (second->kept.length > 0 && !is_next_matched(second))
			pass_one(compare, 1);
		else
			pass_both(compare); /* both streams have the same number of matched
					     * events */
	}
}

/* Finds the nearest pair of equal events: @n_first events ahead in the first stream, @n_second in
 * the second. If no pair is equal, all kept events differ. */
static void find_nearest(Compare *compare, guint *n_first, guint *n_second)
{
	LttCompareStream *first = &compare->streams[0];
	LttCompareStream *second = &compare->streams[1];
	g_autoptr(GHashTable) places = g_hash_table_new(ltt_hash_text, g_str_equal);
	guint place = 0;

	*n_first = first->kept.length;
	*n_second = second->kept.length;
	for (GList *at = second->kept.head; at != NULL; at = at->next, place++) {
		const char *key = ltt_compare_stream_get_key(second, at->data);

		if (!g_hash_table_contains(places, key))
			g_hash_table_insert(places, (gpointer)key, GUINT_TO_POINTER(place));
	}
	place = 0;
	for (GList *at = first->kept.head; at != NULL && place < *n_first + *n_second;
	     at = at->next, place++) {
		gpointer other;

		if (g_hash_table_lookup_extended(
			    places, ltt_compare_stream_get_key(first, at->data), NULL, &other) &&
		    place + GPOINTER_TO_UINT(other) < *n_first + *n_second) {
			*n_first = place;
			*n_second = GPOINTER_TO_UINT(other);
		}
	}
}

static void compare_in_order(Compare *compare)
{
	guint n_first;
	guint n_second;

	ltt_compare_stream_keep(&compare->streams[0], LTT_MAX_COMPARE_LOOKAHEAD, NULL);
	ltt_compare_stream_keep(&compare->streams[1], LTT_MAX_COMPARE_LOOKAHEAD, NULL);
	find_nearest(compare, &n_first, &n_second);
	for (; n_first > 0; n_first--)
		pass_one(compare, 0);
	for (; n_second > 0; n_second--)
		pass_one(compare, 1);
}

static void compare_all(Compare *compare)
{
	const gboolean has_times = (compare->request->ignored & LTT_COMPARE_IGNORE_TIME) == 0;

	for (;;) {
		const LttEvent *a = ltt_compare_stream_peek(&compare->streams[0]);
		const LttEvent *b = ltt_compare_stream_peek(&compare->streams[1]);

		if ((a == NULL && b == NULL) || compare->error != NULL)
			return;
		if (a == NULL || b == NULL)
			pass_one(compare, a == NULL ? 1 : 0);
		else if (is_same(compare, a, b))
			pass_both(compare);
		else if (!has_times)
			compare_in_order(compare);
		else if (a->time_ns == b->time_ns)
			compare_together(compare, a->time_ns);
		else
			pass_one(compare, a->time_ns < b->time_ns ? 0 : 1);
	}
}

/* ---- compare ---- */

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(((const LttCompareCount *)a)->name, ((const LttCompareCount *)b)->name);
}

static LttCompareSummary sum_up(const Compare *compare)
{
	LttCompareSummary summary = {.total = compare->total};
	GHashTableIter iter;
	gpointer count;

	summary.types = g_new0(LttCompareCount, g_hash_table_size(compare->counts));
	g_hash_table_iter_init(&iter, compare->counts);
	while (g_hash_table_iter_next(&iter, NULL, &count))
		summary.types[summary.n_types++] = *(const LttCompareCount *)count;
	if (summary.n_types > 0)
		qsort(summary.types, summary.n_types, sizeof(*summary.types), compare_names);
	return summary;
}

gboolean ltt_compare(const LttCompareRequest *request, LttCompareSummary *summary, GError **error)
{
	Compare compare = {
		.request = request, .is_same_arch = is_same_arch(request), .before = G_QUEUE_INIT};
	LttKeptEvent *kept;

	compare.counts = g_hash_table_new_full(ltt_hash_text, g_str_equal, NULL, g_free);
	for (guint i = 0; i < 2; i++)
		ltt_compare_stream_init(&compare.streams[i], request, i, &compare.error);
	compare_all(&compare);
	if (compare.error == NULL && summary != NULL)
		*summary = sum_up(&compare);
	for (guint i = 0; i < 2; i++)
		ltt_compare_stream_clear(&compare.streams[i]);
	while ((kept = g_queue_pop_head(&compare.before)) != NULL)
		ltt_kept_event_free(kept);
	g_hash_table_unref(compare.counts);
	if (compare.error == NULL)
		return TRUE;
	g_propagate_error(error, compare.error);
	return FALSE;
}

void ltt_compare_summary_clear(LttCompareSummary *summary)
{
	g_clear_pointer(&summary->types, g_free);
	summary->n_types = 0;
}

gboolean ltt_compare_summary_is_same(const LttCompareSummary *summary)
{
	return summary->total.n_first == 0 && summary->total.n_second == 0;
}
