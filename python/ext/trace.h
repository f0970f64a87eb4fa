/* trace.h - ltt._ltt.Trace: an open trace; the class ltt.Trace, in Python, is made on it. */
#ifndef TRACE_H
#define TRACE_H

#include "event-type.h"

typedef struct Trace Trace;

gboolean trace_add(PyObject *module);

/* Returns: (nullable): what is open; NULL with an exception if the trace is closed */
Core *trace_get_core(Trace *self);

/* Returns: (nullable): the type of an event; lives as long as @self. NULL with an exception */
EventType *trace_need_type(Trace *self, const LttEventType *type, const LttLayout *layout);

#endif
