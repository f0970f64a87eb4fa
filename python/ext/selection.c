/* selection.c - see selection.h. */
#include "selection.h"

#include "failure.h"

typedef struct Texts {
	const char *globs;
	const char *start;
	const char *end;
	const char *filter;
	const char *cpus;
	int all;
} Texts;

static gboolean set_filter(LttSelect *select, const char *expression, GError **error)
{
	g_autoptr(LttFilter) filter = NULL;

	if (expression == NULL)
		return TRUE;
	filter = ltt_filter_new(expression, error);
	if (filter == NULL) {
		g_prefix_error(error, "filter: ");
		return FALSE;
	}
	ltt_select_set_filter(select, filter);
	return TRUE;
}

static gboolean apply(LttSelect *select, LttTrace *trace, const Texts *texts, GError **error)
{
	ltt_select_set_all(select, texts->all);
	if (texts->cpus != NULL && !ltt_select_set_cpus(select, texts->cpus, error)) {
		g_prefix_error(error, "cpus: ");
		return FALSE;
	}
	if (texts->globs != NULL && !ltt_select_set_events(select, texts->globs, error)) {
		g_prefix_error(error, "pattern: ");
		return FALSE;
	}
	if (!ltt_select_set_window_text(select, texts->start, texts->end, trace, error))
		return FALSE;
	return set_filter(select, texts->filter, error);
}

gboolean selection_warn_of(Core *core, const char *argument, GPtrArray *doubts)
{
	const guint n_doubts = core_is_quiet(core) ? 0 : doubts->len;
	gboolean goes_on = TRUE;

	for (guint i = 0; goes_on && i < n_doubts; i++) {
		const LttDoubt *doubt = doubts->pdata[i];
		g_autofree char *text =
			g_strdup_printf("%s: %s%s%s%s", argument, doubt->message,
					doubt->nearest != NULL ? "; did you mean " : "",
					doubt->nearest != NULL ? doubt->nearest : "",
					doubt->nearest != NULL ? "?" : "");

		goes_on = failure_warn_of_selection(text);
	}
	g_ptr_array_unref(doubts);
	return goes_on;
}

LttSelect *selection_new(Core *core, PyObject *selection)
{
	GError *error = NULL;
	LttSelect *select;
	Texts texts;

	if (!PyArg_ParseTuple(selection, "zzzzzp", &texts.globs, &texts.start, &texts.end,
			      &texts.filter, &texts.cpus, &texts.all))
		return NULL;
	select = ltt_select_new();
	if (!apply(select, core_get_trace(core), &texts, &error))
		failure_raise(error);
	else if (selection_warn_of(core, "pattern",
				   ltt_select_check_events(select, core_get_trace(core))) &&
		 selection_warn_of(core, "filter",
				   ltt_select_check_filter(select, core_get_trace(core))) &&
		 selection_warn_of(core, "cpus",
				   ltt_select_check_cpus(select, core_get_trace(core))))
		return select;
	ltt_select_free(select);
	return NULL;
}
