/* opening.c - see opening.h. */
#include "opening.h"

#include "failure.h"
#include "syncing.h"
#include "work.h"

/* ---- one trace ---- */

/* Says of a recording of another tool how to convert it. */
static void explain(const char *path, GError **error)
{
	const LttImportKind *kind = ltt_import_recognise(path);

	if (kind == NULL)
		return;
	g_clear_error(error);
	g_set_error(error, LTT_ERROR, LTT_ERROR_UNSUPPORTED,
		    "%s: is a %s recording, not a trace; convert it with `ltt import %s -o DIR`",
		    path, kind->name, path);
}

static LttTrace *open_path(const char *path)
{
	Work work;
	const LttTraceRequest request = {
		.path = path, .callbacks = {.on_progress = work_on_progress, .user_data = &work}};
	GError *error = NULL;
	LttTrace *trace;

	work_begin(&work);
	trace = ltt_trace_open_job(&request, &error);
	if (trace == NULL && !g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED))
		explain(path, &error);
	work_end(&work);
	if (trace == NULL)
		failure_raise(error);
	return trace;
}

gboolean opening_open_each(PyObject *paths, GPtrArray *traces)
{
	const Py_ssize_t n_paths = PySequence_Size(paths);

	for (Py_ssize_t i = 0; i < n_paths; i++) {
		PyObject *item = PySequence_GetItem(paths, i);
		PyObject *bytes = NULL;
		LttTrace *trace = NULL;

		if (item != NULL && PyUnicode_FSConverter(item, &bytes))
			trace = open_path(PyBytes_AsString(bytes));
		Py_XDECREF(item);
		Py_XDECREF(bytes);
		if (trace == NULL)
			return FALSE;
		g_ptr_array_add(traces, trace);
	}
	return n_paths >= 0;
}

/* ---- clocks of several ---- */

typedef struct Offset {
	gboolean is_given;
	gint64 ns;
} Offset;

/* Returns: FALSE with an exception */
static gboolean read_offsets(PyObject *dict, Offset *offsets, guint n_traces)
{
	Py_ssize_t place = 0;
	PyObject *key;
	PyObject *value;

	while (PyDict_Next(dict, &place, &key, &value)) {
		const size_t index = PyLong_AsSize_t(key);

		if (PyErr_Occurred() == NULL && index >= n_traces)
			PyErr_Format(PyExc_IndexError, "offsets: there is no trace %zu", index);
		if (PyErr_Occurred() == NULL)
			offsets[index] = (Offset){TRUE, PyLong_AsLongLong(value)};
		if (PyErr_Occurred() != NULL)
			return FALSE;
	}
	return TRUE;
}

static gboolean has_wall_times(LttTrace *trace, const Offset *offset)
{
	return offset->is_given || ltt_trace_has_wall_times(trace);
}

/* Finds the offset of a recording's clock. The best source is a trace of the same machine whose times
 * are not moved. */
static gboolean find_offset(const GPtrArray *traces, const Offset *offsets, guint index, gint64 *ns)
{
	for (guint i = 0; i < traces->len; i++) {
		if (i != index && !offsets[i].is_given &&
		    ltt_trace_find_clock_offset_beside(traces->pdata[index], traces->pdata[i], ns))
			return TRUE;
	}
	return ltt_trace_find_clock_offset(traces->pdata[index], ns);
}

/* Returns: FALSE with an exception, if warnings are errors */
static gboolean settle_clocks(const GPtrArray *traces, Offset *offsets)
{
	gboolean has_wall = FALSE;

	for (guint i = 0; i < traces->len; i++)
		has_wall = has_wall || has_wall_times(traces->pdata[i], &offsets[i]);
	for (guint i = 0; has_wall && i < traces->len; i++) {
		g_autofree char *text = NULL;

		if (has_wall_times(traces->pdata[i], &offsets[i]) ||
		    find_offset(traces, offsets, i, &offsets[i].ns))
			continue;
		text = g_strdup_printf(
			"%s: times are not wall-clock times, and the recording does not contain "
			"their offset; set it with offsets={%u: NS}",
			ltt_trace_get_path(traces->pdata[i]), i);
		if (!failure_warn(text))
			return FALSE;
	}
	return TRUE;
}

static LttTrace *join(GPtrArray *traces, const Offset *offsets)
{
	g_autofree gint64 *offsets_ns = g_new(gint64, traces->len);
	GError *error = NULL;
	LttTrace *joined;

	for (guint i = 0; i < traces->len; i++)
		offsets_ns[i] = offsets[i].ns;
	g_ptr_array_set_free_func(traces, NULL); /* the joined trace owns them */
	joined = ltt_trace_join((LttTrace *const *)traces->pdata, traces->len, offsets_ns, &error);
	if (joined == NULL)
		failure_raise(error);
	return joined;
}

/* Returns: (transfer full) (nullable): NULL with an exception */
static LttTrace *join_by_offsets(GPtrArray *traces, PyObject *offsets)
{
	g_autofree Offset *settled = NULL;

	settled = g_new0(Offset, traces->len);
	if (!read_offsets(offsets, settled, traces->len))
		return NULL;
	if (traces->len == 1 && !settled[0].is_given) {
		g_ptr_array_set_free_func(traces, NULL);
		return traces->pdata[0];
	}
	return settle_clocks(traces, settled) ? join(traces, settled) : NULL;
}

Core *opening_open(PyObject *paths, PyObject *offsets, PyObject *rules)
{
	g_autoptr(GPtrArray) traces =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_trace_free);
	LttTrace *trace;

	if (!opening_open_each(paths, traces))
		return NULL;
	if (traces->len == 0) {
		PyErr_SetString(PyExc_ValueError, "open() needs at least one path");
		return NULL;
	}
	trace = PyList_Size(rules) > 0 ? syncing_join(traces, rules)
				       : join_by_offsets(traces, offsets);
	return trace != NULL ? core_new(trace) : NULL;
}
