/* latency.h - the time from one event to another. */
#ifndef LATENCY_H
#define LATENCY_H

#include "ext.h"

/* A method of Trace: latency(begin, end, by, group, selection, n_longest). */
PyObject *latency_get(PyObject *object, PyObject *arguments);

#endif
