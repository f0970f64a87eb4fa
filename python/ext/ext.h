/* ext.h - the Python headers, restricted to the stable ABI, and libltt.
 *
 * Python.h must be the first header. The build sets Py_LIMITED_API.
 */
#ifndef EXT_H
#define EXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <ltt/ltt.h>

/* Adds a heap type to the module. Returns: (transfer full) (nullable): the type; NULL with an
 * exception */
PyTypeObject *ext_add_type(PyObject *module, PyType_Spec *spec);

/* Frees an instance of a heap type, after its members. */
void ext_free(PyObject *self);

/* A str from bytes of a trace: each invalid sequence of UTF-8 becomes U+FFFD, as in JSON. */
PyObject *ext_text(const char *bytes, gsize length);

/* The same of a string. @text: (nullable): for NULL it is None */
PyObject *ext_text_or_none(const char *text);

/* The text of a str, which owns it. Returns: (nullable): NULL with an exception: it is no str, or contains a NUL */
const char *ext_get_utf8(PyObject *object);

/* Converters for the format O& of PyArg_ParseTuple(). The formats I and K take the low bits of any integer; these
 * raise a ValueError for one that does not fit. */
int ext_take_guint(PyObject *object, void *number);
int ext_take_guint64(PyObject *object, void *number);

/* Sets an item of a dict. @value: (transfer full) (nullable): NULL if making it failed. Returns:
 * FALSE with an exception */
gboolean ext_set(PyObject *dict, const char *key, PyObject *value);

/* Appends to a list. @value: (transfer full) (nullable). Returns: FALSE with an exception */
gboolean ext_append(PyObject *list, PyObject *value);

#endif
