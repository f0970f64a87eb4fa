/* syncing.c - see syncing.h. */
#include "syncing.h"

#include "failure.h"
#include "work.h"

typedef struct Run {
	Work work;
	GPtrArray *problems; /* texts of damage, to warn of after the work */
} Run;

static gboolean on_progress(const LttProgress *progress, gpointer user_data)
{
	return work_on_progress(progress, &((Run *)user_data)->work);
}

static void on_problem(const LttProblem *problem, gpointer user_data)
{
	g_ptr_array_add(((Run *)user_data)->problems, ltt_problem_to_string(problem));
}

/* Returns: FALSE with an exception, if warnings are errors */
static gboolean warn_of(const GPtrArray *problems)
{
	for (guint i = 0; i < problems->len; i++) {
		if (!failure_warn(problems->pdata[i]))
			return FALSE;
	}
	return TRUE;
}

/* Returns: (transfer full) (nullable): NULL with an exception */
static GStrv copy_rules(PyObject *rules)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();

	for (Py_ssize_t i = 0; i < PyList_Size(rules); i++) {
		PyObject *item = PyList_GetItem(rules, i);
		const char *text = item != NULL ? ext_get_utf8(item) : NULL;

		if (text == NULL)
			return NULL;
		g_strv_builder_add(builder, text);
	}
	return g_strv_builder_end(builder);
}

LttSync *syncing_find(const GPtrArray *traces, PyObject *rules, double wander_ppm)
{
	g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) texts = copy_rules(rules);
	Run run = {.problems = problems};
	const LttSyncRequest request = {
		.traces = (LttTrace *const *)traces->pdata,
		.n_traces = traces->len,
		.rules = (const char *const *)texts,
		.wander_ppm = wander_ppm,
		.callbacks = {on_problem, on_progress, &run},
	};
	GError *error = NULL;
	LttSync *sync;

	if (texts == NULL)
		return NULL;
	work_begin(&run.work);
	sync = ltt_sync_new(&request, &error);
	work_end(&run.work);
	if (sync == NULL)
		failure_raise(error);
	else if (!warn_of(problems))
		g_clear_pointer(&sync, ltt_sync_free);
	return sync;
}

/* Returns: FALSE with LTT_ERROR_INVALID if a clock has no result */
static gboolean accept_all(const LttSync *sync, const GPtrArray *traces, GError **error)
{
	for (guint i = 0; i < traces->len; i++) {
		g_autofree char *reason =
			ltt_sync_dup_reason(sync, (LttTrace *const *)traces->pdata, i);

		if (reason == NULL)
			continue;
		g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID, "%s: sync: %s",
			    ltt_trace_get_path(traces->pdata[i]), reason);
		return FALSE;
	}
	return TRUE;
}

LttTrace *syncing_join(GPtrArray *traces, PyObject *rules)
{
	g_autoptr(LttSync) sync = syncing_find(traces, rules, 0);
	LttTrace *joined = NULL;
	GError *error = NULL;

	if (sync == NULL)
		return NULL;
	if (accept_all(sync, traces, &error)) {
		g_ptr_array_set_free_func(traces, NULL); /* the joined trace owns them */
		joined = ltt_trace_join_by_maps((LttTrace *const *)traces->pdata, traces->len,
						ltt_sync_get_maps(sync), &error);
	}
	if (joined == NULL)
		failure_raise(error);
	return joined;
}
