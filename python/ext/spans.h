/* spans.h - ltt._ltt.Spans: an iterator over what events begin and end. */
#ifndef SPANS_H
#define SPANS_H

#include "trace.h"

gboolean spans_add(PyObject *module);

/* Returns: (transfer full) (nullable): NULL with an exception */
PyObject *spans_new(Trace *trace, PyObject *selection);

#endif
