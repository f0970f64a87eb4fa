/* source-spans.c - the spans of a trace as a source of rows, in the order in which they end. */
#include "sql/walk-priv.h"

#include <ltt/ltt-span.h>

enum {
	TIME,
	DUR,
	PID,
	TID,
	DEPTH,
	ID,
	PARENT,
	NAME,
	KEY,
	STATE,
	ARGS,
	N_COLUMNS,
};

static const char *const states[] = {
	[LTT_SPAN_FINISHED] = "finished",
	[LTT_SPAN_CUT] = "cut",
	[LTT_SPAN_OPEN] = "open",
};

static const LttColumn columns[N_COLUMNS] = {
	[TIME] = LTT_SQL_TIME_COLUMN("time"),    [DUR] = LTT_SQL_INT_COLUMN("dur"),
	[PID] = LTT_SQL_INT_COLUMN("pid"),       [TID] = LTT_SQL_INT_COLUMN("tid"),
	[DEPTH] = LTT_SQL_INT_COLUMN("depth"),   [ID] = LTT_SQL_INT_COLUMN("id"),
	[PARENT] = LTT_SQL_INT_COLUMN("parent"), [NAME] = LTT_SQL_TEXT_COLUMN("name"),
	[KEY] = LTT_SQL_TEXT_COLUMN("key"),      [STATE] = LTT_SQL_WORD_COLUMN("state", states),
	[ARGS] = LTT_SQL_TEXT_COLUMN("args"),
};

typedef struct SpansStream {
	LttSqlWalk walk;
	LttSpans *spans;
	gboolean wants_args;
	GString *args;
} SpansStream;

static void close_stream(LttSqlStream *base)
{
	SpansStream *stream = (SpansStream *)base;

	ltt_spans_free(stream->spans);
	g_string_free(stream->args, TRUE);
	g_free(stream);
}

static void add_id(LttSqlList *list, gboolean has_id, guint64 id)
{
	if (has_id)
		ltt_sql_list_add_int(list, (gint64)id);
	else
		ltt_sql_list_add_null(list);
}

static void add_key(LttSqlList *list, const SpansStream *stream, const LttSpan *span)
{
	g_autofree char *key = NULL;

	if (span->is_async)
		key = ltt_key_value_to_text(&span->key, stream->walk.base.source->env->trace);
	ltt_sql_list_add_text(list, key);
}

static void add_args(LttSqlList *list, SpansStream *stream, const LttSpan *span)
{
	g_string_truncate(stream->args, 0);
	if (stream->wants_args)
		ltt_span_append_args(stream->spans, span, stream->args);
	ltt_sql_list_add_text(list, stream->args->str);
}

static void add_span(LttSqlList *list, SpansStream *stream, const LttSpan *span)
{
	ltt_sql_walk_add_origin_of(&stream->walk, list, span->begin->tracefile);
	ltt_sql_list_add_int(list, (gint64)span->begin_ns);
	ltt_sql_list_add_int(list, (gint64)(span->end_ns - span->begin_ns));
	add_id(list, span->begin->has_thread, span->begin->pid);
	add_id(list, span->begin->has_thread, span->begin->tid);
	add_id(list, !span->is_async, span->depth);
	ltt_sql_list_add_int(list, (gint64)span->id);
	add_id(list, span->parent != 0, span->parent);
	ltt_sql_list_add_text(list, span->name);
	add_key(list, stream, span);
	ltt_sql_list_add_text(list, states[span->outcome]);
	add_args(list, stream, span);
}

static LttStep add_next(LttSqlWalk *walk, LttSqlList *list, gsize *n_bytes, GError **error)
{
	SpansStream *stream = (SpansStream *)walk;
	const LttSpan *span;
	const LttStep step = ltt_spans_next(stream->spans, &span, error);

	if (step == LTT_STEP_EVENT) {
		add_span(list, stream, span);
		*n_bytes += stream->args->len;
	}
	return step;
}

static void skip_block(LttSqlWalk *walk)
{
	ltt_spans_skip_block(((SpansStream *)walk)->spans);
}

static LttSqlStream *open_stream(LttSqlSource *source, const LttSqlScan *scan, GError **error)
{
	SpansStream *stream = g_new0(SpansStream, 1);

	(void)error;
	stream->walk = (LttSqlWalk){.base.source = source,
				    .columns = columns,
				    .n_columns = N_COLUMNS,
				    .add = add_next,
				    .skip_block = skip_block};
	stream->spans = ltt_spans_new(source->env->trace, NULL);
	ltt_spans_set_symbols(stream->spans, source->env->symbols);
	ltt_spans_set_callbacks(
		stream->spans,
		&(LttJobCallbacks){ltt_sql_env_report, ltt_sql_env_progress, source->env});
	stream->wants_args = scan->is_wanted[ARGS];
	stream->args = g_string_new(NULL);
	return &stream->walk.base;
}

static const LttSqlSourceClass spans_class = {open_stream, ltt_sql_walk_next, close_stream,
					      ltt_sql_walk_free_source};

LttSqlTable *ltt_sql_spans_table(LttSqlEnv *env)
{
	return ltt_sql_walk_make_table(
		env, &spans_class, "spans",
		"stretches of time that events begin and end (ltt-span.h); an open one ends "
		"with the last event of its trace",
		columns, N_COLUMNS, FALSE);
}
