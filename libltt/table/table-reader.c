/* table-reader.c - the batches of a table, in order.
 *
 * Without a merged order, partitions are jobs that threads decode (table-ahead.c).
 */
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "filter/select-priv.h"
#include "reader/trace-priv.h"
#include "table/table-ahead-priv.h"

#include <ltt/ltt-merge.h>

/* Larger partitions are split. The batches of all jobs ahead should fit the shared cache of a
 * processor: with larger jobs, several threads take more CPU time than one. */
#define MAX_JOB_BYTES (LTT_DEFAULT_PARTITION_BYTES / 4)

/* Maximum number of batches whose memory is kept in the merged order: more than a consumer holds at
 * a time. */
#define POOL_BATCHES 8

struct LttTableReader {
	LttTableTask task;
	LttTable *table; /* owned */
	GArray *columns; /* of guint */
	LttJobCallbacks callbacks;

	/* In the order of partitions. */
	GArray *jobs;     /* of LttPartition */
	guint64 n_blocks; /* of all jobs */
	guint64 n_blocks_done;
	LttTableAhead *ahead; /* NULL: in the merged order */

	/* In the merged order. */
	LttSelect *select;
	LttMerge *merge; /* NULL: not requested */
	LttRows *rows;
	GError *failure; /* after the rows; NULL: none */
};

/* ---- jobs ---- */

static gboolean choose_columns(LttTableReader *reader, const char *const *names, GError **error)
{
	const LttTable *table = reader->table;
	g_autofree gboolean *is_taken = g_new0(gboolean, ltt_table_get_n_columns(table));

	for (guint i = 0; names == NULL && i < ltt_table_get_n_columns(table); i++)
		g_array_append_val(reader->columns, i);
	for (guint i = 0; names != NULL && names[i] != NULL; i++) {
		const gint index = ltt_table_find_column(table, names[i]);

		if (index < 0)
			return ltt_fail(error, LTT_ERROR_INVALID, "%s has no column \"%s\"",
					ltt_table_get_name(table), names[i]);
		if (is_taken[index])
			return ltt_fail(error, LTT_ERROR_INVALID,
					"column \"%s\" of %s is requested twice", names[i],
					ltt_table_get_name(table));
		is_taken[index] = TRUE;
		g_array_append_val(reader->columns, index);
	}
	return TRUE;
}

static void add_job(LttTableReader *reader, const LttPartition *partition)
{
	const guint64 n_blocks = MAX(MAX_JOB_BYTES / partition->tracefile->block_bytes, 1);
	const guint64 end = partition->first_block + partition->n_blocks;

	for (guint64 at = partition->first_block; at < end; at += n_blocks) {
		LttPartition part = *partition;

		part.first_block = at;
		part.n_blocks = MIN(n_blocks, end - at);
		g_array_append_val(reader->jobs, part);
		reader->n_blocks += part.n_blocks;
	}
}

static void list_jobs(LttTableReader *reader, const LttTableRequest *request)
{
	g_autoptr(GArray) all = NULL;

	if (request->partitions == NULL) {
		/* Large partitions, of which few headers are read; add_job() splits them. */
		all = ltt_partitions_new(reader->table->trace, request->select, G_MAXINT64);
		for (guint i = 0; i < all->len; i++)
			add_job(reader, &g_array_index(all, LttPartition, i));
		return;
	}
	for (guint i = 0; i < request->n_partitions; i++) {
		const LttPartition *partition = &request->partitions[i];

		if (request->select == NULL ||
		    ltt_select_wants_tracefile(request->select, partition->tracefile))
			add_job(reader, partition);
	}
}

/* ---- beginning and end ---- */

static void start_merge(LttTableReader *reader, const LttSelect *select)
{
	reader->task.pool = ltt_buffer_pool_new(POOL_BATCHES);
	reader->select = ltt_select_dup_without_names(select);
	reader->merge = ltt_merge_new(reader->table->trace, reader->select);
	ltt_merge_set_callbacks(reader->merge, &reader->callbacks);
	reader->rows = ltt_rows_new(reader->table, reader->task.pool, reader->task.columns,
				    reader->task.n_columns, reader->task.with_places,
				    reader->task.with_numbers);
}

LttTableReader *ltt_table_read(const LttTableRequest *request, GError **error)
{
	LttTableReader *reader = g_new0(LttTableReader, 1);

	reader->table = ltt_table_ref(request->table);
	/* An event of a type that no table has must not be skipped without a message. */
	ltt_trace_hold_loads(reader->table->trace);
	reader->columns = g_array_new(FALSE, FALSE, sizeof(guint));
	reader->jobs = g_array_new(FALSE, FALSE, sizeof(LttPartition));
	reader->callbacks = request->callbacks;
	if (!choose_columns(reader, request->columns, error)) {
		ltt_table_reader_free(reader);
		return NULL;
	}
	reader->task = (LttTableTask){
		.table = reader->table,
		.columns = (const guint *)(gpointer)reader->columns->data,
		.n_columns = reader->columns->len,
		.select = request->select,
		.with_places = request->with_places,
		.with_numbers = request->with_numbers,
		.batch_rows =
			request->batch_rows != 0 ? request->batch_rows : LTT_DEFAULT_BATCH_ROWS,
	};
	if (request->is_ordered) {
		start_merge(reader, request->select);
	} else {
		list_jobs(reader, request);
		reader->ahead =
			ltt_table_ahead_new(&reader->task, reader->jobs, request->n_threads);
	}
	return reader;
}

void ltt_table_reader_free(LttTableReader *reader)
{
	if (reader == NULL)
		return;
	ltt_table_ahead_free(reader->ahead);
	ltt_trace_release_loads(reader->table->trace);
	ltt_rows_free(reader->rows);
	g_clear_error(&reader->failure);
	ltt_buffer_pool_close(reader->task.pool);
	ltt_buffer_pool_unref(reader->task.pool);
	ltt_merge_free(reader->merge);
	ltt_select_free(reader->select);
	g_array_unref(reader->jobs);
	g_array_unref(reader->columns);
	ltt_table_unref(reader->table);
	g_free(reader);
}

guint ltt_table_reader_get_n_columns(const LttTableReader *reader)
{
	return reader->columns->len;
}

const LttColumn *ltt_table_reader_get_column(const LttTableReader *reader, guint index)
{
	return ltt_table_get_column(reader->table, g_array_index(reader->columns, guint, index));
}

/* ---- batches ---- */

static void report(const LttTableReader *reader, const GError *error)
{
	LttProblem problem;

	ltt_problem_from_error(error, &problem);
	ltt_job_report(&reader->callbacks, &problem);
}

static void report_errors(LttTableReader *reader, LttTableSlot *slot)
{
	for (; slot->n_reported < slot->job.errors->len; slot->n_reported++)
		report(reader, slot->job.errors->pdata[slot->n_reported]);
}

static LttStep next_of_jobs(LttTableReader *reader, LttBatch **batch, GError **error)
{
	LttTableSlot *slot;

	while ((slot = ltt_table_ahead_get_first(reader->ahead)) != NULL) {
		if (!ltt_job_progress(&reader->callbacks, LTT_PROGRESS_BLOCKS,
				      reader->n_blocks_done, reader->n_blocks, error))
			return LTT_STEP_ERROR;
		ltt_table_ahead_work(reader->ahead, slot);
		if (slot->n_given < slot->job.batches->len) {
			*batch = ltt_table_job_take(&slot->job, slot->n_given++);
			return LTT_STEP_EVENT;
		}
		report_errors(reader, slot);
		if (slot->job.failure != NULL) {
			if (error != NULL)
				*error = g_error_copy(slot->job.failure);
			return LTT_STEP_ERROR;
		}
		if (!ltt_table_job_is_complete(&slot->job))
			continue;
		reader->n_blocks_done += slot->n_blocks;
		ltt_table_ahead_drop_first(reader->ahead);
	}
	return LTT_STEP_END;
}

static void take_merged(LttTableReader *reader, const LttRowPlan *plan, const LttEvent *event)
{
	const guint8 *limit = event->payload + event->payload_bytes;

	ltt_rows_begin(reader->rows, plan, event, limit);
	if (!ltt_rows_admit(reader->rows, plan, event, limit, &reader->failure))
		return;
	ltt_rows_note(reader->rows, event);
	ltt_rows_settle(reader->rows);
}

/* Called for each event: adds up the columns only if it may be true. */
static gboolean is_huge(const LttRows *rows)
{
	return rows->n_admitted > LTT_HUGE_BYTES && ltt_rows_are_huge(rows);
}

static LttStep next_merged(LttTableReader *reader, LttBatch **batch, GError **failure)
{
	const LttEvent *event;
	const LttRowPlan *plan;
	GError *error = NULL;

	while (reader->failure == NULL && ltt_rows_get_n(reader->rows) < reader->task.batch_rows &&
	       !ltt_rows_are_large(reader->rows) && !is_huge(reader->rows)) {
		const LttStep step = ltt_merge_next(reader->merge, &event, &error);

		if (step == LTT_STEP_END)
			break;
		if (g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED)) {
			g_propagate_error(failure, error);
			return LTT_STEP_ERROR;
		}
		if (step == LTT_STEP_ERROR) {
			report(reader, error);
			g_clear_error(&error);
			ltt_merge_skip_block(reader->merge);
			continue;
		}
		plan = ltt_rows_find_plan(reader->rows, event->type);
		if (plan == NULL)
			continue;
		take_merged(reader, plan, event);
	}
	if (ltt_rows_get_n(reader->rows) == 0 && reader->failure != NULL) {
		g_propagate_error(failure, g_error_copy(reader->failure));
		return LTT_STEP_ERROR;
	}
	if (ltt_rows_get_n(reader->rows) == 0)
		return LTT_STEP_END;
	*batch = ltt_rows_give(reader->rows);
	return LTT_STEP_EVENT;
}

LttStep ltt_table_reader_next(LttTableReader *reader, LttBatch **batch, GError **error)
{
	return reader->merge != NULL ? next_merged(reader, batch, error)
				     : next_of_jobs(reader, batch, error);
}
