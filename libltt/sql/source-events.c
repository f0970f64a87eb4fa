/* source-events.c - all events of the trace as a source of rows, in merged order. */
#include "sql/source-priv.h"

#include <ltt/ltt-merge.h>
#include <ltt/ltt-print.h>

#include <string.h>

#define RUN_EVENTS 1024

/* Ends a run after this number of bytes of JSON. */
#define RUN_BYTES (1024 * 1024)

const LttColumn ltt_sql_events_columns[LTT_SQL_N_EVENTS_ROOTS] = {
	[LTT_SQL_EVENTS_TIME] = {.name = "time", .kind = LTT_COLUMN_TIME, .width_bytes = 8},
	[LTT_SQL_EVENTS_CPU] = {.name = "cpu", .kind = LTT_COLUMN_INT, .width_bytes = 4},
	[LTT_SQL_EVENTS_PID] = {.name = "pid", .kind = LTT_COLUMN_UINT, .width_bytes = 4},
	[LTT_SQL_EVENTS_TID] = {.name = "tid", .kind = LTT_COLUMN_UINT, .width_bytes = 4},
	[LTT_SQL_EVENTS_TYPE] = {.name = "type", .kind = LTT_COLUMN_ENUM},
	[LTT_SQL_EVENTS_DATA] = {.name = "data", .kind = LTT_COLUMN_STRING},
};

typedef struct EventsSource {
	LttSqlSource base;
	GHashTable *codes; /* LttEventType -> index of its name, plus 1 */
	GPtrArray *names;  /* names of the types so far; the trace owns them */
} EventsSource;

/* The arrays of a run. */
typedef struct EventsRun {
	LttArray arrays[LTT_SQL_N_EVENTS_ROOTS];
	gint64 times[RUN_EVENTS];
	gint64 places[RUN_EVENTS];
	gint32 cpus[RUN_EVENTS];
	guint32 pids[RUN_EVENTS];
	guint32 tids[RUN_EVENTS];
	gint32 types[RUN_EVENTS];
	gint32 offsets[RUN_EVENTS + 1];
	guint8 has_cpu[RUN_EVENTS / 8];
	guint8 has_thread[RUN_EVENTS / 8];
	GString *data;
	const char **names; /* copy of the source's */
} EventsRun;

typedef struct EventsStream {
	LttSqlStream base;
	LttSelect *select;
	LttMerge *merge;
	LttPrinter *printer; /* NULL: data is not wanted */
	GString *data;       /* of the run that is filled */
	gsize data_start;    /* of the event in it */
	gboolean all;
} EventsStream;

static gboolean append_data(const char *bytes, gsize length, gpointer stream, GError **error)
{
	const EventsStream *own = stream;

	(void)error;
	ltt_sql_append_cut(own->data, own->data_start, bytes, length);
	return TRUE;
}

static void close_stream(LttSqlStream *base)
{
	EventsStream *stream = (EventsStream *)base;

	stream->base.source->env->n_streams--;
	ltt_printer_free(stream->printer);
	ltt_merge_free(stream->merge);
	ltt_select_free(stream->select);
	g_free(stream);
}

/* SQLite tests a name that contains special characters of globs. */
static gboolean restrict_type(LttSelect *select, const char *type, GError **error)
{
	return type == NULL || type[strcspn(type, "*?[]\\,{}! ")] != '\0' || type[0] == '\0' ||
	       ltt_select_set_events(select, type, error);
}

static LttSqlStream *open_stream(LttSqlSource *base, const LttSqlScan *scan, GError **error)
{
	EventsStream *stream = g_new0(EventsStream, 1);

	stream->base.source = base;
	stream->all = base->env->all;
	base->env->n_streams++;
	stream->select = ltt_sql_scan_new_select(scan, stream->all, error);
	if (stream->select == NULL || !restrict_type(stream->select, scan->type, error)) {
		close_stream(&stream->base);
		return NULL;
	}
	stream->merge = ltt_merge_new(base->env->trace, stream->select);
	ltt_merge_set_callbacks(stream->merge, &(LttJobCallbacks){ltt_sql_env_report,
								  ltt_sql_env_progress, base->env});
	if (scan->is_wanted[LTT_SQL_EVENTS_DATA])
		stream->printer =
			ltt_printer_new("json", base->env->trace, NULL, append_data, stream);
	return &stream->base;
}

/* ---- runs ---- */

static void free_run(gpointer data)
{
	EventsRun *run = data;

	g_string_free(run->data, TRUE);
	g_free(run->names);
	g_free(run);
}

static gint32 find_code(EventsSource *source, const LttEventType *type)
{
	gpointer code = g_hash_table_lookup(source->codes, type);

	if (code == NULL) {
		g_ptr_array_add(source->names, type->full_name);
		code = GUINT_TO_POINTER(source->names->len);
		g_hash_table_insert(source->codes, (gpointer)type, code);
	}
	return GPOINTER_TO_INT(code) - 1;
}

static void set_bit(guint8 *bits, guint i, gboolean is_set)
{
	bits[i / 8] |= (guint8)((is_set ? 1 : 0) << (i % 8));
}

static void take_event(EventsStream *stream, EventsRun *run, guint i, const LttEvent *event)
{
	const gint cpu = ltt_tracefile_get_cpu(event->tracefile);

	run->times[i] = (gint64)event->time_ns;
	run->places[i] = ltt_event_get_place(event);
	run->cpus[i] = cpu;
	set_bit(run->has_cpu, i, cpu >= 0);
	run->pids[i] = event->pid;
	run->tids[i] = event->tid;
	set_bit(run->has_thread, i, event->has_thread);
	run->types[i] = find_code((EventsSource *)stream->base.source, event->type);
	if (stream->printer != NULL) {
		stream->data_start = run->data->len;
		ltt_printer_data(stream->printer, event, NULL);
		ltt_printer_flush(stream->printer, NULL);
	}
	run->offsets[i + 1] = (gint32)run->data->len;
}

static LttArray make_array(guint root, gsize n, gconstpointer values, const guint8 *validity)
{
	return (LttArray){
		.column = &ltt_sql_events_columns[root],
		.n_values = n,
		.validity = validity,
		.values = values,
	};
}

static LttSqlRun *finish_run(EventsStream *stream, EventsRun *run, guint n)
{
	EventsSource *source = (EventsSource *)stream->base.source;
	LttSqlRun *result = ltt_sql_run_new(n, LTT_SQL_N_EVENTS_ROOTS, run, free_run);
	LttArray *arrays = run->arrays;

	arrays[LTT_SQL_EVENTS_TIME] = make_array(LTT_SQL_EVENTS_TIME, n, run->times, NULL);
	arrays[LTT_SQL_EVENTS_CPU] = make_array(LTT_SQL_EVENTS_CPU, n, run->cpus, run->has_cpu);
	arrays[LTT_SQL_EVENTS_PID] = make_array(LTT_SQL_EVENTS_PID, n, run->pids, run->has_thread);
	arrays[LTT_SQL_EVENTS_TID] = make_array(LTT_SQL_EVENTS_TID, n, run->tids, run->has_thread);
	arrays[LTT_SQL_EVENTS_TYPE] = make_array(LTT_SQL_EVENTS_TYPE, n, run->types, NULL);
	arrays[LTT_SQL_EVENTS_DATA] = make_array(LTT_SQL_EVENTS_DATA, n, run->data->str, NULL);
	arrays[LTT_SQL_EVENTS_DATA].offsets = run->offsets;
	run->names = g_memdup2(source->names->pdata, source->names->len * sizeof(char *));
	arrays[LTT_SQL_EVENTS_TYPE].texts = run->names;
	arrays[LTT_SQL_EVENTS_TYPE].n_texts = source->names->len;
	result->places = run->places;
	result->n_bytes = sizeof(EventsRun) + run->data->allocated_len;
	for (guint i = 0; i < LTT_SQL_N_EVENTS_ROOTS; i++)
		result->roots[i] = &arrays[i];
	return result;
}

/* Returns: the step that ended the run */
static LttStep fill(EventsStream *stream, EventsRun *run, guint *n, GError **error)
{
	LttSqlEnv *env = stream->base.source->env;

	while (*n < RUN_EVENTS && run->data->len < RUN_BYTES) {
		GError *failure = NULL;
		const LttEvent *event;
		LttStep step;

		step = ltt_merge_next(stream->merge, &event, &failure);
		if (step == LTT_STEP_END)
			return step;
		if (step == LTT_STEP_ERROR) {
			if (!ltt_sql_env_skip(env, failure, error))
				return step;
			ltt_merge_skip_block(stream->merge);
			continue;
		}
		/* Selection by name also selects hidden events. */
		if (stream->all || !ltt_event_is_hidden(event))
			take_event(stream, run, (*n)++, event);
	}
	return LTT_STEP_EVENT;
}

static LttStep next_run(LttSqlStream *base, LttSqlRun **result, GError **error)
{
	EventsStream *stream = (EventsStream *)base;
	EventsRun *run = g_new0(EventsRun, 1);
	guint n = 0;
	LttStep step;

	run->data = g_string_new(NULL);
	stream->data = run->data;
	step = fill(stream, run, &n, error);
	if (step == LTT_STEP_ERROR || n == 0) {
		free_run(run);
		return step;
	}
	*result = finish_run(stream, run, n);
	return LTT_STEP_EVENT;
}

static void free_source(LttSqlSource *base)
{
	EventsSource *source = (EventsSource *)base;

	g_hash_table_unref(source->codes);
	g_ptr_array_unref(source->names);
	g_free(source);
}

static const LttSqlSourceClass events_class = {open_stream, next_run, close_stream, free_source};

LttSqlSource *ltt_sql_source_events(LttSqlEnv *env)
{
	EventsSource *source = g_new(EventsSource, 1);

	*source = (EventsSource){
		.base = {.class = &events_class,
			 .env = env,
			 .n_roots = LTT_SQL_N_EVENTS_ROOTS,
			 .time_root = LTT_SQL_EVENTS_TIME,
			 .cpu_root = LTT_SQL_EVENTS_CPU,
			 .type_root = LTT_SQL_EVENTS_TYPE,
			 .has_places = TRUE,
			 .is_ordered = TRUE,
			 .can_group = env->is_small,
			 .n_rows = 1e7},
		.codes = g_hash_table_new(NULL, NULL),
		.names = g_ptr_array_new(),
	};
	return &source->base;
}
