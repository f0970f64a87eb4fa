/* stat.c - see stat.h. The keys are those of `ltt stat --json`; times are integers of nanoseconds. */
#include "stat.h"

#include "conversions.h"
#include "failure.h"
#include "info.h"
#include "selection.h"
#include "trace.h"
#include "work.h"

#include <string.h>

typedef struct Source {
	const LttStatSummary *stat;
	const LttTrace *trace;
} Source;

/* ---- entries of lists ---- */

/* Adds what all entries have. @dict: (nullable): NULL if making it failed. Returns: @dict */
static PyObject *with_count(PyObject *dict, const LttStatCount *count)
{
	const gboolean has_events = count->n_events > 0;

	if (dict != NULL &&
	    !(ext_set(dict, "events", PyLong_FromUnsignedLongLong(count->n_events)) &&
	      ext_set(dict, "bytes", PyLong_FromUnsignedLongLong(count->n_bytes)) &&
	      info_set_time(dict, "first", has_events, count->first_ns) &&
	      info_set_time(dict, "last", has_events, count->last_ns)))
		Py_CLEAR(dict);
	return dict;
}

/* Adds the machine, if there are several. @dict: (nullable). Returns: @dict */
static PyObject *with_host(PyObject *dict, const Source *source, guint host)
{
	if (dict != NULL && !info_set_host(dict, source->trace, host))
		Py_CLEAR(dict);
	return dict;
}

static PyObject *get_type(const Source *source, guint i)
{
	const LttStatCount *type = &source->stat->types[i];

	return with_count(Py_BuildValue("{s:N}", "name", ext_text_or_none(type->name)), type);
}

static PyObject *get_tracefile(const Source *source, guint i)
{
	const LttStatTracefile *file = &source->stat->tracefiles[i];
	PyObject *dict =
		with_count(Py_BuildValue("{s:N,s:K}", "name", ext_text_or_none(file->count.name),
					 "lost", file->n_lost),
			   &file->count);

	dict = with_host(dict, source, file->host);
	if (dict != NULL &&
	    !(info_set_time(dict, "longest_gap", file->gap_ns > 0, file->gap_ns) &&
	      info_set_time(dict, "gap_start", file->gap_ns > 0, file->gap_start_ns)))
		Py_CLEAR(dict);
	return dict;
}

static PyObject *get_process(const Source *source, guint i)
{
	const LttStatProcess *process = &source->stat->processes[i];
	PyObject *dict = Py_BuildValue("{s:I,s:N}", "pid", process->pid, "name",
				       ext_text_or_none(process->count.name));

	return with_host(with_count(dict, &process->count), source, process->host);
}

static PyObject *get_thread(const Source *source, guint i)
{
	const LttStatThread *thread = &source->stat->threads[i];
	PyObject *dict = Py_BuildValue("{s:I,s:I,s:N}", "pid", thread->pid, "tid", thread->tid,
				       "name", ext_text_or_none(thread->count.name));

	return with_host(with_count(dict, &thread->count), source, thread->host);
}

static PyObject *get_window(const Source *source, guint i)
{
	const LttStatWindow *window = &source->stat->windows[i];

	return with_count(Py_BuildValue("{s:K}", "start", window->start_ns), &window->count);
}

static PyObject *make_list(const Source *source, guint n_items,
			   PyObject *(*get)(const Source *, guint))
{
	PyObject *list = PyList_New(0);

	for (guint i = 0; list != NULL && i < n_items; i++) {
		if (!ext_append(list, get(source, i)))
			Py_CLEAR(list);
	}
	return list;
}

/* ---- counts by name ---- */

static PyObject *count_types(const LttStatSummary *stat)
{
	PyObject *dict = PyDict_New();

	for (guint i = 0; dict != NULL && i < stat->n_types; i++) {
		if (!ext_set(dict, stat->types[i].name,
			     PyLong_FromUnsignedLongLong(stat->types[i].n_events)))
			Py_CLEAR(dict);
	}
	return dict;
}

/* Adds to a count; several tracefiles, or processes of machines of one name, may have the same key.
 * Returns: FALSE with an exception */
static gboolean add_count(PyObject *dict, const char *key, guint64 n)
{
	PyObject *name = ext_text_or_none(key);
	PyObject *before = name != NULL ? PyDict_GetItemWithError(dict, name) : NULL; /* borrowed */

	Py_XDECREF(name);
	if (before != NULL)
		n += PyLong_AsUnsignedLongLong(before);
	return ext_set(dict, key, PyLong_FromUnsignedLongLong(n));
}

static PyObject *count_tracefiles(const LttStatSummary *stat)
{
	PyObject *dict = PyDict_New();

	for (guint i = 0; dict != NULL && i < stat->n_tracefiles; i++) {
		const LttStatCount *count = &stat->tracefiles[i].count;

		if (count->n_events > 0 && !add_count(dict, count->name, count->n_events))
			Py_CLEAR(dict);
	}
	return dict;
}

static PyObject *count_processes(const Source *source)
{
	PyObject *dict = PyDict_New();

	for (guint i = 0; dict != NULL && i < source->stat->n_processes; i++) {
		const LttStatProcess *process = &source->stat->processes[i];
		g_autofree char *key =
			ltt_trace_has_hosts(source->trace)
				? g_strdup_printf("%s/%u",
						  ltt_trace_get_host(source->trace, process->host),
						  process->pid)
				: g_strdup_printf("%u", process->pid);

		if (!add_count(dict, key, process->count.n_events))
			Py_CLEAR(dict);
	}
	return dict;
}

/* ---- all ---- */

/* Returns: FALSE with an exception */
static gboolean add_threads(PyObject *dict, const Source *source)
{
	const LttStatSummary *stat = source->stat;

	return ext_set(dict, "by_process", count_processes(source)) &&
	       ext_set(dict, "no_process",
		       PyLong_FromUnsignedLongLong(stat->no_process.n_events)) &&
	       ext_set(dict, "processes", make_list(source, stat->n_processes, get_process)) &&
	       ext_set(dict, "threads", make_list(source, stat->n_threads, get_thread));
}

static gboolean add_no_threads(PyObject *dict)
{
	return PyDict_SetItemString(dict, "by_process", Py_None) == 0 &&
	       PyDict_SetItemString(dict, "no_process", Py_None) == 0 &&
	       PyDict_SetItemString(dict, "processes", Py_None) == 0 &&
	       PyDict_SetItemString(dict, "threads", Py_None) == 0;
}

static PyObject *describe(const Source *source, guint64 interval_ns)
{
	const LttStatSummary *stat = source->stat;
	const gboolean has_threads = ltt_trace_has_threads(source->trace);
	const gboolean has_windows = interval_ns > 0;
	PyObject *dict = with_count(PyDict_New(), &stat->total);
	PyObject *lost = info_get_losses(stat->losses);

	if (dict != NULL &&
	    !(ext_set(dict, "by_event", count_types(stat)) &&
	      ext_set(dict, "by_tracefile", count_tracefiles(stat)) &&
	      ext_set(dict, "lost", PyLong_FromUnsignedLongLong(stat->n_lost)) && lost != NULL &&
	      PyDict_Update(dict, lost) == 0 &&
	      ext_set(dict, "types", make_list(source, stat->n_types, get_type)) &&
	      ext_set(dict, "tracefiles", make_list(source, stat->n_tracefiles, get_tracefile)) &&
	      (has_threads ? add_threads(dict, source) : add_no_threads(dict)) &&
	      info_set_time(dict, "interval", has_windows, interval_ns) &&
	      ext_set(dict, "windows",
		      has_windows ? make_list(source, stat->n_windows, get_window)
				  : Py_NewRef(Py_None))))
		Py_CLEAR(dict);
	Py_XDECREF(lost);
	return dict;
}

/* Adds what the summary does not have. @dict: (transfer full) (nullable) */
static PyObject *add_conversions(PyObject *dict, const LttTrace *trace)
{
	if (dict != NULL && !ext_set(dict, "conversions", conversions_list(trace)))
		Py_CLEAR(dict);
	return dict;
}

static PyObject *count(Core *core, LttStatRequest *request)
{
	g_auto(LttStatSummary) summary = {0};
	const Source source = {&summary, request->trace};
	GError *error = NULL;
	WorkOf of;
	gboolean ok;

	request->callbacks = work_begin_job(&of, core);
	ok = ltt_stat(request, &summary, &error);
	work_end(&of.work);
	if (!ok)
		return failure_raise(error);
	if (!core_warn(core))
		return NULL;
	return add_conversions(describe(&source, request->interval_ns), request->trace);
}

PyObject *stat_get(PyObject *object, PyObject *arguments)
{
	Core *core = trace_get_core((Trace *)object);
	LttStatRequest request = {0};
	PyObject *selection;
	LttSelect *select;
	PyObject *result;

	if (core == NULL ||
	    !PyArg_ParseTuple(arguments, "OO&O&", &selection, ext_take_guint64,
			      &request.interval_ns, ext_take_guint, &request.n_threads))
		return NULL;
	select = selection_new(core, selection);
	if (select == NULL)
		return NULL;
	request.trace = core_get_trace(core);
	request.select = select;
	core_ref(core); /* another thread may close the trace meanwhile */
	result = count(core, &request);
	core_unref(core);
	ltt_select_free(select);
	return result;
}
