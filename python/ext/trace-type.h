/* trace-type.h - ltt._ltt.Trace: the functions of a trace; the class ltt.Trace, in Python, extends it. */
#ifndef TRACE_TYPE_H
#define TRACE_TYPE_H

#include "ext.h"

gboolean trace_type_add(PyObject *module);

#endif
