/* stat-worker.c - count the events of some blocks.
 *
 * Decodes a block, then iterates over its arrays. For most events the id determines the action, a
 * few additions. A run of events of one type is counted at once. Builds an event only for a filter
 * whose answer depends on more than the type.
 */
#include "analysis/stat-run-priv.h"
#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "filter/filter-priv.h"
#include "filter/select-priv.h"
#include "model/ondisk-priv.h"
#include "reader/trace-priv.h"

/* Counters by event id, for the ids of a trace, or of a tracefile with local loads. */
typedef struct Table {
	const LttSlot *slots;
	LttStatCounter *counters;
	guint n_counters;
} Table;

struct LttStatWorker {
	const LttStatTask *task;
	LttFilter *filter; /* NULL: none */
	LttBlock block;
	LttEvent event;    /* the event passed to the filter */
	GPtrArray *tables; /* of Table */

	LttStatSums sums; /* the members `types` are set only at the end */
	gboolean has_too_many;
};

/* ---- tables ---- */

static void free_table(gpointer data)
{
	Table *table = data;

	g_free(table->counters);
	g_free(table);
}

static gboolean is_wanted(const LttSelect *select, const LttSlot *slot)
{
	return select != NULL ? ltt_select_wants_type(select, slot->type, slot->role)
			      : slot->role == LTT_ROLE_ORDINARY;
}

static guint choose_action(const LttStatWorker *worker, const LttSlot *slot)
{
	const guint action = slot->role == LTT_ROLE_EVENTS_LOST ? LTT_STAT_LOST : LTT_STAT_PASS;
	guint32 answer = LTT_FILTER_TRUE;

	if (slot->type == NULL || !is_wanted(worker->task->select, slot))
		return action;
	if (worker->filter != NULL)
		answer = ltt_filter_answer(worker->filter, slot->type, slot->layout);
	return action | (answer == LTT_FILTER_TRUE    ? LTT_STAT_COUNT
			 : answer == LTT_FILTER_FALSE ? LTT_STAT_PASS
						      : LTT_STAT_ASK);
}

static Table *add_table(LttStatWorker *worker)
{
	const LttSlot *slots = worker->block.slots;
	const guint n_slots = worker->block.n_slots;
	Table *table = g_new(Table, 1);

	*table = (Table){
		.slots = slots,
		.counters = g_new(LttStatCounter, n_slots),
		.n_counters = n_slots,
	};
	for (guint id = 0; id < n_slots; id++)
		table->counters[id] =
			(LttStatCounter){choose_action(worker, &slots[id]), LTT_STAT_NO_COUNT};
	g_ptr_array_add(worker->tables, table);
	return table;
}

static Table *need_table(LttStatWorker *worker)
{
	for (guint i = 0; i < worker->tables->len; i++) {
		Table *table = worker->tables->pdata[i];

		if (table->slots == worker->block.slots)
			return table;
	}
	return add_table(worker);
}

/* ---- events ---- */

static void count_in_window(LttStatWorker *worker, guint64 time_ns, guint32 n_bytes)
{
	LttStatSums *sums = &worker->sums;

	if ((sums->window == NULL || time_ns < sums->window->start_ns ||
	     time_ns >= sums->window_end_ns) &&
	    !ltt_stat_change_window(sums, worker->task, time_ns))
		worker->has_too_many = TRUE;
	ltt_stat_count_one(&sums->window->count, time_ns, n_bytes);
}

static gboolean ask_filter(LttStatWorker *worker, guint32 i)
{
	const LttBlock *block = &worker->block;
	const LttSlot *slot = &block->slots[block->records[i].id];

	ltt_block_fill_event(block, i, slot, &worker->event);
	return ltt_filter_matches(worker->filter, &worker->event);
}

static void note_lost(const LttStatWorker *worker, LttStatPart *part, guint32 i)
{
	const LttBlock *block = &worker->block;
	const guint64 time_ns = block->times_ns[i];
	const guint64 total =
		ltt_load_u64(block->bytes + block->records[i].offset + LTT_EVENT_HEADER_BYTES,
			     worker->event.byte_order);

	if (time_ns < worker->task->from_ns)
		part->losses.before = MAX(part->losses.before, total);
	else if (time_ns - worker->task->from_ns < worker->task->span_ns)
		part->losses.within = MAX(part->losses.within, total);
}

/* Notes an event at @time_ns, and the gap between it and the one before. */
static inline void note_gap(LttStatPart *part, guint64 time_ns)
{
	if (part->head_ns == LTT_STAT_NO_TIME) {
		part->head_ns = time_ns;
	} else if (time_ns > part->tail_ns && time_ns - part->tail_ns > part->gap_ns) {
		part->gap_ns = time_ns - part->tail_ns;
		part->gap_start_ns = part->tail_ns;
	}
	part->tail_ns = time_ns;
}

/* Counts event @i in its type and in @count, if it is selected. */
static inline void count_event(LttStatWorker *worker, LttStatPart *part, LttStatCounter *counter,
			       guint32 i, LttStatCount *count)
{
	const LttStatTask *task = worker->task;
	const LttRecord *record = &worker->block.records[i];
	const guint64 time_ns = worker->block.times_ns[i];
	const guint32 n_bytes = record[1].offset - record->offset;

	if (counter->action == LTT_STAT_PASS)
		return;
	if (G_UNLIKELY(counter->action & LTT_STAT_LOST))
		note_lost(worker, part, i);
	if (time_ns - task->from_ns >= task->span_ns ||
	    !(counter->action & LTT_STAT_COUNT ||
	      (counter->action & LTT_STAT_ASK && ask_filter(worker, i))))
		return;
	ltt_stat_count_one(&counter->count, time_ns, n_bytes);
	ltt_stat_count_one(count, time_ns, n_bytes);
	note_gap(part, time_ns);
	if (task->interval_ns != 0)
		count_in_window(worker, time_ns, n_bytes);
}

static void add_run(LttStatPart *part, const LttStatRun *run, LttStatCount *count)
{
	note_gap(part, run->head_ns);
	if ((guint64)run->gap_ns > part->gap_ns) {
		part->gap_ns = (guint64)run->gap_ns;
		part->gap_start_ns = run->gap_start_ns;
	}
	part->tail_ns = run->tail_ns;
	ltt_stat_add(count, &run->count);
}

/* Counts the events @first ... @end - 1 of the block, all of one thread. */
static LttStatCount count_stretch(LttStatWorker *worker, LttStatPart *part,
				  LttStatCounter *counters, guint32 first, guint32 end)
{
	const LttStatTask *task = worker->task;
	const LttBlock *block = &worker->block;
	const gboolean takes_runs =
		task->from_ns == 0 && task->span_ns == G_MAXUINT64 && task->interval_ns == 0;
	LttStatCount count = LTT_STAT_NO_COUNT;
	gboolean is_mixed = FALSE;
	LttStatRun run;

	for (guint32 i = first; i < end; i += (guint32)run.count.n_events) {
		LttStatCounter *counter = &counters[block->records[i].id];

		if (!takes_runs || counter->action != LTT_STAT_COUNT) {
			count_event(worker, part, counter, i, &count);
			run.count.n_events = 1;
			continue;
		}
		run = is_mixed ? ltt_stat_count_mixed(block, counters, i,
						      MIN(end - i, LTT_STAT_MIXED_EVENTS) + i)
			       : ltt_stat_count_same(block, counter, i, end);
		is_mixed = !is_mixed && run.count.n_events < LTT_STAT_MIN_RUN;
		add_run(part, &run, &count);
	}
	return count;
}

/* Counts the events of the block, thread by thread. */
static void count_block(LttStatWorker *worker, LttStatPart *part)
{
	const LttBlock *block = &worker->block;
	const GArray *changes = block->threads;
	LttStatCounter *counters = need_table(worker)->counters;
	guint32 first = 0;

	worker->event.block = block->place;
	worker->event.has_thread = FALSE;
	for (guint i = 0; i <= changes->len; i++) {
		const LttThreadChange *change =
			i < changes->len ? &g_array_index(changes, LttThreadChange, i) : NULL;
		const guint32 end = change != NULL ? change->first : block->n_events;
		const LttStatCount count = count_stretch(worker, part, counters, first, end);

		ltt_stat_add(&part->count, &count);
		if (count.n_events > 0)
			ltt_stat_add(
				worker->event.has_thread
					? ltt_stat_need_thread(&worker->sums, part->tracefile->host,
							       worker->event.pid, worker->event.tid)
					: &worker->sums.no_process,
				&count);
		if (change != NULL) {
			first = change->first;
			worker->event.has_thread = TRUE;
			worker->event.pid = change->pid;
			worker->event.tid = change->tid;
		}
	}
}

/* @error: (transfer full) */
static void add_error(LttStatPart *part, GError *error)
{
	if (part->errors == NULL)
		part->errors = g_ptr_array_new_with_free_func((GDestroyNotify)g_error_free);
	g_ptr_array_add(part->errors, error);
}

void ltt_stat_worker_run(LttStatWorker *worker, LttStatPart *part)
{
	const LttBlock *block = &worker->block;

	part->count = LTT_STAT_NO_COUNT;
	part->head_ns = part->tail_ns = LTT_STAT_NO_TIME;
	worker->event.tracefile = part->tracefile;
	worker->event.byte_order = ltt_system_get_arch(part->tracefile->trace->system)->byte_order;
	for (guint64 i = part->position; i < part->end && !worker->has_too_many; i++) {
		GError *error = NULL;

		if (ltt_block_load(&worker->block, part->tracefile, i, &error)) {
			count_block(worker, part);
			if (block->damage != NULL)
				ltt_fail_at(&error, LTT_ERROR_CORRUPT, part->tracefile->name,
					    (gint64)block->place, block->damage_byte, "%s",
					    block->damage);
		}
		if (error != NULL)
			add_error(part, error);
	}
}

/* ---- beginning and end ---- */

LttStatWorker *ltt_stat_worker_new(const LttStatTask *task)
{
	LttStatWorker *worker = g_new0(LttStatWorker, 1);
	const LttFilter *filter = task->select != NULL ? ltt_select_get_filter(task->select) : NULL;

	worker->task = task;
	worker->filter = filter != NULL ? ltt_filter_dup(filter) : NULL;
	ltt_block_init(&worker->block);
	worker->tables = g_ptr_array_new_with_free_func(free_table);
	ltt_stat_sums_init(&worker->sums);
	return worker;
}

void ltt_stat_worker_free(LttStatWorker *worker)
{
	ltt_filter_free(worker->filter);
	ltt_block_clear(&worker->block);
	g_ptr_array_unref(worker->tables);
	ltt_stat_sums_clear(&worker->sums);
	g_free(worker);
}

gboolean ltt_stat_worker_has_too_many(const LttStatWorker *worker)
{
	return worker->has_too_many;
}

void ltt_stat_worker_give(LttStatWorker *worker, LttStatSums *sums)
{
	for (guint i = 0; i < worker->tables->len; i++) {
		const Table *table = worker->tables->pdata[i];

		for (guint id = 0; id < table->n_counters; id++) {
			const LttSlot *slot = &table->slots[id];
			const LttStatCount *count = &table->counters[id].count;

			if (count->n_events > 0)
				ltt_stat_add(
					ltt_stat_need_type(&worker->sums, slot->type->full_name),
					count);
		}
	}
	ltt_stat_sums_add(sums, &worker->sums);
}
