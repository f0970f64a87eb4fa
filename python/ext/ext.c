/* ext.c - see ext.h. */
#include "ext.h"

#include <string.h>

PyTypeObject *ext_add_type(PyObject *module, PyType_Spec *spec)
{
	PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);

	if (type != NULL && PyModule_AddType(module, (PyTypeObject *)type) < 0)
		Py_CLEAR(type);
	return (PyTypeObject *)type;
}

void ext_free(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);

	PyObject_Free(self);
	Py_DECREF(type);
}

PyObject *ext_text(const char *bytes, gsize length)
{
	return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "replace");
}

gboolean ext_set(PyObject *dict, const char *key, PyObject *value)
{
	const gboolean ok = value != NULL && PyDict_SetItemString(dict, key, value) == 0;

	Py_XDECREF(value);
	return ok;
}

gboolean ext_append(PyObject *list, PyObject *value)
{
	const gboolean ok = value != NULL && PyList_Append(list, value) == 0;

	Py_XDECREF(value);
	return ok;
}
