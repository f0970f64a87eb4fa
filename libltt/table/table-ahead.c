/* table-ahead.c - see table-ahead-priv.h.
 *
 * Jobs that were not dropped are in a ring, of which threads take one after the other:
 *
 *	dropped   in progress or done            to be taken
 *	  ... | first |     ...     | next_to_take |   ...   | next_to_add | ... | n
 *
 * The caller's thread takes jobs, too, while the first one is in progress. It waits only at the end
 * of the ring, so hardly any job wakes it.
 */
#include "table/table-ahead-priv.h"

/* Jobs in the ring, for each thread. */
#define JOBS_PER_THREAD 2

/* Maximum number of batches whose memory is kept: more than a consumer holds at a time, and those of
 * a job for each job ahead. */
#define POOL_BATCHES   8
#define BATCHES_OF_JOB 4

struct LttTableAhead {
	LttTableTask task;
	const GArray *partitions;
	guint first;
	LttTableSlot *ring; /* indexed by the number of the job, modulo n_slots */
	guint n_slots;
	GPtrArray *workers; /* of LttTableWorker; one for each thread */
	GThreadPool *pool;  /* the other threads; NULL: the caller's thread works alone */
	GAsyncQueue *idle;  /* with a pool: the workers that no thread uses */
	gint is_ended;      /* atomic: jobs need not be finished */
	GMutex lock;        /* protects the members below, and is_done of all slots */
	guint next_to_take;
	guint next_to_add;
	GCond done;
};

static LttTableSlot *slot_of(const LttTableAhead *ahead, guint number)
{
	return &ahead->ring[number % ahead->n_slots];
}

/* ---- work ---- */

/* Returns: (nullable): a job for this thread; NULL: all in the ring are taken */
static LttTableSlot *take(LttTableAhead *ahead)
{
	LttTableSlot *slot = NULL;

	g_mutex_lock(&ahead->lock);
	if (ahead->next_to_take < ahead->next_to_add)
		slot = slot_of(ahead, ahead->next_to_take++);
	g_mutex_unlock(&ahead->lock);
	return slot;
}

static void run(LttTableAhead *ahead, LttTableSlot *slot)
{
	LttTableWorker *worker = g_async_queue_pop(ahead->idle);
	LttTableJob *job = &slot->job;

	while (!ltt_table_job_is_complete(job) && !ltt_table_job_is_heavy(job) &&
	       !g_atomic_int_get(&ahead->is_ended))
		ltt_table_worker_step(worker, job);
	ltt_table_worker_flush(worker, job);
	g_async_queue_push(ahead->idle, worker);
	g_mutex_lock(&ahead->lock);
	slot->is_done = TRUE;
	g_cond_signal(&ahead->done);
	g_mutex_unlock(&ahead->lock);
}

/* Called in a thread of the pool, once for each job added. Another thread may have taken the job. */
static void run_any(G_GNUC_UNUSED gpointer data, gpointer user_data)
{
	LttTableAhead *ahead = user_data;
	LttTableSlot *slot = take(ahead);

	if (slot != NULL)
		run(ahead, slot);
}

static gboolean is_done(LttTableAhead *ahead, const LttTableSlot *slot)
{
	gboolean done;

	g_mutex_lock(&ahead->lock);
	done = slot->is_done;
	g_mutex_unlock(&ahead->lock);
	return done;
}

/* Runs other jobs until @first is done or all are taken. Then waits for it. */
static void work_with_others(LttTableAhead *ahead, const LttTableSlot *first)
{
	LttTableSlot *other;

	while (!is_done(ahead, first) && (other = take(ahead)) != NULL)
		run(ahead, other);
	g_mutex_lock(&ahead->lock);
	while (!first->is_done)
		g_cond_wait(&ahead->done, &ahead->lock);
	g_mutex_unlock(&ahead->lock);
}

/* Decodes until the job has a batch or ends. Rows that do not fill a batch are combined with those
 * of the next job. */
static void work_alone(LttTableAhead *ahead, LttTableSlot *first)
{
	LttTableWorker *worker = ahead->workers->pdata[0];
	LttTableJob *job = &first->job;

	while (!ltt_table_job_is_complete(job) && job->batches->len == first->n_given)
		ltt_table_worker_step(worker, job);
	first->is_done = ltt_table_job_is_complete(job);
	if (first->is_done && (job->failure != NULL || ahead->first + 1 == ahead->partitions->len))
		ltt_table_worker_flush(worker, job);
}

void ltt_table_ahead_work(LttTableAhead *ahead, LttTableSlot *first)
{
	if (ahead->pool != NULL) {
		work_with_others(ahead, first);
		/* A heavy job goes on when its batches were taken. */
		if (first->n_given == first->job.batches->len &&
		    !ltt_table_job_is_complete(&first->job))
			run(ahead, first);
	} else if (first->n_given == first->job.batches->len && !first->is_done) {
		work_alone(ahead, first);
	}
}

/* ---- the ring ---- */

static void add(LttTableAhead *ahead)
{
	const LttPartition *partition =
		&g_array_index(ahead->partitions, LttPartition, ahead->next_to_add);
	LttTableSlot *slot = slot_of(ahead, ahead->next_to_add);

	*slot = (LttTableSlot){.n_blocks = partition->n_blocks};
	ltt_table_job_init(&slot->job, partition);
	g_mutex_lock(&ahead->lock);
	ahead->next_to_add++;
	g_mutex_unlock(&ahead->lock);
	if (ahead->pool != NULL) /* The data must not be NULL. */
		g_thread_pool_push(ahead->pool, ahead, NULL);
}

LttTableSlot *ltt_table_ahead_get_first(LttTableAhead *ahead)
{
	while (ahead->next_to_add < ahead->partitions->len &&
	       ahead->next_to_add - ahead->first < ahead->n_slots)
		add(ahead);
	return ahead->first < ahead->partitions->len ? slot_of(ahead, ahead->first) : NULL;
}

void ltt_table_ahead_drop_first(LttTableAhead *ahead)
{
	ltt_table_job_clear(&slot_of(ahead, ahead->first)->job);
	ahead->first++;
}

/* ---- beginning and end ---- */

LttTableAhead *ltt_table_ahead_new(const LttTableTask *task, const GArray *partitions,
				   guint n_wanted)
{
	LttTableAhead *ahead = g_new0(LttTableAhead, 1);
	const guint n_threads = CLAMP(n_wanted != 0 ? n_wanted : g_get_num_processors(), 1,
				      MIN(LTT_MAX_TABLE_THREADS, MAX(partitions->len, 1)));

	g_mutex_init(&ahead->lock);
	g_cond_init(&ahead->done);
	ahead->task = *task;
	ahead->partitions = partitions;
	ahead->n_slots = n_threads > 1 ? n_threads * JOBS_PER_THREAD : 1;
	ahead->ring = g_new0(LttTableSlot, ahead->n_slots);
	ahead->task.pool =
		ltt_buffer_pool_new(POOL_BATCHES + (ahead->n_slots - 1) * BATCHES_OF_JOB);
	ahead->workers = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_table_worker_free);
	ahead->idle = g_async_queue_new();
	for (guint i = 0; i < n_threads; i++) {
		g_ptr_array_add(ahead->workers, ltt_table_worker_new(&ahead->task));
		g_async_queue_push(ahead->idle, ahead->workers->pdata[i]);
	}
	if (n_threads > 1)
		ahead->pool = g_thread_pool_new(run_any, ahead, (gint)n_threads - 1, TRUE, NULL);
	return ahead;
}

void ltt_table_ahead_free(LttTableAhead *ahead)
{
	if (ahead == NULL)
		return;
	g_atomic_int_set(&ahead->is_ended, TRUE);
	/* Drops the jobs that no thread has taken, and waits for the others. */
	if (ahead->pool != NULL)
		g_thread_pool_free(ahead->pool, TRUE, TRUE);
	while (ahead->first < ahead->next_to_add)
		ltt_table_ahead_drop_first(ahead);
	g_free(ahead->ring);
	g_async_queue_unref(ahead->idle);
	g_ptr_array_unref(ahead->workers);
	ltt_buffer_pool_close(ahead->task.pool);
	ltt_buffer_pool_unref(ahead->task.pool);
	g_cond_clear(&ahead->done);
	g_mutex_clear(&ahead->lock);
	g_free(ahead);
}
