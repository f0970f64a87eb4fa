/* trace-type.c - see trace-type.h. */
#include "trace-type.h"

#include "batches.h"
#include "events.h"
#include "info.h"
#include "latency.h"
#include "opening.h"
#include "query.h"
#include "spans.h"
#include "stat.h"
#include "stream.h"
#include "trace.h"
#include "work.h"

/* ---- opening and closing ---- */

static PyObject *new (PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
	PyObject *paths;
	PyObject *offsets;
	PyObject *rules;
	Trace *self;
	Core *core;
	int is_quiet = 0;

	(void)keywords;
	if (!PyArg_ParseTuple(arguments, "OO!O!|p:Trace", &paths, &PyDict_Type, &offsets,
			      &PyList_Type, &rules, &is_quiet))
		return NULL;
	core = opening_open(paths, offsets, rules);
	if (core == NULL)
		return NULL;
	if (is_quiet)
		core_silence(core);
	self = (Trace *)PyType_GenericAlloc(type, 0);
	if (self == NULL) {
		core_unref(core);
		return NULL;
	}
	trace_init(self, core);
	if (!core_warn(core))
		Py_CLEAR(self);
	return (PyObject *)self;
}

static void dealloc(PyObject *object)
{
	trace_clear((Trace *)object);
	ext_free(object);
}

static PyObject *close_trace(PyObject *object, PyObject *unused)
{
	(void)unused;
	trace_close((Trace *)object);
	Py_RETURN_NONE;
}

static PyObject *get_closed(PyObject *object, void *closure)
{
	(void)closure;
	return PyBool_FromLong(((Trace *)object)->core == NULL);
}

/* ---- what a trace has ---- */

static PyObject *events(PyObject *object, PyObject *selection)
{
	return events_new((Trace *)object, selection);
}

static PyObject *spans(PyObject *object, PyObject *selection)
{
	return spans_new((Trace *)object, selection);
}

static PyObject *get_types(PyObject *object, PyObject *unused)
{
	Trace *self = (Trace *)object;
	const Core *core = trace_get_core(self);
	PyObject *list = core != NULL ? PyList_New(0) : NULL;

	(void)unused;
	for (guint i = 0; list != NULL && i < ltt_trace_get_n_loads(core_get_trace(core)); i++) {
		const LttLoad *load = ltt_trace_get_load(core_get_trace(core), i);

		if (g_str_equal(ltt_facility_get_name(load->facility), "builtin"))
			continue;
		for (guint j = 0; list != NULL && j < ltt_facility_get_n_events(load->facility);
		     j++) {
			EventType *type =
				trace_need_type(self, ltt_facility_get_event(load->facility, j),
						ltt_layouts_get(load->layouts, j));

			if (type == NULL || PyList_Append(list, (PyObject *)type) < 0)
				Py_CLEAR(list);
		}
	}
	return list;
}

static PyObject *get_problems(PyObject *object, PyObject *unused)
{
	Core *core = trace_get_core((Trace *)object);

	(void)unused;
	return core != NULL ? core_list_problems(core) : NULL;
}

static PyObject *get_symbol(PyObject *object, PyObject *arguments)
{
	Core *core = trace_get_core((Trace *)object);
	guint64 address;
	guint64 time_ns;
	guint pid;
	g_autoptr(GString) text = g_string_new(NULL);
	LttSymbol symbol;
	gboolean is_known;
	Work work;

	if (core == NULL || !PyArg_ParseTuple(arguments, "O&O&O&", ext_take_guint64, &address,
					      ext_take_guint, &pid, ext_take_guint64, &time_ns))
		return NULL;
	core_ref(core); /* another thread may close the trace meanwhile */
	work_begin(&work);
	is_known = ltt_symbols_find_at(core_get_symbols(core), pid, time_ns, address, &symbol);
	if (is_known)
		ltt_symbol_append(text, &symbol, LTT_SYMBOL_PLACE);
	work_end(&work);
	core_unref(core);
	return is_known ? ext_text(text->str, text->len) : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
	{"close", close_trace, METH_NOARGS, "close($self, /)\n--\n\n"},
	{"events", events, METH_O, "events($self, selection, /)\n--\n\n"},
	{"spans", spans, METH_O, "spans($self, selection, /)\n--\n\n"},
	{"latency", latency_get, METH_VARARGS,
	 "latency($self, begin, end, by, group, selection, n_longest, /)\n--\n\n"},
	{"sql", query_run, METH_VARARGS, "sql($self, text, hidden, threads, /)\n--\n\n"},
	{"symbol", get_symbol, METH_VARARGS, "symbol($self, address, pid, time_ns, /)\n--\n\n"},
	{"types", get_types, METH_NOARGS, "types($self, /)\n--\n\n"},
	{"problems", get_problems, METH_NOARGS, "problems($self, /)\n--\n\n"},
	{"info", info_get, METH_NOARGS, "info($self, /)\n--\n\n"},
	{"stat", stat_get, METH_VARARGS, "stat($self, selection, interval_ns, threads, /)\n--\n\n"},
	{"tables", batches_list_tables, METH_NOARGS, "tables($self, /)\n--\n\n"},
	{"columns", batches_list_columns, METH_VARARGS, "columns($self, table, /)\n--\n\n"},
	{"partitions", batches_list_partitions, METH_VARARGS,
	 "partitions($self, selection, part_bytes, /)\n--\n\n"},
	{"batches", batches_read, METH_VARARGS,
	 "batches($self, table, columns, selection, threads, ordered, batch_rows, "
	 "partitions, /)\n--\n\n"},
	{"stream", stream_get, METH_VARARGS,
	 "stream($self, table, columns, selection, threads, ordered, batch_rows, "
	 "partitions, /)\n--\n\n"},
	{"schema", stream_get_schema, METH_VARARGS,
	 "schema($self, table, columns, selection, threads, ordered, batch_rows, "
	 "partitions, /)\n--\n\n"},
	{NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
	{"closed", get_closed, NULL, "whether close() was called", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_doc, "Trace(paths, offsets, rules, quiet=False, /)\n--\n\nAn open trace."},
	{Py_tp_new, new},
	{Py_tp_dealloc, dealloc},
	{Py_tp_methods, methods},
	{Py_tp_getset, attributes},
	{0, NULL},
};

static PyType_Spec spec = {
	.name = "ltt._ltt.Trace",
	.basicsize = sizeof(Trace),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = slots,
};

gboolean trace_type_add(PyObject *module)
{
	return ext_add_type(module, &spec) != NULL;
}
