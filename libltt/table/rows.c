/* rows.c - see rows-priv.h. */
#include "table/rows-priv.h"

#include "table/decode-priv.h"

#include <ltt/ltt-join.h>

/* Size of the columns at which a batch is complete. With LTT_HUGE_BYTES, a chunk, and the largest row, it is less than
 * 2 GiB, so 32-bit offsets suffice. */
#define LARGE_BYTES ((gsize)64 * 1024 * 1024)

struct LttBatch {
	gint n_refs;     /* atomic */
	LttTable *table; /* owned: the arrays use its columns */
	gsize n_rows;
	gsize weight;
	guint n_arrays;
	LttArray *arrays;
	GArray *spares;      /* the memory of the arrays, */
	LttBufferPool *pool; /* and where it goes in the end */
	gint64 *places;      /* one of the spares; NULL: not selected */
};

/* ---- plans ---- */

static void free_plan(gpointer data)
{
	LttRowPlan *plan = data;

	if (plan == NULL)
		return;
	g_free(plan->builders);
	g_ptr_array_unref(plan->absent);
	g_free(plan->last);
	g_free(plan);
}

/* Returns: (transfer full): LttColumn -> LttBuilder */
static GHashTable *index_builders(const LttRows *rows)
{
	GHashTable *builders = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < rows->n_builders; i++)
		g_hash_table_insert(builders, (gpointer)rows->builders[i].column,
				    &rows->builders[i]);
	return builders;
}

static LttRowPlan *new_plan(const LttRows *rows, const LttTableVersion *version)
{
	g_autoptr(GHashTable) has = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) by_column = index_builders(rows);
	LttRowPlan *plan = g_new(LttRowPlan, 1);

	*plan = (LttRowPlan){
		.n_members = version->n_members,
		.builders = g_new(LttBuilder *, version->n_members),
		.absent = g_ptr_array_new(),
		.is_empty = TRUE,
		.last = g_new0(LttRowCost, 1),
	};
	for (guint i = 0; i < LTT_N_BASE_COLUMNS; i++) {
		g_hash_table_add(has, rows->base[i]);
		plan->row_bytes += rows->base[i] != NULL ? rows->base[i]->null_bytes : 0;
	}
	for (guint i = 0; i < version->n_members; i++) {
		plan->builders[i] = g_hash_table_lookup(
			by_column, ltt_table_get_column(rows->table, version->columns[i]));
		plan->is_empty = plan->is_empty && plan->builders[i] == NULL;
		g_hash_table_add(has, plan->builders[i]);
	}
	for (guint i = 0; i < rows->n_builders; i++) {
		if (g_hash_table_contains(has, &rows->builders[i]))
			continue;
		g_ptr_array_add(plan->absent, &rows->builders[i]);
		plan->row_bytes = ltt_cost_add(plan->row_bytes, rows->builders[i].null_bytes);
	}
	return plan;
}

const LttRowPlan *ltt_rows_find_plan(LttRows *rows, const LttEventType *type)
{
	const LttTableVersion *version;
	gpointer plan;

	if (!g_hash_table_lookup_extended(rows->plans, type, NULL, &plan)) {
		version = ltt_table_find_version(rows->table, type);
		plan = version != NULL ? new_plan(rows, version) : NULL;
		g_hash_table_insert(rows->plans, (gpointer)type, plan);
	}
	return plan;
}

LttRows *ltt_rows_new(const LttTable *table, LttBufferPool *pool, const guint *columns,
		      guint n_columns, gboolean with_places, gboolean with_numbers)
{
	LttRows *rows = g_new0(LttRows, 1);

	rows->table = ltt_table_ref(table);
	rows->pool = ltt_buffer_pool_ref(pool);
	rows->n_builders = n_columns;
	rows->builders = g_new(LttBuilder, n_columns);
	rows->plans = g_hash_table_new_full(NULL, NULL, NULL, free_plan);
	for (guint i = 0; i < n_columns; i++) {
		ltt_builder_init(&rows->builders[i], ltt_table_get_column(table, columns[i]),
				 rows->pool);
		if (with_numbers)
			ltt_builder_want_numbers(&rows->builders[i]);
		if (columns[i] < table->n_base)
			rows->base[columns[i]] = &rows->builders[i];
	}
	rows->wants_places = with_places;
	rows->places.pool = rows->pool;
	rows->wants_threads = rows->base[LTT_BASE_PID] != NULL || rows->base[LTT_BASE_TID] != NULL;
	return rows;
}

void ltt_rows_free(LttRows *rows)
{
	if (rows == NULL)
		return;
	for (guint i = 0; i < rows->n_builders; i++)
		ltt_builder_clear(&rows->builders[i]);
	g_free(rows->builders);
	g_free(rows->places.bytes);
	ltt_buffer_pool_unref(rows->pool);
	g_hash_table_unref(rows->plans);
	ltt_table_unref(rows->table);
	g_free(rows);
}

/* ---- the chunk ---- */

gint64 ltt_event_get_place(const LttEvent *event)
{
	return ((gint64)event->tracefile->index << LTT_PLACE_BITS) +
	       (gint64)(event->block * event->tracefile->block_bytes) + event->offset_bytes;
}

void ltt_rows_begin(LttRows *rows, const LttRowPlan *plan, const LttEvent *event,
		    const guint8 *limit)
{
	LttChunk *chunk = &rows->chunk;

	ltt_rows_settle(rows);
	chunk->plan = plan;
	chunk->layout = event->layout;
	chunk->limit = limit;
	chunk->byte_order = event->byte_order;
	chunk->cpu = ltt_tracefile_get_cpu(event->tracefile);
	chunk->member = ltt_trace_find_member(rows->table->trace, event->tracefile);
	chunk->host = event->tracefile->host;
	chunk->place = ltt_event_get_place(event);
	chunk->origin = event->payload;
}

/* ---- common columns ---- */

static void add_times(LttRows *rows, LttBuilder *builder)
{
	const gsize n_bytes = rows->chunk.n * sizeof(gint64);

	memcpy(ltt_buffer_add(&builder->values, n_bytes), rows->chunk.times_ns, n_bytes);
	ltt_builder_count(builder, rows->chunk.n);
}

static void add_cpu(LttRows *rows, LttBuilder *builder)
{
	gint32 *to;

	if (rows->chunk.cpu < 0) {
		ltt_builder_add_nulls(builder, rows->chunk.n);
		return;
	}
	to = (gint32 *)(gpointer)ltt_buffer_add(&builder->values, rows->chunk.n * sizeof(gint32));
	for (guint i = 0; i < rows->chunk.n; i++)
		to[i] = rows->chunk.cpu;
	ltt_builder_count(builder, rows->chunk.n);
}

/* Adds numbers for events with a known thread, and nulls for the others. */
static void add_threads(LttRows *rows, LttBuilder *builder, const guint32 *numbers)
{
	for (guint i = 0; i < rows->chunk.n;) {
		const gboolean is_known = rows->chunk.has_thread[i];
		guint end = i + 1;

		while (end < rows->chunk.n && rows->chunk.has_thread[end] == is_known)
			end++;
		if (is_known) {
			const gsize n_bytes = (end - i) * sizeof(guint32);

			memcpy(ltt_buffer_add(&builder->values, n_bytes), numbers + i, n_bytes);
			ltt_builder_count(builder, end - i);
		} else {
			ltt_builder_add_nulls(builder, end - i);
		}
		i = end;
	}
}

/* Adds a label for all events. */
static void add_label(LttRows *rows, LttBuilder *builder, gint64 number)
{
	const gsize n_bytes = rows->chunk.n * sizeof(gint32);
	gint32 *to = (gint32 *)(gpointer)ltt_buffer_add(&builder->values, n_bytes);

	for (guint i = 0; i < rows->chunk.n; i++)
		to[i] = (gint32)number;
	for (guint i = 0; builder->wants_numbers && i < rows->chunk.n; i++)
		memcpy(ltt_buffer_add(&builder->numbers, sizeof(number)), &number, sizeof(number));
	ltt_builder_count(builder, rows->chunk.n);
}

static void add_places(LttRows *rows)
{
	const LttChunk *chunk = &rows->chunk;
	gint64 *to = (gint64 *)(gpointer)ltt_buffer_add(&rows->places, chunk->n * sizeof(gint64));

	for (guint i = 0; i < chunk->n; i++)
		to[i] = chunk->place + (chunk->at[i] - chunk->origin);
}

static void add_base(LttRows *rows)
{
	if (rows->wants_places)
		add_places(rows);
	if (rows->base[LTT_BASE_TIME] != NULL)
		add_times(rows, rows->base[LTT_BASE_TIME]);
	if (rows->base[LTT_BASE_CPU] != NULL)
		add_cpu(rows, rows->base[LTT_BASE_CPU]);
	if (rows->base[LTT_BASE_PID] != NULL)
		add_threads(rows, rows->base[LTT_BASE_PID], rows->chunk.pids);
	if (rows->base[LTT_BASE_TID] != NULL)
		add_threads(rows, rows->base[LTT_BASE_TID], rows->chunk.tids);
	if (rows->base[LTT_BASE_TRACE] != NULL)
		add_label(rows, rows->base[LTT_BASE_TRACE],
			  rows->table->traces[rows->chunk.member]);
	if (rows->base[LTT_BASE_HOST] != NULL)
		add_label(rows, rows->base[LTT_BASE_HOST], rows->table->hosts[rows->chunk.host]);
}

/* ---- fields ---- */

static void add_fields(LttRows *rows)
{
	const LttRowPlan *plan = rows->chunk.plan;
	const LttPlaces places = {
		.layout = rows->chunk.layout,
		.at = rows->chunk.at,
		.n = rows->chunk.n,
		.byte_order = rows->chunk.byte_order,
		.limit = rows->chunk.limit,
	};

	for (guint i = 0; i < plan->absent->len; i++)
		ltt_builder_add_nulls(plan->absent->pdata[i], rows->chunk.n);
	if (plan->is_empty)
		return;
	if (rows->chunk.layout->kind == LTT_STRUCT)
		ltt_decode_members(plan->builders, &places, NULL);
	else
		ltt_decode(plan->builders[0], &places, NULL);
}

void ltt_rows_settle(LttRows *rows)
{
	if (rows->chunk.n == 0)
		return;
	add_base(rows);
	add_fields(rows);
	rows->n_rows += rows->chunk.n;
	rows->chunk.n = 0;
	rows->chunk.n_bytes = 0;
	rows->chunk.n_decoded = 0;
	rows->chunk.plan = NULL;
}

/* ---- batches ---- */

gsize ltt_rows_get_n(const LttRows *rows)
{
	return rows->n_rows;
}

gboolean ltt_rows_are_large(const LttRows *rows)
{
	gsize n_bytes = 0;

	for (guint i = 0; i < rows->n_builders; i++)
		n_bytes += ltt_builder_get_bytes(&rows->builders[i]);
	return n_bytes > LARGE_BYTES;
}

static gsize get_weight(const LttRows *rows)
{
	gsize weight = rows->places.length;

	for (guint i = 0; i < rows->n_builders; i++)
		weight += ltt_builder_get_weight(&rows->builders[i]);
	return weight;
}

gboolean ltt_rows_are_huge(const LttRows *rows)
{
	return get_weight(rows) > LTT_HUGE_BYTES;
}

LttBatch *ltt_rows_give(LttRows *rows)
{
	LttBatch *batch = g_new(LttBatch, 1);

	*batch = (LttBatch){
		.n_refs = 1,
		.table = ltt_table_ref(rows->table),
		.n_rows = rows->n_rows,
		.weight = get_weight(rows),
		.n_arrays = rows->n_builders,
		.arrays = g_new(LttArray, rows->n_builders),
		.spares = g_array_new(FALSE, FALSE, sizeof(LttSpare)),
		.pool = ltt_buffer_pool_ref(rows->pool),
	};
	for (guint i = 0; i < rows->n_builders; i++)
		ltt_builder_give(&rows->builders[i], &batch->arrays[i], batch->spares);
	if (rows->wants_places)
		batch->places = ltt_buffer_give(&rows->places, batch->spares);
	rows->n_rows = 0;
	rows->n_admitted = 0;
	return batch;
}

gsize ltt_batch_get_n_rows(const LttBatch *batch)
{
	return batch->n_rows;
}

gsize ltt_batch_get_weight(const LttBatch *batch)
{
	return batch->weight;
}

guint ltt_batch_get_n_arrays(const LttBatch *batch)
{
	return batch->n_arrays;
}

const LttArray *ltt_batch_get_array(const LttBatch *batch, guint index)
{
	return &batch->arrays[index];
}

const gint64 *ltt_batch_get_places(const LttBatch *batch)
{
	return batch->places;
}

LttBatch *ltt_batch_ref(LttBatch *batch)
{
	g_atomic_int_inc(&batch->n_refs);
	return batch;
}

void ltt_batch_unref(LttBatch *batch)
{
	if (batch == NULL || !g_atomic_int_dec_and_test(&batch->n_refs))
		return;
	for (guint i = 0; i < batch->n_arrays; i++)
		ltt_array_clear(&batch->arrays[i]);
	ltt_buffer_pool_give(batch->pool, batch->spares);
	ltt_buffer_pool_unref(batch->pool);
	g_array_unref(batch->spares);
	g_free(batch->arrays);
	ltt_table_unref(batch->table);
	g_free(batch);
}
