/* failure.c - see failure.h. */
#include "failure.h"

#include <string.h>

static PyObject *error_type;
static PyObject *invalid_type;
static PyObject *warning_type;
static PyObject *selection_warning_type;

static const char *const kinds[] = {
	[LTT_ERROR_IO] = "io",
	[LTT_ERROR_CORRUPT] = "corrupt",
	[LTT_ERROR_DESCRIPTION] = "description",
	[LTT_ERROR_UNSUPPORTED] = "unsupported",
	[LTT_ERROR_LIMIT] = "limit",
	[LTT_ERROR_INVALID] = "invalid",
	[LTT_ERROR_EXISTS] = "exists",
	[LTT_ERROR_CANCELLED] = "cancelled",
};

gboolean failure_add_types(PyObject *module)
{
	PyObject *bases;

	error_type = PyErr_NewExceptionWithDoc(
		"ltt.Error",
		"A trace cannot be read, or a question to it cannot be answered.\n\n"
		"The message is that of the command ltt. The attribute kind is \"io\", "
		"\"corrupt\",\n\"description\", \"unsupported\", \"limit\", \"invalid\", "
		"\"exists\" or "
		"\"cancelled\".",
		NULL, NULL);
	if (error_type == NULL)
		return FALSE;
	bases = PyTuple_Pack(2, error_type, PyExc_ValueError);
	if (bases == NULL)
		return FALSE;
	invalid_type = PyErr_NewExceptionWithDoc(
		"ltt.InvalidError", "An argument is wrong: a time, a filter, a name.", bases, NULL);
	Py_DECREF(bases);
	warning_type = PyErr_NewExceptionWithDoc("ltt.TraceWarning",
						 "A trace has a problem, such as a damaged block.",
						 PyExc_UserWarning, NULL);
	selection_warning_type =
		PyErr_NewExceptionWithDoc("ltt.SelectionWarning",
					  "A pattern or a filter selects nothing because of a name "
					  "that the trace does not have.",
					  PyExc_UserWarning, NULL);
	return invalid_type != NULL && warning_type != NULL && selection_warning_type != NULL &&
	       PyModule_AddObjectRef(module, "Error", error_type) == 0 &&
	       PyModule_AddObjectRef(module, "InvalidError", invalid_type) == 0 &&
	       PyModule_AddObjectRef(module, "TraceWarning", warning_type) == 0 &&
	       PyModule_AddObjectRef(module, "SelectionWarning", selection_warning_type) == 0;
}

PyObject *failure_raise(GError *error)
{
	const gboolean is_ours = error->domain == LTT_ERROR;
	const gboolean is_invalid = is_ours && error->code == LTT_ERROR_INVALID;
	const char *kind =
		is_ours && (gsize)error->code < G_N_ELEMENTS(kinds) ? kinds[error->code] : "io";
	PyObject *text;
	PyObject *exception;
	PyObject *word;

	if (PyErr_Occurred() == NULL) {
		text = ext_text(error->message, strlen(error->message));
		exception = text != NULL
				    ? PyObject_CallFunctionObjArgs(
					      is_invalid ? invalid_type : error_type, text, NULL)
				    : NULL;
		word = PyUnicode_FromString(kind);
		if (exception != NULL && word != NULL &&
		    PyObject_SetAttrString(exception, "kind", word) == 0)
			PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
		Py_XDECREF(text);
		Py_XDECREF(exception);
		Py_XDECREF(word);
	}
	g_error_free(error);
	return NULL;
}

/* Returns: whether a frame runs code of this package */
static gboolean is_own(PyObject *frame)
{
	PyObject *globals = PyObject_GetAttrString(frame, "f_globals");
	PyObject *name = globals != NULL ? PyDict_GetItemString(globals, "__name__") : NULL;
	const char *text = name != NULL ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
	const gboolean result = text != NULL && g_str_has_prefix(text, "ltt.");

	Py_XDECREF(globals);
	return result;
}

/* Returns: the level of the frame that called this package, as the module warnings counts */
static Py_ssize_t find_caller(void)
{
	PyObject *frame = Py_XNewRef((PyObject *)PyEval_GetFrame());
	Py_ssize_t level = 1;

	while (frame != NULL && is_own(frame)) {
		PyObject *back = PyObject_GetAttrString(frame, "f_back");

		Py_DECREF(frame);
		frame = back;
		level++;
	}
	Py_XDECREF(frame);
	PyErr_Clear();
	return level;
}

gboolean failure_warn(const char *text)
{
	return PyErr_WarnEx(warning_type, text, find_caller()) == 0;
}

gboolean failure_warn_of_selection(const char *text)
{
	return PyErr_WarnEx(selection_warning_type, text, find_caller()) == 0;
}
