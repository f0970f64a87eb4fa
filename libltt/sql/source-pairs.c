/* source-pairs.c - pairs('A', 'B', 'key'): pairs of events as a source of rows, in the order in
 * which they end. */
#include "sql/walk-priv.h"

#include <ltt/ltt-pair.h>
#include <ltt/ltt-print.h>

#include <string.h>

enum {
	TIME,
	DUR,
	KEY,
	PID,
	TID,
	CPU,
	END_PID,
	END_TID,
	END_CPU,
	DATA,
	END_DATA,
	N_COLUMNS,
};

static const LttColumn columns[N_COLUMNS] = {
	[TIME] = LTT_SQL_TIME_COLUMN("time"),
	[DUR] = LTT_SQL_INT_COLUMN("dur"),
	[KEY] = LTT_SQL_TEXT_COLUMN("key"),
	[PID] = LTT_SQL_INT_COLUMN("pid"),
	[TID] = LTT_SQL_INT_COLUMN("tid"),
	[CPU] = LTT_SQL_INT_COLUMN("cpu"),
	[END_PID] = LTT_SQL_INT_COLUMN("end_pid"),
	[END_TID] = LTT_SQL_INT_COLUMN("end_tid"),
	[END_CPU] = LTT_SQL_INT_COLUMN("end_cpu"),
	[DATA] = LTT_SQL_TEXT_COLUMN("data"),
	[END_DATA] = LTT_SQL_TEXT_COLUMN("end_data"),
};

static const char *const parameters[] = {"begin_type", "end_type", "by_key"};

typedef struct PairsStream {
	LttSqlWalk walk;
	LttPairs *pairs;
	LttPrinter *printer; /* to `data` */
	gboolean wants_data;
	gboolean wants_end_data;
	GString *data;
} PairsStream;

static gboolean append_data(const char *bytes, gsize length, gpointer data, GError **error)
{
	(void)error;
	ltt_sql_append_cut(data, 0, bytes, length);
	return TRUE;
}

static void close_stream(LttSqlStream *base)
{
	PairsStream *stream = (PairsStream *)base;

	ltt_pairs_free(stream->pairs);
	ltt_printer_free(stream->printer);
	g_string_free(stream->data, TRUE);
	g_free(stream);
}

static void add_thread(LttSqlList *list, const LttEvent *event)
{
	const gint cpu = ltt_tracefile_get_cpu(event->tracefile);

	if (event->has_thread) {
		ltt_sql_list_add_int(list, event->pid);
		ltt_sql_list_add_int(list, event->tid);
	} else {
		ltt_sql_list_add_null(list);
		ltt_sql_list_add_null(list);
	}
	if (cpu >= 0)
		ltt_sql_list_add_int(list, cpu);
	else
		ltt_sql_list_add_null(list);
}

static void add_data(LttSqlList *list, PairsStream *stream, const LttEvent *event,
		     gboolean is_wanted)
{
	g_string_truncate(stream->data, 0);
	if (is_wanted) {
		ltt_printer_data(stream->printer, event, NULL);
		ltt_printer_flush(stream->printer, NULL);
	}
	ltt_sql_list_add_text(list, stream->data->str);
}

/* Returns: the bytes of the key and of data */
static gsize add_pair(LttSqlList *list, PairsStream *stream, const LttPair *pair)
{
	g_autofree char *key =
		ltt_key_value_to_text(&pair->key, stream->walk.base.source->env->trace);
	gsize n_bytes;

	ltt_sql_walk_add_origin_of(&stream->walk, list, pair->begin->tracefile);
	ltt_sql_list_add_int(list, (gint64)pair->begin_ns);
	ltt_sql_list_add_int(list, (gint64)(pair->end_ns - pair->begin_ns));
	ltt_sql_list_add_text(list, key);
	add_thread(list, pair->begin);
	add_thread(list, pair->end);
	add_data(list, stream, pair->begin, stream->wants_data);
	n_bytes = (key != NULL ? strlen(key) : 0) + stream->data->len;
	add_data(list, stream, pair->end, stream->wants_end_data);
	return n_bytes + stream->data->len;
}

static void report_early_ends(const PairsStream *stream)
{
	g_autofree char *message = NULL;
	LttPairCounts counts;

	ltt_pairs_get_counts(stream->pairs, &counts);
	if (counts.n_early_ends == 0)
		return;
	message = g_strdup_printf("pairs that are left out because the end is earlier than the "
				  "begin: %" G_GUINT64_FORMAT,
				  counts.n_early_ends);
	ltt_sql_env_report(
		&(LttProblem){.block = LTT_NOWHERE, .byte = LTT_NOWHERE, .message = message},
		stream->walk.base.source->env);
}

static LttStep add_next(LttSqlWalk *walk, LttSqlList *list, gsize *n_bytes, GError **error)
{
	PairsStream *stream = (PairsStream *)walk;
	const LttPair *pair;
	const LttStep step = ltt_pairs_next(stream->pairs, &pair, error);

	if (step == LTT_STEP_EVENT)
		*n_bytes += add_pair(list, stream, pair);
	else if (step == LTT_STEP_END)
		report_early_ends(stream);
	return step;
}

static void skip_block(LttSqlWalk *walk)
{
	ltt_pairs_skip_block(((PairsStream *)walk)->pairs);
}

static LttSqlStream *open_stream(LttSqlSource *source, const LttSqlScan *scan, GError **error)
{
	const LttPairRequest request = {
		.trace = source->env->trace,
		.begin = scan->parameters[0],
		.end = scan->parameters[1],
		.by = scan->parameters[2],
		.keeps_begins = scan->is_wanted[DATA],
	};
	LttPairs *pairs;
	PairsStream *stream;

	if (request.begin == NULL || request.end == NULL) {
		g_set_error_literal(error, LTT_ERROR, LTT_ERROR_INVALID,
				    "pairs(): expected two event types and the field that both "
				    "have, as in pairs('http.request', 'http.response', 'id')");
		return NULL;
	}
	pairs = ltt_pairs_new(&request, error);
	if (pairs == NULL)
		return NULL;
	stream = g_new0(PairsStream, 1);
	stream->walk = (LttSqlWalk){.base.source = source,
				    .columns = columns,
				    .n_columns = N_COLUMNS,
				    .add = add_next,
				    .skip_block = skip_block};
	stream->pairs = pairs;
	ltt_pairs_set_callbacks(
		pairs, &(LttJobCallbacks){ltt_sql_env_report, ltt_sql_env_progress, source->env});
	stream->wants_data = scan->is_wanted[DATA];
	stream->wants_end_data = scan->is_wanted[END_DATA];
	stream->data = g_string_new(NULL);
	stream->printer = ltt_printer_new("json", request.trace, NULL, append_data, stream->data);
	return &stream->walk.base;
}

static const LttSqlSourceClass pairs_class = {open_stream, ltt_sql_walk_next, close_stream,
					      ltt_sql_walk_free_source};

LttSqlTable *ltt_sql_pairs_table(LttSqlEnv *env)
{
	LttSqlTable *table = ltt_sql_walk_make_table(
		env, &pairs_class, "pairs",
		"a function, pairs('BEGIN', 'END', 'FIELD'): pairs of events with "
		"the same value of a field, or of the same thread",
		columns, N_COLUMNS, TRUE);

	for (guint i = 0; i < G_N_ELEMENTS(parameters); i++)
		ltt_sql_table_add_parameter(table, parameters[i]);
	return table;
}
