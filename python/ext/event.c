/* event.c - see event.h.
 *
 * An event is one allocation: the struct of the library, and the bytes of the payload after it. It
 * holds its type, and so the trace, which the layout and the name of the tracefile belong to.
 */
#include "event.h"

#include "failure.h"
#include "value.h"

#include <string.h>

static PyTypeObject *event_object_type;

typedef struct Event {
	PyVarObject base;
	EventType *type; /* owned */
	LttEvent event;  /* its payload is after this struct */
} Event;

PyObject *event_new(EventType *type, const LttEvent *event)
{
	PyObject *object = PyType_GenericAlloc(event_object_type,
					       (Py_ssize_t)event->payload_bytes + EVENT_PADDING);
	Event *self = (Event *)object;

	if (self == NULL)
		return NULL;
	self->type = (EventType *)Py_NewRef((PyObject *)type);
	self->event = *event;
	self->event.payload = (const guint8 *)(self + 1);
	memcpy(self + 1, event->payload, event->payload_bytes);
	return object;
}

static void dealloc(PyObject *object)
{
	Py_XDECREF((PyObject *)((Event *)object)->type);
	ext_free(object);
}

/* ---- fields ---- */

/* Finds a field by name or path. Returns: FALSE without an exception: the event does not have it */
static gboolean find(const Event *self, PyObject *name, LttValue *value)
{
	guint index = event_type_find(self->type, name);
	const char *path;
	Py_ssize_t n_bytes;
	gsize length;
	PyObject *first;

	if (index != EVENT_TYPE_NONE)
		return event_type_get_value(self->type, &self->event, index, value);
	path = PyUnicode_AsUTF8AndSize(name, &n_bytes);
	if (path == NULL) {
		PyErr_Clear(); /* lone surrogates are in no name */
		return FALSE;
	}
	if (strlen(path) != (gsize)n_bytes)
		return FALSE;
	length = strcspn(path, ".[");
	if (path[length] == '\0')
		return FALSE;
	first = PyUnicode_FromStringAndSize(path, (Py_ssize_t)length);
	if (first == NULL)
		return FALSE;
	index = event_type_find(self->type, first);
	Py_DECREF(first);
	return index != EVENT_TYPE_NONE &&
	       event_type_get_value(self->type, &self->event, index, value) &&
	       value_follow(path + length, value);
}

static PyObject *fail_to_find(const Event *self, PyObject *name)
{
	if (PyErr_Occurred() == NULL)
		PyErr_Format(PyExc_KeyError, "%U has no field %R; it has %R", self->type->name,
			     name, self->type->names);
	return NULL;
}

static gboolean is_name(PyObject *name)
{
	if (PyUnicode_Check(name))
		return TRUE;
	PyErr_Format(PyExc_TypeError, "the name of a field is a str, not %R",
		     (PyObject *)Py_TYPE(name));
	return FALSE;
}

static PyObject *subscript(PyObject *object, PyObject *name)
{
	const Event *self = (const Event *)object;
	LttValue value;

	if (!is_name(name))
		return NULL;
	return find(self, name, &value) ? value_to_python(&value) : fail_to_find(self, name);
}

static PyObject *get_code(PyObject *object, PyObject *name)
{
	const Event *self = (const Event *)object;
	LttValue value;

	if (!is_name(name))
		return NULL;
	return find(self, name, &value) ? value_to_code(&value) : fail_to_find(self, name);
}

static PyObject *get(PyObject *object, PyObject *arguments)
{
	PyObject *otherwise = Py_None;
	PyObject *name;
	LttValue value;

	if (!PyArg_ParseTuple(arguments, "U|O:get", &name, &otherwise))
		return NULL;
	if (find((const Event *)object, name, &value))
		return value_to_python(&value);
	return PyErr_Occurred() != NULL ? NULL : Py_NewRef(otherwise);
}

static int contains(PyObject *object, PyObject *name)
{
	LttValue value;

	if (!PyUnicode_Check(name))
		return 0;
	if (find((const Event *)object, name, &value))
		return 1;
	return PyErr_Occurred() != NULL ? -1 : 0;
}

static Py_ssize_t length(PyObject *object)
{
	return (Py_ssize_t)((const Event *)object)->type->n_names;
}

static PyObject *iterate(PyObject *object)
{
	return PyObject_GetIter(((const Event *)object)->type->names);
}

static PyObject *keys(PyObject *object, PyObject *unused)
{
	(void)unused;
	return PySequence_List(((const Event *)object)->type->names);
}

/* @with_names: pairs of names and values, else values */
static PyObject *list_values(const Event *self, gboolean with_names)
{
	PyObject *list = PyList_New(0);
	Budget budget;

	budget_init(&budget, self->event.payload_bytes);
	for (guint i = 0; list != NULL && i < self->type->n_names; i++) {
		PyObject *item = NULL;
		LttValue value;

		if (event_type_get_value(self->type, &self->event, i, &value))
			item = value_to_python_within(&value, &budget);
		if (item != NULL && with_names)
			item = Py_BuildValue("ON", self->type->by_index[i], item);
		if (!ext_append(list, item))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *values(PyObject *object, PyObject *unused)
{
	(void)unused;
	return list_values((const Event *)object, FALSE);
}

static PyObject *items(PyObject *object, PyObject *unused)
{
	(void)unused;
	return list_values((const Event *)object, TRUE);
}

/* ---- attributes ---- */

static const LttEvent *event_of(PyObject *object)
{
	return &((const Event *)object)->event;
}

static PyObject *get_time_ns(PyObject *object, void *closure)
{
	(void)closure;
	return PyLong_FromUnsignedLongLong(event_of(object)->time_ns);
}

static PyObject *get_time(PyObject *object, void *closure)
{
	(void)closure;
	return PyFloat_FromDouble((double)event_of(object)->time_ns / 1e9);
}

static PyObject *get_cpu(PyObject *object, void *closure)
{
	const gint cpu = ltt_tracefile_get_cpu(event_of(object)->tracefile);

	(void)closure;
	return cpu >= 0 ? PyLong_FromLong(cpu) : Py_NewRef(Py_None);
}

static PyObject *number_of_thread(PyObject *object, guint32 number)
{
	return event_of(object)->has_thread ? PyLong_FromUnsignedLong(number) : Py_NewRef(Py_None);
}

static PyObject *get_pid(PyObject *object, void *closure)
{
	(void)closure;
	return number_of_thread(object, event_of(object)->pid);
}

static PyObject *get_tid(PyObject *object, void *closure)
{
	(void)closure;
	return number_of_thread(object, event_of(object)->tid);
}

static PyObject *get_comm(PyObject *object, void *closure)
{
	const char *comm = ltt_event_get_comm(event_of(object));

	(void)closure;
	return comm != NULL ? ext_text(comm, strlen(comm)) : Py_NewRef(Py_None);
}

static PyObject *get_host(PyObject *object, void *closure)
{
	const char *host = ltt_event_get_host(event_of(object));

	(void)closure;
	return ext_text(host, strlen(host));
}

static PyObject *get_type(PyObject *object, void *closure)
{
	(void)closure;
	return Py_NewRef((PyObject *)((const Event *)object)->type);
}

static PyObject *get_name(PyObject *object, void *closure)
{
	(void)closure;
	return Py_NewRef(((const Event *)object)->type->name);
}

static PyObject *get_facility(PyObject *object, void *closure)
{
	(void)closure;
	return Py_NewRef(((const Event *)object)->type->facility);
}

static PyObject *get_tracefile(PyObject *object, void *closure)
{
	(void)closure;
	return ext_text_or_none(ltt_tracefile_get_name(event_of(object)->tracefile));
}

static PyObject *get_data(PyObject *object, void *closure)
{
	LttValue payload;

	(void)closure;
	if (!ltt_event_get_value(event_of(object), &payload))
		return PyDict_New();
	return value_to_python(&payload);
}

static PyObject *get_is_hidden(PyObject *object, void *closure)
{
	(void)closure;
	return PyBool_FromLong(ltt_event_is_hidden(event_of(object)));
}

static PyObject *repr(PyObject *object)
{
	const LttEvent *event = event_of(object);
	char time[LTT_TIME_TEXT_BYTES];
	PyObject *data = get_data(object, NULL);
	PyObject *text;

	if (data == NULL)
		return NULL;
	ltt_time_format(event->time_ns, time);
	text = PyUnicode_FromFormat("<ltt.Event %s %s %U %R>", time,
				    ltt_tracefile_get_label(event->tracefile),
				    ((const Event *)object)->type->name, data);
	Py_DECREF(data);
	return text;
}

static PyGetSetDef attributes[] = {
	{"time_ns", get_time_ns, NULL, "nanoseconds since 1970-01-01 UTC", NULL},
	{"time", get_time, NULL, "seconds since 1970-01-01 UTC, as a float: exact to about 240 ns",
	 NULL},
	{"cpu", get_cpu, NULL, "number of the CPU; None in a control file or a lane", NULL},
	{"pid", get_pid, NULL, "process; None if unknown", NULL},
	{"tid", get_tid, NULL, "thread; None if unknown", NULL},
	{"comm", get_comm, NULL, "name of the thread at that time; None if unknown", NULL},
	{"host", get_host, NULL, "name of the machine; \"unknown\" if it has none", NULL},
	{"name", get_name, NULL, "name of the event type, such as \"core.schedchange\"", NULL},
	{"facility", get_facility, NULL, "name of the facility, such as \"core\"", NULL},
	{"type", get_type, NULL, "the EventType", NULL},
	{"tracefile", get_tracefile, NULL, "tracefile of the event, such as \"cpu/3\"", NULL},
	{"data", get_data, NULL, "the whole payload: a dict if it is a struct or a union", NULL},
	{"is_hidden", get_is_hidden, NULL, "whether dumps show the event only on request", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
	{"keys", keys, METH_NOARGS, "keys($self, /)\n--\n\nThe names of the fields."},
	{"values", values, METH_NOARGS, "values($self, /)\n--\n\nThe values of the fields."},
	{"items", items, METH_NOARGS, "items($self, /)\n--\n\nThe names and values of the fields."},
	{"get", get, METH_VARARGS,
	 "get($self, name, default=None, /)\n--\n\nA field, or default if the event does not have "
	 "it."},
	{"code", get_code, METH_O,
	 "code($self, name, /)\n--\n\nA field with the numbers of enums instead of their labels."},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_doc, "An event: a mapping from the names of its fields to their values.\n\n"
		    "A name may be a path into the field: e[\"rect.width\"], e[\"points[2].x\"].\n"
		    "An event is a copy, and remains valid when its trace is closed."},
	{Py_tp_dealloc, dealloc},
	{Py_tp_getset, attributes},
	{Py_tp_methods, methods},
	{Py_tp_repr, repr},
	{Py_tp_iter, iterate},
	{Py_mp_subscript, subscript},
	{Py_mp_length, length},
	{Py_sq_contains, contains},
	{0, NULL},
};

static PyType_Spec spec = {
	.name = "ltt._ltt.Event",
	.basicsize = sizeof(Event),
	.itemsize = 1,
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

gboolean event_add(PyObject *module)
{
	event_object_type = ext_add_type(module, &spec);
	return event_object_type != NULL;
}
