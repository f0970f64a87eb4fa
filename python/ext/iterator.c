/* iterator.c - see iterator.h. */
#include "iterator.h"

#include "selection.h"

gpointer iterator_new(PyTypeObject *type, Trace *trace, PyObject *selection)
{
	Core *core = trace_get_core(trace);
	LttSelect *select = core != NULL ? selection_new(core, selection) : NULL;
	Iterator *self;

	if (select == NULL)
		return NULL;
	self = (Iterator *)PyType_GenericAlloc(type, 0);
	if (self == NULL) {
		ltt_select_free(select);
		return NULL;
	}
	self->trace = (Trace *)Py_NewRef((PyObject *)trace);
	self->core = core_ref(core);
	self->select = select;
	return self;
}

void iterator_free(Iterator *self)
{
	ltt_select_free(self->select);
	core_unref(self->core);
	Py_XDECREF((PyObject *)self->trace);
	ext_free((PyObject *)self);
}

gboolean iterator_may_read(const Iterator *self)
{
	if (!self->is_reading)
		return trace_get_core(self->trace) != NULL;
	PyErr_SetString(PyExc_ValueError, "another thread is taking a step of this iterator");
	return FALSE;
}

PyObject *iterator_end(const Iterator *self)
{
	core_warn(self->core);
	return NULL;
}
