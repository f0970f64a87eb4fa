/* walk.c - see walk-priv.h. */
#include "sql/walk-priv.h"

#include <ltt/ltt-join.h>

#define RUN_ROWS 1024

/* Ends a run after this number of bytes of long values. */
#define RUN_BYTES (1024 * 1024)

/* The number of rows, which is not known before they are found. */
#define EXPECTED_ROWS 1e5

void ltt_sql_walk_add_origin_of(const LttSqlWalk *walk, LttSqlList *list,
				const LttTracefile *tracefile)
{
	ltt_sql_list_add_origin(list,
				ltt_trace_find_member(walk->base.source->env->trace, tracefile),
				ltt_tracefile_get_host(tracefile));
}

LttStep ltt_sql_walk_next(LttSqlStream *stream, LttSqlRun **run, GError **error)
{
	LttSqlWalk *walk = (LttSqlWalk *)stream;
	LttSqlList *list = ltt_sql_list_new(walk->columns, walk->n_columns);
	LttStep step = LTT_STEP_EVENT;
	gsize n_bytes = 0;
	guint n = 0;

	while (n < RUN_ROWS && n_bytes < RUN_BYTES) {
		GError *failure = NULL;

		step = walk->add(walk, list, &n_bytes, &failure);
		if (step == LTT_STEP_END ||
		    (step == LTT_STEP_ERROR &&
		     !ltt_sql_env_skip(stream->source->env, failure, error)))
			break;
		if (step == LTT_STEP_ERROR)
			walk->skip_block(walk);
		else
			n++;
	}
	if (step == LTT_STEP_ERROR || n == 0) {
		ltt_sql_list_free(list);
		return step;
	}
	*run = ltt_sql_list_finish(list);
	(*run)->first_id = walk->next_id;
	walk->next_id += n;
	return LTT_STEP_EVENT;
}

void ltt_sql_walk_free_source(LttSqlSource *source)
{
	g_free(source);
}

LttSqlTable *ltt_sql_walk_make_table(LttSqlEnv *env, const LttSqlSourceClass *class,
				     const char *name, const char *description,
				     const LttColumn *columns, guint n_columns,
				     gboolean is_function)
{
	LttSqlSource *source = g_new(LttSqlSource, 1);
	LttSqlTable *table;

	*source = (LttSqlSource){
		.class = class,
		.env = env,
		.n_roots = n_columns,
		.time_root = -1,
		.cpu_root = -1,
		.type_root = -1,
		.n_rows = EXPECTED_ROWS,
	};
	table = ltt_sql_table_new(name, description, source);
	for (guint i = 0; i < n_columns; i++)
		ltt_sql_table_add(table, &columns[i], i);
	ltt_sql_table_add_origin(table, is_function);
	return table;
}
