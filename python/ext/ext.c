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

PyObject *ext_text_or_none(const char *text)
{
	return text != NULL ? ext_text(text, strlen(text)) : Py_NewRef(Py_None);
}

const char *ext_get_utf8(PyObject *object)
{
	Py_ssize_t length;
	const char *text = PyUnicode_AsUTF8AndSize(object, &length);

	if (text == NULL || strlen(text) == (gsize)length)
		return text;
	PyErr_SetString(PyExc_ValueError, "embedded null character");
	return NULL;
}

static gboolean take(PyObject *object, guint64 most, guint64 *number)
{
	PyObject *integer = PyNumber_Index(object);

	if (integer == NULL)
		return FALSE;
	*number = PyLong_AsUnsignedLongLong(integer);
	if (PyErr_Occurred() == NULL && *number <= most) {
		Py_DECREF(integer);
		return TRUE;
	}
	PyErr_Clear();
	PyErr_Format(PyExc_ValueError, "expected an integer from 0 to %llu, not %S",
		     (unsigned long long)most, integer);
	Py_DECREF(integer);
	return FALSE;
}

int ext_take_guint(PyObject *object, void *number)
{
	guint64 value;

	if (!take(object, G_MAXUINT, &value))
		return 0;
	*(guint *)number = (guint)value;
	return 1;
}

int ext_take_guint64(PyObject *object, void *number)
{
	guint64 value;

	if (!take(object, G_MAXUINT64, &value))
		return 0;
	*(guint64 *)number = value;
	return 1;
}

gboolean ext_set(PyObject *dict, const char *key, PyObject *value)
{
	PyObject *name = ext_text_or_none(key);
	const gboolean ok = value != NULL && name != NULL && PyDict_SetItem(dict, name, value) == 0;

	Py_XDECREF(name);
	Py_XDECREF(value);
	return ok;
}

gboolean ext_append(PyObject *list, PyObject *value)
{
	const gboolean ok = value != NULL && PyList_Append(list, value) == 0;

	Py_XDECREF(value);
	return ok;
}
