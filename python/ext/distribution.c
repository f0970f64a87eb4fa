/* distribution.c - see distribution.h. */
#include "distribution.h"

static PyTypeObject *distribution_type;

typedef struct Distribution {
	PyObject base;
	LttDistribution *durations;
} Distribution;

#define MOST_ROWS 1000

static LttDistribution *durations_of(PyObject *object)
{
	return ((const Distribution *)object)->durations;
}

PyObject *distribution_new(LttDistribution *durations)
{
	Distribution *self = (Distribution *)PyType_GenericAlloc(distribution_type, 0);

	if (self != NULL)
		self->durations = durations;
	else
		ltt_distribution_free(durations);
	return (PyObject *)self;
}

static void dealloc(PyObject *object)
{
	ltt_distribution_free(durations_of(object));
	ext_free(object);
}

/* ---- numbers ---- */

/* None without durations. */
static PyObject *time_or_none(PyObject *object, guint64 time_ns)
{
	if (ltt_distribution_get_n(durations_of(object)) == 0)
		return Py_NewRef(Py_None);
	return PyLong_FromUnsignedLongLong(time_ns);
}

static PyObject *get_count(PyObject *object, void *closure)
{
	(void)closure;
	return PyLong_FromUnsignedLongLong(ltt_distribution_get_n(durations_of(object)));
}

static PyObject *get_min(PyObject *object, void *closure)
{
	(void)closure;
	return time_or_none(object, ltt_distribution_get_min(durations_of(object)));
}

static PyObject *get_max(PyObject *object, void *closure)
{
	(void)closure;
	return time_or_none(object, ltt_distribution_get_max(durations_of(object)));
}

static PyObject *get_mean(PyObject *object, void *closure)
{
	(void)closure;
	if (ltt_distribution_get_n(durations_of(object)) == 0)
		return Py_NewRef(Py_None);
	return PyFloat_FromDouble(ltt_distribution_get_mean(durations_of(object)));
}

static PyObject *get_is_exact(PyObject *object, void *closure)
{
	(void)closure;
	return PyBool_FromLong(ltt_distribution_is_exact(durations_of(object)));
}

static PyObject *percentile(PyObject *object, PyObject *number)
{
	const double percent = PyFloat_AsDouble(number);

	if (PyErr_Occurred() != NULL)
		return NULL;
	if (!(percent >= 0 && percent <= 100)) {
		PyErr_Format(PyExc_ValueError, "expected a percentage from 0 to 100, not %R",
			     number);
		return NULL;
	}
	return time_or_none(object, ltt_distribution_get_percentile(durations_of(object), percent));
}

static PyObject *get_percentiles(PyObject *object, void *closure)
{
	static const double percents[] = {50, 90, 99, 99.9};
	PyObject *dict = PyDict_New();

	(void)closure;
	for (guint i = 0; dict != NULL && i < G_N_ELEMENTS(percents); i++) {
		PyObject *key = percents[i] == (int)percents[i] ? PyLong_FromLong((long)percents[i])
								: PyFloat_FromDouble(percents[i]);
		PyObject *value = key != NULL ? percentile(object, key) : NULL;

		if (value == NULL || PyDict_SetItem(dict, key, value) < 0)
			Py_CLEAR(dict);
		Py_XDECREF(key);
		Py_XDECREF(value);
	}
	return dict;
}

/* ---- histogram ---- */

static PyObject *histogram(PyObject *object, PyObject *arguments)
{
	g_autoptr(GArray) rows = NULL;
	guint max_rows = 40;
	PyObject *list;

	if (!PyArg_ParseTuple(arguments, "|O&:histogram", ext_take_guint, &max_rows))
		return NULL;
	if (max_rows < 1 || max_rows > MOST_ROWS) {
		PyErr_Format(PyExc_ValueError, "expected 1 to %d rows", MOST_ROWS);
		return NULL;
	}
	rows = ltt_distribution_get_histogram(durations_of(object), max_rows);
	list = PyList_New(0);
	for (guint i = 0; list != NULL && i < rows->len; i++) {
		const LttHistogramRow *row = &g_array_index(rows, LttHistogramRow, i);

		if (!ext_append(list, Py_BuildValue("KKK", row->from_ns, row->to_ns, row->n)))
			Py_CLEAR(list);
	}
	return list;
}

/* ---- two of them ---- */

static PyObject *compare(PyObject *object, PyObject *other)
{
	LttDistributionChange change;

	if (!PyObject_TypeCheck(other, distribution_type)) {
		PyErr_SetString(PyExc_TypeError, "expected a Distribution");
		return NULL;
	}
	if (!ltt_distribution_compare(durations_of(object), durations_of(other), &change))
		return Py_NewRef(Py_None);
	return Py_BuildValue("dd", change.later_is_longer, change.p);
}

static PyObject *repr(PyObject *object)
{
	PyObject *percentiles = get_percentiles(object, NULL);
	PyObject *text = NULL;

	if (percentiles != NULL)
		text = PyUnicode_FromFormat("<ltt.Distribution of %llu: %R>",
					    ltt_distribution_get_n(durations_of(object)),
					    percentiles);
	Py_XDECREF(percentiles);
	return text;
}

static PyGetSetDef attributes[] = {
	{"count", get_count, NULL, "number of durations", NULL},
	{"min_ns", get_min, NULL, "shortest duration; None if there is none", NULL},
	{"max_ns", get_max, NULL, "longest duration; None if there is none", NULL},
	{"mean_ns", get_mean, NULL, "mean of the durations; None if there is none", NULL},
	{"percentiles", get_percentiles, NULL,
	 "a dict: nanoseconds that 50, 90, 99 and 99.9 per cent of the durations do not exceed",
	 NULL},
	{"is_exact", get_is_exact, NULL,
	 "whether percentiles are exact; else they are at most 0.4 per cent off", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
	{"percentile", percentile, METH_O,
	 "percentile($self, percent, /)\n--\n\nNanoseconds that `percent` of the durations do not "
	 "exceed."},
	{"histogram", histogram, METH_VARARGS,
	 "histogram($self, max_rows=40, /)\n--\n\nA list of (from_ns, to_ns, number of "
	 "durations)."},
	{"compare", compare, METH_O,
	 "compare($self, later, /)\n--\n\n(probability that a later duration is longer, p) of a "
	 "Mann-Whitney U "
	 "test;\nNone if one of the two has less than 8 durations."},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_doc, "Durations, from Trace.latency()."},
	{Py_tp_dealloc, dealloc},
	{Py_tp_getset, attributes},
	{Py_tp_methods, methods},
	{Py_tp_repr, repr},
	{0, NULL},
};

static PyType_Spec spec = {
	.name = "ltt._ltt.Distribution",
	.basicsize = sizeof(Distribution),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

gboolean distribution_add(PyObject *module)
{
	distribution_type = ext_add_type(module, &spec);
	return distribution_type != NULL;
}
