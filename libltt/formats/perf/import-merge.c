/* import-merge.c - a k-way merge of runs (import-merge-priv.h).
 *
 * The merge returns records of the current run until another run has an earlier record. A heap
 * contains the other open runs, with the earliest one on top. The runs that are not open yet are
 * sorted by their first record, so only the next one needs to be compared.
 */
#include "formats/perf/import-merge-priv.h"

#include "base/error-priv.h"
#include "writer/block-writer-priv.h"

static gboolean is_before(const LttPerfRun *a, const LttPerfRun *b)
{
	return a->time != b->time ? a->time < b->time : a->place < b->place;
}

/* is_before() as an LttHeapBefore. */
static gboolean is_run_before(gconstpointer a, gconstpointer b)
{
	return is_before(a, b);
}

LttPerfMerge *ltt_perf_merge_new(LttKeySort *runs, guint32 first_group, LttWindow *window,
				 const LttPerfMeta *meta, const char *directory)
{
	LttPerfMerge *merge = g_new0(LttPerfMerge, 1);

	merge->runs = runs;
	merge->first_group = first_group;
	merge->window = window;
	merge->meta = meta;
	merge->directory = directory;
	ltt_heap_init(&merge->open, sizeof(LttPerfRun), is_run_before);
	return merge;
}

void ltt_perf_merge_free(LttPerfMerge *merge)
{
	if (merge == NULL)
		return;
	ltt_heap_clear(&merge->open);
	ltt_key_sort_free(merge->single);
	g_free(merge);
}

/* ---- runs ---- */

static gboolean fail_changed(const LttPerfMerge *merge, guint64 place, GError **error)
{
	return ltt_fail(error, LTT_ERROR_IO,
			"%s: byte %" G_GUINT64_FORMAT
			": the file changed during the import; expected the record that was "
			"here before",
			ltt_window_get_name(merge->window), place);
}

static gboolean read_record(const LttPerfMerge *merge, const LttPerfRun *run, LttPerfRecord *record,
			    GError **error)
{
	guint64 payload_bytes;
	const char *why = NULL;

	if (!ltt_perf_record_read(merge->window, merge->meta->order, run->place, run->end, record,
				  &payload_bytes, &why, error))
		return why != NULL && fail_changed(merge, run->place, error);
	ltt_perf_record_find_attr(merge->meta, record);
	return TRUE;
}

static gboolean set_time(const LttPerfMerge *merge, LttPerfRun *run, guint64 time, GError **error)
{
	if (time < run->time || time > LTT_MAX_WRITTEN_NS)
		return fail_changed(merge, run->place, error);
	run->time = time;
	return TRUE;
}

/* Advances to the next record of the run, which must exist. @record: (inout): the current record */
static gboolean advance(const LttPerfMerge *merge, LttPerfRun *run, LttPerfRecord *record,
			GError **error)
{
	LttPerfStamp stamp;

	run->place += record->size;
	if (!read_record(merge, run, record, error))
		return FALSE;
	if (run->is_still)
		return TRUE;
	ltt_perf_record_stamp(merge->meta, record, &stamp);
	return set_time(merge, run, stamp.has_time ? stamp.time : 0, error);
}

static gboolean is_last(const LttPerfRun *run, const LttPerfRecord *record)
{
	return run->end - run->place == record->size;
}

static LttPerfRun run_of(const LttKey *key)
{
	return (LttPerfRun){.time = key->time,
			    .place = key->place,
			    .end = key->place + (key->size & ~LTT_PERF_RUN_IS_STILL),
			    .is_still = (key->size & LTT_PERF_RUN_IS_STILL) != 0};
}

/* ---- the next record ---- */

static gboolean read_key(LttKeySort *from, LttKey *key, gboolean *has_key, GError **error)
{
	g_autoptr(GError) failed = NULL;

	*has_key = ltt_key_sort_next(from, key, &failed);
	if (failed == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&failed));
	return FALSE;
}

static gboolean read_ahead(LttPerfMerge *merge, GError **error)
{
	if (merge->single == NULL)
		return read_key(merge->runs, &merge->ahead, &merge->has_ahead, error);
	if (!read_key(merge->single, &merge->ahead, &merge->has_ahead, error))
		return FALSE;
	if (merge->has_ahead)
		return TRUE;
	g_clear_pointer(&merge->single, ltt_key_sort_free);
	merge->ahead = merge->after;
	merge->has_ahead = merge->has_after;
	return TRUE;
}

static gboolean is_ahead_of_group(const LttPerfMerge *merge)
{
	return merge->has_ahead && merge->ahead.group == merge->group;
}

static gboolean note_singles(LttPerfMerge *merge, LttKeySort *single, LttPerfRun run,
			     GError **error)
{
	LttPerfRecord record;

	if (!read_record(merge, &run, &record, error))
		return FALSE;
	for (;;) {
		const LttKey key = {.time = run.time,
				    .place = run.place,
				    .group = merge->group,
				    .size = record.size};

		if (!ltt_key_sort_add(single, &key, error))
			return FALSE;
		if (is_last(&run, &record))
			return TRUE;
		if (!advance(merge, &run, &record, error))
			return FALSE;
	}
}

/* Splits the remaining runs of the group into single records. */
static gboolean take_apart(LttPerfMerge *merge, GError **error)
{
	g_autoptr(LttKeySort) single = ltt_key_sort_new(LTT_KEY_SORT_HELD, merge->directory);

	ltt_heap_push(&merge->open, &merge->now);
	merge->has_now = FALSE;
	for (guint i = 0; i < merge->open.items->len; i++)
		if (!note_singles(merge, single, g_array_index(merge->open.items, LttPerfRun, i),
				  error))
			return FALSE;
	g_array_set_size(merge->open.items, 0);
	while (is_ahead_of_group(merge))
		if (!note_singles(merge, single, run_of(&merge->ahead), error) ||
		    !read_key(merge->runs, &merge->ahead, &merge->has_ahead, error))
			return FALSE;
	merge->after = merge->ahead;
	merge->has_after = merge->has_ahead;
	if (!ltt_key_sort_end(single, error))
		return FALSE;
	merge->single = g_steal_pointer(&single);
	return read_ahead(merge, error);
}

/* Opens the next run and makes it the current one. */
static gboolean open_ahead(LttPerfMerge *merge, GError **error)
{
	if (merge->has_now)
		ltt_heap_push(&merge->open, &merge->now);
	merge->now = run_of(&merge->ahead);
	merge->group = merge->ahead.group;
	merge->has_now = TRUE;
	return read_ahead(merge, error);
}

static gboolean is_open_too_many(const LttPerfMerge *merge)
{
	return merge->open.items->len + 1 >= LTT_PERF_MOST_OPEN_RUNS && merge->single == NULL;
}

/* Makes the run with the earliest record the current one. Sets has_now to FALSE if the group is at
 * its end. */
static gboolean choose(LttPerfMerge *merge, GError **error)
{
	const LttPerfRun *first = ltt_heap_peek(&merge->open);
	LttPerfRun ahead;

	if (!merge->has_now && first != NULL) {
		ltt_heap_pop(&merge->open, &merge->now);
		merge->has_now = TRUE;
	} else if (merge->has_now && first != NULL && is_before(first, &merge->now)) {
		const LttPerfRun next = *first;

		ltt_heap_replace(&merge->open, &merge->now);
		merge->now = next;
	}
	if (!merge->has_now)
		return !merge->has_ahead || open_ahead(merge, error);
	ahead = run_of(&merge->ahead);
	if (!is_ahead_of_group(merge) || !is_before(&ahead, &merge->now))
		return TRUE;
	if (!is_open_too_many(merge))
		return open_ahead(merge, error);
	return take_apart(merge, error) && open_ahead(merge, error);
}

static void find_limit(LttPerfMerge *merge)
{
	const LttPerfRun ahead = run_of(&merge->ahead);
	const LttPerfRun *first = ltt_heap_peek(&merge->open);

	merge->limit = (LttPerfRun){.time = LTT_MAX_WRITTEN_NS + 1};
	if (first != NULL)
		merge->limit = *first;
	if (is_ahead_of_group(merge) && is_before(&ahead, &merge->limit))
		merge->limit = ahead;
}

/* Reads the current record of the current run. Initializes the row with the records after it. */
static gboolean read_now(LttPerfMerge *merge, GError **error)
{
	const LttPerfRun *now = &merge->now;
	LttPerfRow *row = &merge->row;

	if (!read_record(merge, now, &row->record, error))
		return FALSE;
	merge->has_thread = ltt_perf_record_thread(merge->meta, &row->record, &row->thread);
	ltt_perf_row_lend(row, merge->meta, merge->window, now->place + row->record.size,
			  now->is_still ? now->place + row->record.size : now->end);
	return TRUE;
}

/* Advances to the next record of the current run. Sets has_now to FALSE at its end. */
static gboolean go_on(LttPerfMerge *merge, GError **error)
{
	merge->has_now = !is_last(&merge->now, &merge->row.record);
	return !merge->has_now || advance(merge, &merge->now, &merge->row.record, error);
}

/* Finds the next record of the merge. Sets has_now to FALSE at the end. */
static gboolean find_record(LttPerfMerge *merge, GError **error)
{
	if (ltt_perf_merge_next_in_row(merge))
		return TRUE;
	if (merge->has_now && !go_on(merge, error))
		return FALSE;
	if (!choose(merge, error))
		return FALSE;
	find_limit(merge);
	return !merge->has_now || read_now(merge, error);
}

LttPerfItem ltt_perf_merge_get_item(const LttPerfMerge *merge)
{
	return (LttPerfItem){.key = {.time = merge->now.time,
				     .place = merge->now.place,
				     .group = merge->group,
				     .size = merge->row.record.size},
			     .record = &merge->row.record,
			     .thread = merge->has_thread ? &merge->row.thread : NULL};
}

gboolean ltt_perf_merge_next(LttPerfMerge *merge, LttPerfItem *item, GError **error)
{
	if (!merge->has_begun) {
		merge->has_begun = TRUE;
		if (!read_ahead(merge, error))
			return FALSE;
	}
	if (!merge->has_now && ltt_heap_peek(&merge->open) == NULL && merge->has_ahead &&
	    merge->ahead.group < merge->first_group) {
		item->key = merge->ahead;
		return read_ahead(merge, error);
	}
	if (!find_record(merge, error) || !merge->has_now)
		return FALSE;
	*item = ltt_perf_merge_get_item(merge);
	return TRUE;
}
