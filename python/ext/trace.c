/* trace.c - see trace.h. */
#include "trace.h"

#include "batches.h"
#include "events.h"
#include "failure.h"
#include "info.h"
#include "latency.h"
#include "opening.h"
#include "query.h"
#include "spans.h"
#include "stat.h"
#include "stream.h"

static PyTypeObject *trace_type;

struct Trace {
	PyObject base;
	Core *core;        /* NULL: closed */
	GHashTable *types; /* set of EventType, by type and layout */
};

Core *trace_get_core(Trace *self)
{
	if (self->core == NULL)
		PyErr_SetString(PyExc_ValueError, "the trace is closed");
	return self->core;
}

static guint hash_type(gconstpointer type)
{
	return g_direct_hash(((const EventType *)type)->type);
}

static gboolean is_same_type(gconstpointer a, gconstpointer b)
{
	const EventType *first = a;
	const EventType *second = b;

	return first->type == second->type && first->layout == second->layout;
}

static void drop_type(gpointer type)
{
	Py_DECREF((PyObject *)type);
}

EventType *trace_need_type(Trace *self, const LttEventType *type, const LttLayout *layout)
{
	const EventType wanted = {.type = type, .layout = layout};
	EventType *found = g_hash_table_lookup(self->types, &wanted);

	if (found != NULL || trace_get_core(self) == NULL)
		return found;
	found = event_type_new(self->core, type, layout);
	if (found != NULL)
		g_hash_table_add(self->types, found);
	return found;
}

/* ---- opening and closing ---- */

static PyObject *new (PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
	PyObject *paths;
	PyObject *offsets;
	Trace *self;
	Core *core;

	(void)keywords;
	if (!PyArg_ParseTuple(arguments, "OO!:Trace", &paths, &PyDict_Type, &offsets))
		return NULL;
	core = opening_open(paths, offsets);
	if (core == NULL)
		return NULL;
	self = (Trace *)PyType_GenericAlloc(type, 0);
	if (self == NULL) {
		core_unref(core);
		return NULL;
	}
	self->core = core;
	self->types = g_hash_table_new_full(hash_type, is_same_type, drop_type, NULL);
	if (!core_warn(core))
		Py_CLEAR(self);
	return (PyObject *)self;
}

static void dealloc(PyObject *object)
{
	Trace *self = (Trace *)object;

	if (self->types != NULL)
		g_hash_table_unref(self->types);
	core_unref(self->core);
	ext_free(object);
}

static PyObject *close_trace(PyObject *object, PyObject *unused)
{
	Trace *self = (Trace *)object;
	Core *core = g_steal_pointer(&self->core);

	(void)unused;
	core_unref(core);
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

static PyMethodDef methods[] = {
	{"close", close_trace, METH_NOARGS, "close($self, /)\n--\n\n"},
	{"events", events, METH_O, "events($self, selection, /)\n--\n\n"},
	{"spans", spans, METH_O, "spans($self, selection, /)\n--\n\n"},
	{"latency", latency_get, METH_VARARGS,
	 "latency($self, begin, end, by, group, selection, n_longest, /)\n--\n\n"},
	{"sql", query_run, METH_VARARGS, "sql($self, text, hidden, threads, /)\n--\n\n"},
	{"types", get_types, METH_NOARGS, "types($self, /)\n--\n\n"},
	{"problems", get_problems, METH_NOARGS, "problems($self, /)\n--\n\n"},
	{"info", info_get, METH_NOARGS, "info($self, /)\n--\n\n"},
	{"stat", stat_get, METH_VARARGS, "stat($self, selection, interval_ns, threads, /)\n--\n\n"},
	{"tables", batches_list_tables, METH_NOARGS, "tables($self, /)\n--\n\n"},
	{"columns", batches_list_columns, METH_VARARGS, "columns($self, table, /)\n--\n\n"},
	{"batches", batches_read, METH_VARARGS,
	 "batches($self, table, columns, selection, threads, ordered, batch_rows, /)\n--\n\n"},
	{"stream", stream_get, METH_VARARGS,
	 "stream($self, table, columns, selection, threads, ordered, batch_rows, /)\n--\n\n"},
	{"schema", stream_get_schema, METH_VARARGS,
	 "schema($self, table, columns, selection, threads, ordered, batch_rows, /)\n--\n\n"},
	{NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
	{"closed", get_closed, NULL, "whether close() was called", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_doc, "Trace(paths, offsets, /)\n--\n\nAn open trace."},
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

gboolean trace_add(PyObject *module)
{
	trace_type = ext_add_type(module, &spec);
	return trace_type != NULL;
}
