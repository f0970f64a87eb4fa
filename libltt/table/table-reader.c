/* table-reader.c - the batches of a table, in order, from one thread or several.
 *
 * Partitions are jobs. Threads decode some of them ahead; the caller gets their batches in the
 * order of the jobs, so the rows do not depend on the number of threads. Jobs ahead are limited,
 * so memory does not depend on the length of the trace.
 *
 *	returned      done or in progress     not begun
 *	  ... | first_job |      ...       | next_job |  ...  | n_jobs
 */
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "filter/select-priv.h"
#include "reader/trace-priv.h"
#include "table/table-worker-priv.h"

#include <ltt/ltt-merge.h>

/* Larger partitions are split. The batches of all jobs ahead should fit the shared cache of a
 * processor: with larger jobs, several threads take more CPU time than one. */
#define MAX_JOB_BYTES (LTT_DEFAULT_PARTITION_BYTES / 4)

/* Maximum number of jobs in progress or done, for each thread. */
#define JOBS_PER_THREAD 2

/* Maximum number of batches whose memory is kept: more than a consumer holds at a time, and those of
 * a job for each job ahead. */
#define POOL_BATCHES   8
#define BATCHES_OF_JOB 4

typedef struct Slot {
	LttTableJob job;
	gboolean is_done;
	guint n_given;    /* batches */
	guint n_reported; /* errors */
} Slot;

struct LttTableReader {
	LttTableTask task;
	LttTable *table; /* owned */
	GArray *columns; /* of guint */
	LttJobCallbacks callbacks;

	/* In the order of partitions. */
	GArray *jobs;     /* of LttPartition */
	guint64 n_blocks; /* of all jobs */
	guint64 n_blocks_done;
	guint first_job;
	guint next_job;
	Slot *slots; /* a ring, by number of the job */
	guint n_slots;
	GThreadPool *pool;  /* NULL: the caller's thread decodes */
	GPtrArray *workers; /* of LttTableWorker; all in a pool wait in `idle` */
	GAsyncQueue *idle;
	GMutex lock; /* for is_done */
	GCond done;
	gint is_ended; /* atomic: jobs need not be finished */

	/* In the merged order. */
	LttSelect *select;
	LttMerge *merge; /* NULL: not requested */
	LttRows *rows;
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
					"column \"%s\" of %s is asked for twice", names[i],
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
		all = ltt_partitions_new(reader->table->trace, request->select, MAX_JOB_BYTES);
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

/* ---- threads ---- */

static Slot *slot_of(const LttTableReader *reader, guint job)
{
	return &reader->slots[job % reader->n_slots];
}

static const LttPartition *get_job(const LttTableReader *reader, guint job)
{
	return &g_array_index(reader->jobs, LttPartition, job);
}

static void run_job(gpointer data, gpointer user_data)
{
	LttTableReader *reader = user_data;
	Slot *slot = slot_of(reader, GPOINTER_TO_UINT(data) - 1);
	LttTableWorker *worker = g_async_queue_pop(reader->idle);
	LttTableJob *job = &slot->job;

	while (job->block < job->end && job->failure == NULL &&
	       !g_atomic_int_get(&reader->is_ended))
		ltt_table_worker_step(worker, job);
	ltt_table_worker_flush(worker, job);
	g_async_queue_push(reader->idle, worker);
	g_mutex_lock(&reader->lock);
	slot->is_done = TRUE;
	g_cond_signal(&reader->done);
	g_mutex_unlock(&reader->lock);
}

/* Starts jobs while the ring has free places. */
static void start_jobs(LttTableReader *reader)
{
	while (reader->next_job < reader->jobs->len &&
	       reader->next_job - reader->first_job < reader->n_slots) {
		Slot *slot = slot_of(reader, reader->next_job);

		*slot = (Slot){0};
		ltt_table_job_init(&slot->job, get_job(reader, reader->next_job));
		reader->next_job++;
		if (reader->pool != NULL)
			g_thread_pool_push(reader->pool, GUINT_TO_POINTER(reader->next_job), NULL);
	}
}

/* Decodes, in the caller's thread, until the job has a batch or ends. Rows that do not fill a batch
 * are combined with those of the next job. */
static void work_on(LttTableReader *reader, Slot *slot)
{
	LttTableWorker *worker = reader->workers->pdata[0];
	LttTableJob *job = &slot->job;

	while (job->block < job->end && job->failure == NULL && job->batches->len == slot->n_given)
		ltt_table_worker_step(worker, job);
	slot->is_done = job->block == job->end || job->failure != NULL;
	if (slot->is_done && reader->first_job + 1 == reader->jobs->len)
		ltt_table_worker_flush(worker, job);
}

static void wait_for(LttTableReader *reader, Slot *slot)
{
	g_mutex_lock(&reader->lock);
	while (!slot->is_done)
		g_cond_wait(&reader->done, &reader->lock);
	g_mutex_unlock(&reader->lock);
}

static void start_threads(LttTableReader *reader, guint n_wanted)
{
	const guint n_threads = CLAMP(n_wanted != 0 ? n_wanted : g_get_num_processors(), 1,
				      MIN(LTT_MAX_TABLE_THREADS, MAX(reader->jobs->len, 1)));

	reader->n_slots = n_threads > 1 ? n_threads * JOBS_PER_THREAD : 1;
	reader->task.pool =
		ltt_buffer_pool_new(POOL_BATCHES + (reader->n_slots - 1) * BATCHES_OF_JOB);
	if (n_threads > 1)
		reader->pool = g_thread_pool_new(run_job, reader, (gint)n_threads, TRUE, NULL);
	for (guint i = 0; i < (reader->pool != NULL ? n_threads : 1); i++) {
		g_ptr_array_add(reader->workers, ltt_table_worker_new(&reader->task));
		g_async_queue_push(reader->idle, reader->workers->pdata[i]);
	}
	reader->slots = g_new0(Slot, reader->n_slots);
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

	g_mutex_init(&reader->lock);
	g_cond_init(&reader->done);
	reader->table = ltt_table_ref(request->table);
	reader->columns = g_array_new(FALSE, FALSE, sizeof(guint));
	reader->jobs = g_array_new(FALSE, FALSE, sizeof(LttPartition));
	reader->workers = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_table_worker_free);
	reader->idle = g_async_queue_new();
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
		start_threads(reader, request->n_threads);
	}
	return reader;
}

void ltt_table_reader_free(LttTableReader *reader)
{
	if (reader == NULL)
		return;
	g_atomic_int_set(&reader->is_ended, TRUE);
	/* Drops the jobs that have not begun, and waits for the others. */
	if (reader->pool != NULL)
		g_thread_pool_free(reader->pool, TRUE, TRUE);
	for (guint i = reader->first_job; i < reader->next_job; i++)
		ltt_table_job_clear(&slot_of(reader, i)->job);
	g_free(reader->slots);
	g_async_queue_unref(reader->idle);
	g_ptr_array_unref(reader->workers);
	ltt_rows_free(reader->rows);
	ltt_buffer_pool_close(reader->task.pool);
	ltt_buffer_pool_unref(reader->task.pool);
	ltt_merge_free(reader->merge);
	ltt_select_free(reader->select);
	g_array_unref(reader->jobs);
	g_array_unref(reader->columns);
	ltt_table_unref(reader->table);
	g_cond_clear(&reader->done);
	g_mutex_clear(&reader->lock);
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

static void report_errors(LttTableReader *reader, Slot *slot)
{
	for (; slot->n_reported < slot->job.errors->len; slot->n_reported++)
		report(reader, slot->job.errors->pdata[slot->n_reported]);
}

static LttStep next_of_jobs(LttTableReader *reader, LttBatch **batch, GError **error)
{
	for (;;) {
		Slot *slot;

		start_jobs(reader);
		if (reader->first_job == reader->jobs->len)
			return LTT_STEP_END;
		if (!ltt_job_progress(&reader->callbacks, LTT_PROGRESS_BLOCKS,
				      reader->n_blocks_done, reader->n_blocks, error))
			return LTT_STEP_ERROR;
		slot = slot_of(reader, reader->first_job);
		if (reader->pool != NULL)
			wait_for(reader, slot);
		else if (slot->n_given == slot->job.batches->len && !slot->is_done)
			work_on(reader, slot);
		if (slot->n_given < slot->job.batches->len) {
			*batch = ltt_batch_ref(slot->job.batches->pdata[slot->n_given++]);
			return LTT_STEP_EVENT;
		}
		report_errors(reader, slot);
		if (slot->job.failure != NULL) {
			if (error != NULL)
				*error = g_error_copy(slot->job.failure);
			return LTT_STEP_ERROR;
		}
		if (!slot->is_done)
			continue;
		ltt_table_job_clear(&slot->job);
		reader->n_blocks_done += get_job(reader, reader->first_job++)->n_blocks;
	}
}

static LttStep next_merged(LttTableReader *reader, LttBatch **batch, GError **failure)
{
	const LttEvent *event;
	const LttRowPlan *plan;
	GError *error = NULL;

	while (ltt_rows_get_n(reader->rows) < reader->task.batch_rows &&
	       !ltt_rows_are_large(reader->rows)) {
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
		if (!ltt_event_fits_row(event, failure))
			return LTT_STEP_ERROR;
		ltt_rows_note(reader->rows, plan, event, event->payload + event->payload_bytes);
		ltt_rows_settle(reader->rows);
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
