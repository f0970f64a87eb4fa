/* sync-report.c - see sync-report.h. The keys are those of `ltt sync --json`. */
#include "sync-report.h"

#include "failure.h"
#include "opening.h"
#include "syncing.h"

#include <string.h>

#define MOST_WANDER_PPM 1000

/* Adds what is known of a clock with a map. */
static gboolean add_result(PyObject *dict, const LttSyncClock *clock)
{
	return ext_set(dict, "by", PyLong_FromUnsignedLong(clock->parent + 1)) &&
	       ext_set(dict, "offset_ns", PyLong_FromLongLong(clock->offset_ns)) &&
	       ext_set(dict, "rate_ppm", PyFloat_FromDouble(clock->rate_ppm)) &&
	       ext_set(dict, "bound_ns", PyLong_FromUnsignedLongLong(clock->bound_ns)) &&
	       ext_set(dict, "bends", PyLong_FromUnsignedLong(clock->n_bends)) &&
	       ext_set(dict, "wander_ppm", PyFloat_FromDouble(clock->wander_ppm));
}

static PyObject *describe_clock(const LttSync *sync, const GPtrArray *traces, guint index)
{
	const LttSyncClock *clock = ltt_sync_get_clock(sync, index);
	const char *path = ltt_trace_get_path(traces->pdata[index]);
	PyObject *dict = Py_BuildValue("{s:N,s:s}", "trace", ext_text(path, strlen(path)), "state",
				       ltt_sync_state_name(clock->state));

	if (dict != NULL && ltt_sync_get_maps(sync)[index] != NULL && !add_result(dict, clock))
		Py_CLEAR(dict);
	if (dict != NULL && clock->has_claim &&
	    !ext_set(dict, "ntp_bound_ns", PyLong_FromUnsignedLongLong(clock->claim_ns)))
		Py_CLEAR(dict);
	return dict;
}

static PyObject *list_clocks(const LttSync *sync, const GPtrArray *traces)
{
	PyObject *list = PyList_New(0);

	for (guint i = 0; list != NULL && i < traces->len; i++) {
		if (!ext_append(list, describe_clock(sync, traces, i)))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *describe_pair(const LttSyncPair *pair)
{
	PyObject *bound = pair->state == LTT_SYNC_FOUND
				  ? PyLong_FromUnsignedLongLong(pair->bound_ns)
				  : Py_NewRef(Py_None);

	return Py_BuildValue("{s:I,s:I,s:K,s:K,s:N}", "first", pair->first + 1, "second",
			     pair->second + 1, "to_second", pair->n_to_second, "to_first",
			     pair->n_to_first, "bound_ns", bound);
}

static PyObject *list_pairs(const LttSync *sync)
{
	const GArray *pairs = ltt_sync_get_pairs(sync);
	PyObject *list = PyList_New(0);

	for (guint i = 0; list != NULL && i < pairs->len; i++) {
		if (!ext_append(list, describe_pair(&g_array_index(pairs, LttSyncPair, i))))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *describe(const LttSync *sync, const GPtrArray *traces)
{
	LttSyncCounts counts;

	ltt_sync_get_counts(sync, &counts);
	return Py_BuildValue("{s:N,s:N,s:K,s:K,s:K,s:K,s:K,s:K}", "clocks",
			     list_clocks(sync, traces), "pairs", list_pairs(sync), "messages",
			     counts.n_messages, "sends", counts.n_sends, "receives",
			     counts.n_receives, "repeated", counts.n_repeated, "ambiguous",
			     counts.n_ambiguous, "without_id", counts.n_without_id);
}

/* Returns: FALSE with an exception, if warnings are errors */
static gboolean warn_of_reasons(const LttSync *sync, const GPtrArray *traces)
{
	for (guint i = 0; i < traces->len; i++) {
		g_autofree char *reason =
			ltt_sync_dup_reason(sync, (LttTrace *const *)traces->pdata, i);
		g_autofree char *text =
			g_strdup_printf("%s: %s", ltt_trace_get_path(traces->pdata[i]),
					reason != NULL ? reason : "");

		if (reason != NULL && !failure_warn(text))
			return FALSE;
	}
	return TRUE;
}

PyObject *syncing_report(PyObject *module, PyObject *arguments)
{
	g_autoptr(GPtrArray) traces =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_trace_free);
	g_autoptr(LttSync) sync = NULL;
	PyObject *paths;
	PyObject *rules;
	double wander_ppm;

	(void)module;
	if (!PyArg_ParseTuple(arguments, "OO!d:sync", &paths, &PyList_Type, &rules, &wander_ppm) ||
	    !opening_open_each(paths, traces))
		return NULL;
	if (traces->len < 2 || PyList_Size(rules) == 0) {
		PyErr_SetString(PyExc_ValueError, "sync() needs two traces or more, and a rule");
		return NULL;
	}
	if (!(wander_ppm >= 0 && wander_ppm <= MOST_WANDER_PPM)) {
		PyErr_Format(PyExc_ValueError, "wander_ppm: expected a number from 0 to %d",
			     MOST_WANDER_PPM);
		return NULL;
	}
	sync = syncing_find(traces, rules, wander_ppm);
	if (sync == NULL || !warn_of_reasons(sync, traces))
		return NULL;
	return describe(sync, traces);
}
