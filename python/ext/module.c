/* module.c - ltt._ltt: the part of the Python package ltt that is written in C. */
#include "batches.h"
#include "column.h"
#include "distribution.h"
#include "event-type.h"
#include "event.h"
#include "events.h"
#include "failure.h"
#include "query.h"
#include "spans.h"
#include "sync-report.h"
#include "trace-type.h"

#include <ltt/ltt-time.h>

PyMODINIT_FUNC PyInit__ltt(void);

/* As `ltt latency` prints it. */
static PyObject *duration_text(PyObject *module, PyObject *number)
{
	const unsigned long long ns = PyLong_AsUnsignedLongLong(number);
	g_autofree char *text = PyErr_Occurred() == NULL ? ltt_duration_to_string(ns) : NULL;

	(void)module;
	return text != NULL ? PyUnicode_FromString(text) : NULL;
}

static PyMethodDef functions[] = {
	{"duration_text", duration_text, METH_O, "duration_text($module, duration_ns, /)\n--\n\n"},
	{"sync", syncing_report, METH_VARARGS,
	 "sync($module, paths, rules, wander_ppm, /)\n--\n\n"},
	{NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
	.m_base = PyModuleDef_HEAD_INIT,
	.m_name = "ltt._ltt",
	.m_doc = "The part of the package ltt that is in C. Programs use the package.",
	.m_size = -1,
	.m_methods = functions,
};

PyMODINIT_FUNC PyInit__ltt(void)
{
	PyObject *module = PyModule_Create(&definition);

	if (module != NULL && !(failure_add_types(module) && event_type_add(module) &&
				event_add(module) && events_add(module) && column_add(module) &&
				batches_add(module) && distribution_add(module) &&
				query_add(module) && spans_add(module) && trace_type_add(module)))
		Py_CLEAR(module);
	return module;
}
