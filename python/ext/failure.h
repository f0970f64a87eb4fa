/* failure.h - errors of the library as exceptions. */
#ifndef FAILURE_H
#define FAILURE_H

#include "ext.h"

/* Adds Error, InvalidError, TraceWarning and SelectionWarning to the module. Returns: FALSE with an exception */
gboolean failure_add_types(PyObject *module);

/* Raises an error of the library, unless an exception is set already, as after a job that a signal
 * handler has ended. @error: (transfer full). Returns: NULL */
PyObject *failure_raise(GError *error);

/* Issues a TraceWarning. Returns: FALSE with an exception, if warnings are errors */
gboolean failure_warn(const char *text);

/* Issues a SelectionWarning, likewise. */
gboolean failure_warn_of_selection(const char *text);

#endif
