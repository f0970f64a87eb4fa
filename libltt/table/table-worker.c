/* table-worker.c - see table-worker-priv.h.
 *
 * The id alone decides whether to skip or take most events. A filter is evaluated for each event
 * only if its answer depends on more than the type.
 */
#include "table/table-worker-priv.h"

#include "base/error-priv.h"
#include "filter/filter-priv.h"
#include "filter/select-priv.h"
#include "reader/trace-priv.h"

/* After a run of one type, this many events are noted as if types alternated. */
#define MIXED_EVENTS 256

/* Rows between two checks of the size of the columns. */
#define LOOK_ROWS 1024

/* The action for the events of an id. */
typedef struct Action {
	const LttRowPlan *plan; /* NULL: skip them */
	gboolean asks_filter;
} Action;

/* Actions by id. Tracefiles with their own loads have other slots. */
typedef struct Actions {
	const LttSlot *slots;
	guint64 block_bytes;
	Action *by_id;
	gboolean is_tame; /* no event of a block needs ltt_rows_admit() */
} Actions;

struct LttTableWorker {
	const LttTableTask *task;
	LttRows *rows;
	LttFilter *filter; /* NULL: none */
	gboolean has_window;
	guint64 from_ns;
	guint64 to_ns;
	GArray *actions; /* of Actions */
	LttBlock block;
	LttEvent event;
};

/* ---- actions ---- */

static void clear_actions(gpointer actions)
{
	g_free(((Actions *)actions)->by_id);
}

static Action choose(LttTableWorker *worker, const LttSlot *slot)
{
	Action action = {NULL, FALSE};
	guint32 answer = LTT_FILTER_TRUE;

	if (slot->type != NULL)
		action.plan = ltt_rows_find_plan(worker->rows, slot->type);
	if (action.plan != NULL && worker->filter != NULL)
		answer = ltt_filter_answer(worker->filter, slot->type, slot->layout);
	if (answer == LTT_FILTER_FALSE)
		action.plan = NULL;
	action.asks_filter = answer != LTT_FILTER_TRUE;
	return action;
}

static const Actions *need_actions(LttTableWorker *worker, const LttTracefile *tracefile)
{
	const LttSlot *slots = worker->block.slots;
	Actions actions = {slots, tracefile->block_bytes, NULL, TRUE};

	for (guint i = 0; i < worker->actions->len; i++) {
		const Actions *known = &g_array_index(worker->actions, Actions, i);

		if (known->slots == slots && known->block_bytes == tracefile->block_bytes)
			return known;
	}
	actions.by_id = g_new(Action, worker->block.n_slots);
	for (guint id = 0; id < worker->block.n_slots; id++) {
		Action *action = &actions.by_id[id];

		*action = choose(worker, &slots[id]);
		actions.is_tame =
			actions.is_tame &&
			(action->plan == NULL ||
			 ltt_rows_are_tame(action->plan, slots[id].layout, tracefile->block_bytes));
	}
	g_array_append_val(worker->actions, actions);
	return &g_array_index(worker->actions, Actions, worker->actions->len - 1);
}

/* ---- blocks ---- */

static void give_batch(LttTableWorker *worker, LttTableJob *job)
{
	ltt_rows_settle(worker->rows);
	if (ltt_rows_get_n(worker->rows) > 0) {
		LttBatch *batch = ltt_rows_give(worker->rows);

		job->weight += ltt_batch_get_weight(batch);
		g_ptr_array_add(job->batches, batch);
	}
}

/* Begins a chunk. Returns: FALSE if the job became heavy instead; then no rows are left in the worker */
static gboolean begin_chunk(LttTableWorker *worker, LttTableJob *job, const LttRowPlan *plan,
			    const guint8 *limit)
{
	ltt_rows_settle(worker->rows);
	if (ltt_rows_are_huge(worker->rows))
		give_batch(worker, job);
	if (ltt_rows_get_n(worker->rows) == 0 && ltt_table_job_is_heavy(job))
		return FALSE;
	ltt_rows_begin(worker->rows, plan, &worker->event, limit);
	return TRUE;
}

static gboolean is_in_window(const LttTableWorker *worker, guint64 time_ns)
{
	return !worker->has_window || (time_ns >= worker->from_ns && time_ns < worker->to_ns);
}

/* Takes the events from @first up to @end, which have the same thread. Returns: the first one that was not taken: @end, unless the
 * job became heavy or failed */
static guint32 take_stretch(LttTableWorker *worker, LttTableJob *job, const Action *actions,
			    guint32 first, guint32 end)
{
	const LttBlock *block = &worker->block;
	const guint8 *limit = block->bytes + job->tracefile->block_bytes;
	guint n_taken = 0;

	for (guint32 i = first; i < end; i++) {
		const guint16 id = block->records[i].id;
		const Action action = actions[id];

		if (action.plan == NULL || !is_in_window(worker, block->times_ns[i]))
			continue;
		ltt_block_fill_event(block, i, &block->slots[id], &worker->event);
		if (action.asks_filter && !ltt_filter_matches(worker->filter, &worker->event))
			continue;
		if (ltt_rows_are_full(worker->rows, action.plan, &worker->event, limit) &&
		    !begin_chunk(worker, job, action.plan, limit))
			return i;
		if (!ltt_rows_admit(worker->rows, action.plan, &worker->event, limit,
				    &job->failure))
			return i;
		ltt_rows_note(worker->rows, &worker->event);
		if (++n_taken % LOOK_ROWS == 0 && ltt_rows_are_large(worker->rows))
			give_batch(worker, job);
	}
	return end;
}

/* Sets the thread of the events from @from on, which is the same for all. */
static void fill_threads(LttTableWorker *worker, guint from)
{
	LttChunk *chunk = &worker->rows->chunk;

	for (guint i = from; worker->rows->wants_threads && i < chunk->n; i++) {
		chunk->pids[i] = worker->event.pid;
		chunk->tids[i] = worker->event.tid;
		chunk->has_thread[i] = worker->event.has_thread;
	}
}

/* Rows of one type on their way into the chunk. */
typedef struct Notes {
	const LttBlock *block;
	const Action *actions;
	LttChunk *chunk;
	guint16 id;
	guint32 i; /* the next event */
	guint n;   /* the next row */
} Notes;

static inline void note(const Notes *notes)
{
	const LttBlock *block = notes->block;

	notes->chunk->at[notes->n] =
		block->bytes + LTT_EVENT_HEADER_BYTES + block->records[notes->i].offset;
	notes->chunk->times_ns[notes->n] = (gint64)block->times_ns[notes->i];
}

/* Notes consecutive events of the type, up to @end. */
static void note_run(Notes *to, guint32 end)
{
	Notes notes = *to;

	end = MIN(end - notes.i, LTT_CHUNK_ROWS - notes.n) + notes.i;
	for (; notes.i < end && notes.block->records[notes.i].id == notes.id; notes.i++, notes.n++)
		note(&notes);
	*to = notes;
}

/* Notes events of the type and skips those of no row, up to @end. Without a branch on the
 * type: where types alternate, it is hard to predict. Returns: FALSE at an event of another row */
static gboolean note_mixed(Notes *to, guint32 end)
{
	Notes notes = *to;
	gboolean is_other = FALSE;

	for (; notes.i < end && notes.n < LTT_CHUNK_ROWS; notes.i++) {
		const guint16 id = notes.block->records[notes.i].id;

		is_other = id != notes.id && notes.actions[id].plan != NULL;
		if (is_other)
			break;
		note(&notes);
		notes.n += id == notes.id;
	}
	*to = notes;
	return !is_other;
}

/* The same without a filter, for a small block whose events are all in the window: builds no
 * LttEvent. Also, the events need no ltt_rows_admit(). */
static guint32 take_plain_stretch(LttTableWorker *worker, LttTableJob *job, const Action *actions,
				  guint32 first, guint32 end)
{
	const LttBlock *block = &worker->block;
	const guint8 *limit = block->bytes + worker->event.tracefile->block_bytes;
	LttChunk *chunk = &worker->rows->chunk;
	Notes notes = {.block = block, .actions = actions, .chunk = chunk, .i = first};

	while (notes.i < end) {
		const guint from = notes.n = chunk->n;
		const LttRowPlan *plan;

		notes.id = block->records[notes.i].id;
		plan = actions[notes.id].plan;
		if (plan == NULL) {
			notes.i++;
			continue;
		}
		worker->event.layout = block->slots[notes.id].layout;
		if (plan != chunk->plan || worker->event.layout != chunk->layout ||
		    from == LTT_CHUNK_ROWS) {
			if (!begin_chunk(worker, job, plan, limit))
				return notes.i;
			continue;
		}
		do
			note_run(&notes, end);
		while (notes.i < end && notes.n < LTT_CHUNK_ROWS &&
		       note_mixed(&notes, MIN(end - notes.i, MIXED_EVENTS) + notes.i));
		chunk->n = notes.n;
		fill_threads(worker, from);
	}
	return end;
}

/* Returns: whether all events of the block are in the window */
static gboolean is_all_in_window(const LttTableWorker *worker)
{
	const LttBlock *block = &worker->block;
	guint64 first_ns = G_MAXUINT64;
	guint64 last_ns = 0;

	for (guint32 i = 0; worker->has_window && i < block->n_events; i++) {
		first_ns = MIN(first_ns, block->times_ns[i]);
		last_ns = MAX(last_ns, block->times_ns[i]);
	}
	return !worker->has_window || block->n_events == 0 ||
	       (is_in_window(worker, first_ns) && is_in_window(worker, last_ns));
}

static void begin_block(LttTableWorker *worker, const LttTableJob *job)
{
	const LttBlock *block = &worker->block;

	worker->event.tracefile = job->tracefile;
	worker->event.byte_order = ltt_system_get_arch(job->tracefile->trace->system)->byte_order;
	worker->event.block = block->place;
	worker->event.has_thread = FALSE;
	worker->event.payload = block->bytes + LTT_EVENT_HEADER_BYTES;
	worker->event.offset_bytes = 0;
}

/* Takes the events from job->next_event on. Returns: FALSE if some are left: the job failed, or is heavy, and
 * job->next_event is the first of them */
static gboolean take_events(LttTableWorker *worker, LttTableJob *job)
{
	const LttBlock *block = &worker->block;
	const Actions *actions = need_actions(worker, job->tracefile);
	const gboolean is_plain = worker->filter == NULL && actions->is_tame &&
				  job->tracefile->block_bytes <= LTT_CHUNK_BYTES &&
				  is_all_in_window(worker);

	begin_block(worker, job);
	for (guint i = 0; i <= block->threads->len; i++) {
		const LttThreadChange *change =
			i < block->threads->len ? &g_array_index(block->threads, LttThreadChange, i)
						: NULL;
		const guint32 end = change != NULL ? change->first : block->n_events;

		if (job->next_event < end)
			job->next_event = is_plain ? take_plain_stretch(worker, job, actions->by_id,
									job->next_event, end)
						   : take_stretch(worker, job, actions->by_id,
								  job->next_event, end);
		if (job->next_event < end)
			return FALSE;
		if (change != NULL) {
			worker->event.has_thread = TRUE;
			worker->event.pid = change->pid;
			worker->event.tid = change->tid;
		}
	}
	return TRUE;
}

/* Returns: whether all events of the block were taken */
static gboolean take_block(LttTableWorker *worker, LttTableJob *job)
{
	const gboolean is_done = take_events(worker, job);

	ltt_rows_settle(worker->rows);
	if (ltt_rows_get_n(worker->rows) >= worker->task->batch_rows ||
	    ltt_rows_are_large(worker->rows))
		give_batch(worker, job);
	return is_done;
}

void ltt_table_worker_step(LttTableWorker *worker, LttTableJob *job)
{
	const LttBlock *block = &worker->block;
	GError *error = NULL;

	if (ltt_block_load(&worker->block, job->tracefile, job->block, &error)) {
		if (!take_block(worker, job))
			return;
		if (block->damage != NULL)
			ltt_fail_at(&error, LTT_ERROR_CORRUPT, job->tracefile->name,
				    (gint64)block->place, block->damage_byte, "%s", block->damage);
	}
	if (error != NULL)
		g_ptr_array_add(job->errors, error);
	job->block++;
	job->next_event = 0;
}

void ltt_table_worker_flush(LttTableWorker *worker, LttTableJob *job)
{
	give_batch(worker, job);
}

/* ---- beginning and end ---- */

LttTableWorker *ltt_table_worker_new(const LttTableTask *task)
{
	LttTableWorker *worker = g_new0(LttTableWorker, 1);
	const LttFilter *filter = NULL;

	worker->task = task;
	worker->rows = ltt_rows_new(task->table, task->pool, task->columns, task->n_columns,
				    task->with_places, task->with_numbers);
	if (task->select != NULL) {
		filter = ltt_select_get_filter(task->select);
		worker->has_window =
			ltt_select_get_window(task->select, &worker->from_ns, &worker->to_ns);
	}
	worker->filter = filter != NULL ? ltt_filter_dup(filter) : NULL;
	worker->actions = g_array_new(FALSE, FALSE, sizeof(Actions));
	g_array_set_clear_func(worker->actions, clear_actions);
	ltt_block_init(&worker->block);
	return worker;
}

void ltt_table_worker_free(LttTableWorker *worker)
{
	if (worker == NULL)
		return;
	ltt_rows_free(worker->rows);
	ltt_filter_free(worker->filter);
	g_array_unref(worker->actions);
	ltt_block_clear(&worker->block);
	g_free(worker);
}
