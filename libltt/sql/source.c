/* source.c - functions that all kinds of sources share (source-priv.h). */
#include "sql/source-priv.h"

#include <ltt/ltt-join.h>

LttSqlRun *ltt_sql_run_new(gsize n_rows, guint n_roots, gpointer owner, GDestroyNotify free_owner)
{
	LttSqlRun *run = g_new(LttSqlRun, 1);

	*run = (LttSqlRun){
		.n_refs = 1,
		.n_rows = n_rows,
		.roots = g_new0(const LttArray *, n_roots),
		.owner = owner,
		.free_owner = free_owner,
	};
	return run;
}

LttSqlRun *ltt_sql_run_ref(LttSqlRun *run)
{
	run->n_refs++;
	return run;
}

void ltt_sql_run_unref(LttSqlRun *run)
{
	if (run == NULL || --run->n_refs > 0)
		return;
	if (run->free_owner != NULL)
		run->free_owner(run->owner);
	g_free(run->roots);
	g_free(run);
}

void ltt_sql_append_cut(GString *text, gsize start, const char *bytes, gsize length)
{
	const gsize room = start + LTT_MAX_SQL_VALUE_BYTES + 1 - text->len;

	g_string_append_len(text, bytes, (gssize)MIN(length, room));
}

gsize ltt_sql_array_get_bytes(const LttArray *array)
{
	gsize n_bytes = array->n_values * array->column->width_bytes;

	if (array->column->kind == LTT_COLUMN_ENUM)
		n_bytes = array->n_values * (sizeof(gint32) + sizeof(gint64));
	if (array->column->kind == LTT_COLUMN_FIXED_BYTES)
		n_bytes = array->n_values * array->column->n_elements;
	if (array->validity != NULL)
		n_bytes += array->n_values / 8;
	if (array->offsets != NULL)
		n_bytes += array->n_values * sizeof(gint32);
	if (array->offsets != NULL && array->values != NULL)
		n_bytes += (gsize)array->offsets[array->n_values];
	for (guint i = 0; i < array->n_children; i++)
		n_bytes += ltt_sql_array_get_bytes(&array->children[i]);
	return n_bytes;
}

gboolean ltt_sql_env_has_origins(const LttSqlEnv *env)
{
	return ltt_trace_get_n_members(env->trace) > 1 || ltt_trace_has_hosts(env->trace);
}

gboolean ltt_sql_env_goes_on(LttSqlEnv *env, GError **error)
{
	static const LttProgress unknown = {.unit = LTT_PROGRESS_EVENTS};

	if (env->callbacks.on_progress != NULL &&
	    !env->callbacks.on_progress(&unknown, env->callbacks.user_data))
		g_atomic_int_set(&env->is_cancelled, TRUE);
	if (!g_atomic_int_get(&env->is_cancelled))
		return TRUE;
	g_set_error_literal(error, LTT_ERROR, LTT_ERROR_CANCELLED, "the query was cancelled");
	return FALSE;
}

LttSelect *ltt_sql_scan_new_select(const LttSqlScan *scan, gboolean all, GError **error)
{
	g_autofree char *cpu = g_strdup_printf("%d", scan->cpu);
	LttSelect *select = ltt_select_new();

	ltt_select_set_all(select, all);
	if (scan->from_ns > 0 || scan->to_ns < G_MAXUINT64)
		ltt_select_set_window(select, scan->from_ns, scan->to_ns);
	if (scan->cpu < 0 || ltt_select_set_cpus(select, cpu, error))
		return select;
	ltt_select_free(select);
	return NULL;
}

void ltt_sql_env_report(const LttProblem *problem, gpointer data)
{
	LttSqlEnv *env = data;
	char *text = g_strdup_printf("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s",
				     problem->tracefile != NULL ? problem->tracefile : "",
				     problem->block, problem->byte, problem->message);

	if (g_hash_table_add(env->reported, text) && env->callbacks.on_problem != NULL)
		env->callbacks.on_problem(problem, env->callbacks.user_data);
}

gboolean ltt_sql_env_progress(const LttProgress *progress, gpointer env)
{
	(void)progress;
	return ltt_sql_env_goes_on(env, NULL);
}

gboolean ltt_sql_env_skip(LttSqlEnv *env, GError *failure, GError **error)
{
	LttProblem problem;

	if (g_error_matches(failure, LTT_ERROR, LTT_ERROR_CANCELLED)) {
		g_propagate_error(error, failure);
		return FALSE;
	}
	ltt_problem_from_error(failure, &problem);
	ltt_sql_env_report(&problem, env);
	g_error_free(failure);
	return TRUE;
}

gboolean ltt_sql_source_read(LttSqlSource *source, const LttSqlScan *scan, LttSqlRunFunc take,
			     gpointer user_data, GError **error)
{
	LttSqlStream *stream = source->class->open(source, scan, error);
	LttStep step = LTT_STEP_ERROR;
	LttSqlRun *run;

	if (stream == NULL)
		return FALSE;
	while ((step = source->class->next(stream, &run, error)) == LTT_STEP_EVENT) {
		const gboolean ok =
			take(run, user_data, error) && ltt_sql_env_goes_on(source->env, error);

		ltt_sql_run_unref(run);
		if (!ok) {
			step = LTT_STEP_ERROR;
			break;
		}
	}
	source->class->close(stream);
	return step == LTT_STEP_END;
}
