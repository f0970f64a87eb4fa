/* latency.c - see latency.h. */
#include "latency.h"

#include "distribution.h"
#include "failure.h"
#include "selection.h"
#include "trace.h"
#include "work.h"

#include <string.h>

static PyObject *list_groups(LttLatencySummary *summary)
{
	PyObject *list = PyList_New(0);

	for (guint i = 0; list != NULL && i < summary->n_groups; i++) {
		LttLatencyGroup *group = &summary->groups[i];

		if (!ext_append(list, Py_BuildValue("NN", ext_text_or_none(group->name),
						    distribution_new(
							    g_steal_pointer(&group->durations)))))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *describe_pair(const LttLatencyPair *pair)
{
	return Py_BuildValue(
		"KKNNNNNN", pair->begin_ns, pair->end_ns, ext_text_or_none(pair->key),
		ext_text_or_none(pair->group),
		ext_text_or_none(ltt_tracefile_get_name(pair->begin_tracefile)),
		ext_text_or_none(ltt_tracefile_get_name(pair->end_tracefile)),
		pair->has_thread ? PyLong_FromUnsignedLong(pair->pid) : Py_NewRef(Py_None),
		pair->has_thread ? PyLong_FromUnsignedLong(pair->tid) : Py_NewRef(Py_None));
}

static PyObject *list_longest(const LttLatencySummary *summary)
{
	PyObject *list = PyList_New(0);

	for (guint i = 0; list != NULL && i < summary->n_longest; i++) {
		if (!ext_append(list, describe_pair(&summary->longest[i])))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *describe_counts(const LttPairCounts *counts)
{
	return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:K}", "pairs", counts->n_pairs, "open",
			     counts->n_open, "lone_ends", counts->n_lone_ends, "without_key",
			     counts->n_without_key, "over_limit", counts->n_over_limit, "filtered",
			     counts->n_filtered, "early_ends", counts->n_early_ends);
}

/* (durations, counts, name of the key, groups, longest) */
static PyObject *describe(LttLatencySummary *summary)
{
	return Py_BuildValue("NNNNN", distribution_new(g_steal_pointer(&summary->durations)),
			     describe_counts(&summary->counts), ext_text_or_none(summary->key_name),
			     list_groups(summary), list_longest(summary));
}

static PyObject *measure(Core *core, LttLatencyRequest *request)
{
	g_auto(LttLatencySummary) summary = {0};
	GError *error = NULL;
	WorkOf of;
	gboolean ok;

	request->callbacks = work_begin_job(&of, core);
	ok = ltt_latency(request, &summary, &error);
	work_end(&of.work);
	if (!ok)
		return failure_raise(error);
	return core_warn(core) ? describe(&summary) : NULL;
}

PyObject *latency_get(PyObject *object, PyObject *arguments)
{
	Core *core = trace_get_core((Trace *)object);
	LttLatencyRequest request = {0};
	PyObject *selection;
	PyObject *result;

	if (core == NULL ||
	    !PyArg_ParseTuple(arguments, "sszzOO&", &request.pairs.begin, &request.pairs.end,
			      &request.pairs.by, &request.pairs.group, &selection, ext_take_guint,
			      &request.n_longest))
		return NULL;
	request.pairs.trace = core_get_trace(core);
	request.pairs.symbols = core_get_symbols(core);
	request.pairs.select = selection_new(core, selection);
	if (request.pairs.select == NULL)
		return NULL;
	core_ref(core); /* another thread may close the trace meanwhile */
	result = measure(core, &request);
	if (result != NULL && !selection_warn_of(core, "key", ltt_pairs_check(&request.pairs)))
		Py_CLEAR(result);
	ltt_select_free(request.pairs.select);
	core_unref(core);
	return result;
}
