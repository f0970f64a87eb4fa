/* events.h - ltt.Events: an iterator over the events of a trace, in order of time. */
#ifndef EVENTS_H
#define EVENTS_H

#include "trace.h"

gboolean events_add(PyObject *module);

/* Returns: (transfer full) (nullable): NULL with an exception */
PyObject *events_new(Trace *trace, PyObject *selection);

#endif
