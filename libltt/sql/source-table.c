/* source-table.c - the events of a type as a source of rows: its columns are those of the LttTable. */
#include "sql/source-priv.h"

typedef struct TableSource {
	LttSqlSource base;
	const LttTable *table;
} TableSource;

typedef struct TableStream {
	LttSqlStream base;
	LttSelect *select;
	GPtrArray *names; /* of the columns that are read, then NULL */
	GArray *roots;    /* of guint: the indices of these columns */
	LttTableReader *reader;
} TableStream;

static void close_stream(LttSqlStream *base)
{
	TableStream *stream = (TableStream *)base;

	stream->base.source->env->n_streams--;
	ltt_table_reader_free(stream->reader);
	ltt_select_free(stream->select);
	g_ptr_array_unref(stream->names);
	g_array_unref(stream->roots);
	g_free(stream);
}

/* Several reads may be open in one query. Only the first one uses threads. */
static LttSqlStream *open_stream(LttSqlSource *base, const LttSqlScan *scan, GError **error)
{
	TableSource *source = (TableSource *)base;
	TableStream *stream = g_new0(TableStream, 1);
	const gboolean is_alone = base->env->n_streams++ == 0 && !scan->is_single;
	LttTableRequest request = {
		.table = source->table,
		.is_ordered = scan->is_ordered,
		.n_threads = is_alone ? base->env->n_threads : 1,
		.with_places = scan->wants_places,
		.with_numbers = TRUE,
		.callbacks = {ltt_sql_env_report, ltt_sql_env_progress, base->env},
	};

	stream->base.source = base;
	stream->select = ltt_sql_scan_new_select(scan, TRUE, error);
	stream->names = g_ptr_array_new();
	stream->roots = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < base->n_roots; i++) {
		if (!scan->is_wanted[i])
			continue;
		g_ptr_array_add(stream->names,
				(gpointer)ltt_table_get_column(source->table, i)->name);
		g_array_append_val(stream->roots, i);
	}
	g_ptr_array_add(stream->names, NULL);
	request.columns = (const char *const *)stream->names->pdata;
	request.select = stream->select;
	if (stream->select != NULL)
		stream->reader = ltt_table_read(&request, error);
	if (stream->reader != NULL)
		return &stream->base;
	close_stream(&stream->base);
	return NULL;
}

static LttStep next_run(LttSqlStream *base, LttSqlRun **run, GError **error)
{
	TableStream *stream = (TableStream *)base;
	LttBatch *batch;
	const LttStep step = ltt_table_reader_next(stream->reader, &batch, error);

	if (step != LTT_STEP_EVENT)
		return step;
	*run = ltt_sql_run_new(ltt_batch_get_n_rows(batch), base->source->n_roots, batch,
			       (GDestroyNotify)ltt_batch_unref);
	(*run)->places = ltt_batch_get_places(batch);
	(*run)->n_bytes = (*run)->places != NULL ? (*run)->n_rows * sizeof(gint64) : 0;
	for (guint i = 0; i < stream->roots->len; i++) {
		const LttArray *array = ltt_batch_get_array(batch, i);

		(*run)->roots[g_array_index(stream->roots, guint, i)] = array;
		(*run)->n_bytes += ltt_sql_array_get_bytes(array);
	}
	return LTT_STEP_EVENT;
}

static void free_source(LttSqlSource *source)
{
	g_free(source);
}

static const LttSqlSourceClass table_class = {open_stream, next_run, close_stream, free_source};

LttSqlSource *ltt_sql_source_table(LttSqlEnv *env, const LttTable *table)
{
	TableSource *source = g_new(TableSource, 1);

	*source = (TableSource){
		.base = {.class = &table_class,
			 .env = env,
			 .n_roots = ltt_table_get_n_columns(table),
			 .time_root = ltt_table_find_column(table, "time"),
			 .cpu_root = ltt_table_find_column(table, "cpu"),
			 .pid_root = ltt_table_find_column(table, "pid"),
			 .type_root = -1,
			 .has_places = TRUE,
			 .is_ordered = TRUE,
			 .can_group = env->is_small,
			 .n_rows = 1e6},
		.table = table,
	};
	return &source->base;
}

const char *ltt_sql_source_table_get_name(const LttSqlSource *source)
{
	return ltt_table_get_name(((const TableSource *)source)->table);
}
