/* event-type.c - see event-type.h.
 *
 * Names are interned: a literal in a program is the same object, so most lookups compare pointers.
 */
#include "event-type.h"

#include <string.h>

static PyTypeObject *event_type;

/* ---- fields ---- */

static gboolean is_struct(const LttLayout *layout)
{
	return layout != NULL && layout->kind == LTT_STRUCT;
}

static gboolean list_names(EventType *self)
{
	const LttLayout *layout = self->layout;

	if (layout != NULL)
		self->n_names = is_struct(layout) ? layout->n_members : 1;
	self->names = PyTuple_New((Py_ssize_t)self->n_names);
	if (self->names == NULL)
		return FALSE;
	self->by_index = g_new(PyObject *, self->n_names);
	for (guint i = 0; i < self->n_names; i++) {
		self->by_index[i] = PyUnicode_InternFromString(
			is_struct(layout) ? layout->members[i].name : "value");
		if (self->by_index[i] == NULL ||
		    PyTuple_SetItem(self->names, (Py_ssize_t)i, self->by_index[i]) < 0)
			return FALSE;
	}
	return TRUE;
}

EventType *event_type_new(Core *core, const LttEventType *type, const LttLayout *layout)
{
	const char *facility = ltt_facility_get_name(type->facility);
	EventType *self = (EventType *)PyType_GenericAlloc(event_type, 0);

	if (self == NULL)
		return NULL;
	self->core = core_ref(core);
	self->type = type;
	self->layout = layout;
	self->name = ext_text(type->full_name, strlen(type->full_name));
	self->facility = ext_text(facility, strlen(facility));
	if (self->name == NULL || self->facility == NULL || !list_names(self))
		Py_CLEAR(self);
	return self;
}

static void dealloc(PyObject *object)
{
	EventType *self = (EventType *)object;

	Py_XDECREF(self->name);
	Py_XDECREF(self->facility);
	Py_XDECREF(self->names);
	g_free(self->by_index);
	core_unref(self->core);
	ext_free(object);
}

guint event_type_find(const EventType *self, PyObject *name)
{
	for (guint i = 0; i < self->n_names; i++) {
		if (self->by_index[i] == name)
			return i;
	}
	for (guint i = 0; i < self->n_names; i++) {
		if (PyUnicode_Compare(self->by_index[i], name) == 0)
			return i;
	}
	return EVENT_TYPE_NONE;
}

gboolean event_type_get_value(const EventType *self, const LttEvent *event, guint index,
			      LttValue *value)
{
	LttValue payload;

	if (!ltt_event_get_value(event, &payload))
		return FALSE;
	if (is_struct(self->layout))
		return ltt_value_get_item(&payload, index, value);
	*value = payload;
	return TRUE;
}

/* ---- attributes ---- */

/* "uint32", "sequence of struct" */
static void describe(GString *text, const LttLayout *layout)
{
	g_string_append(text, ltt_type_kind_name(layout->kind));
	if (layout->kind == LTT_INT || layout->kind == LTT_UINT || layout->kind == LTT_FLOAT)
		g_string_append_printf(text, "%u", layout->width_bytes * 8U);
	if (layout->element != NULL) {
		if (layout->kind == LTT_ARRAY)
			g_string_append_printf(text, " of %" G_GUINT64_FORMAT, layout->n_elements);
		g_string_append(text, layout->kind == LTT_ARRAY ? " " : " of ");
		describe(text, layout->element);
	}
}

static PyObject *list_labels(const LttType *type)
{
	PyObject *labels = PyDict_New();

	for (guint i = 0; labels != NULL && i < ltt_type_get_n_labels(type); i++) {
		const LttLabel *label = ltt_type_get_label(type, i);

		if (!ext_set(labels, label->name,
			     label->is_negative
				     ? PyLong_FromLongLong(label->value)
				     : PyLong_FromUnsignedLongLong((guint64)label->value)))
			Py_CLEAR(labels);
	}
	return labels;
}

static PyObject *describe_field(const EventType *self, guint index)
{
	const LttLayout *layout =
		is_struct(self->layout) ? self->layout->members[index].layout : self->layout;
	const char *description =
		is_struct(self->layout) ? ltt_type_get_field(self->layout->type, index)->description
					: NULL;
	g_autoptr(GString) text = g_string_new(NULL);

	describe(text, layout);
	return Py_BuildValue("OszN", self->by_index[index], text->str, description,
			     list_labels(layout->type));
}

static PyObject *get_fields(PyObject *object, void *closure)
{
	const EventType *self = (const EventType *)object;
	PyObject *fields = PyList_New(0);

	(void)closure;
	for (guint i = 0; fields != NULL && i < self->n_names; i++) {
		if (!ext_append(fields, describe_field(self, i)))
			Py_CLEAR(fields);
	}
	return fields;
}

static PyObject *get_name(PyObject *object, void *closure)
{
	(void)closure;
	return Py_NewRef(((EventType *)object)->name);
}

static PyObject *get_facility(PyObject *object, void *closure)
{
	(void)closure;
	return Py_NewRef(((EventType *)object)->facility);
}

static PyObject *get_description(PyObject *object, void *closure)
{
	const char *description = ((EventType *)object)->type->description;

	(void)closure;
	return description != NULL ? ext_text(description, strlen(description))
				   : Py_NewRef(Py_None);
}

static PyObject *get_names(PyObject *object, void *closure)
{
	(void)closure;
	return Py_NewRef(((EventType *)object)->names);
}

static PyObject *repr(PyObject *object)
{
	const EventType *self = (const EventType *)object;

	return PyUnicode_FromFormat("<ltt.EventType %U %R>", self->name, self->names);
}

static PyGetSetDef attributes[] = {
	{"name", get_name, NULL, "full name, such as \"core.schedchange\"", NULL},
	{"facility", get_facility, NULL, "name of the facility, such as \"core\"", NULL},
	{"description", get_description, NULL, "from the event description; None if it has none",
	 NULL},
	{"names", get_names, NULL,
	 "names of the fields; (\"value\",) if the payload is not a struct", NULL},
	{"_fields", get_fields, NULL, "for fields: (name, type, description, labels) of each",
	 NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_doc, "An event type that a trace describes."},
	{Py_tp_dealloc, dealloc},
	{Py_tp_getset, attributes},
	{Py_tp_repr, repr},
	{0, NULL},
};

static PyType_Spec spec = {
	.name = "ltt._ltt.EventType",
	.basicsize = sizeof(EventType),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

gboolean event_type_add(PyObject *module)
{
	event_type = ext_add_type(module, &spec);
	return event_type != NULL;
}
