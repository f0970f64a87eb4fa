/* stat.h - what `ltt stat` counts, as a dict. */
#ifndef STAT_H
#define STAT_H

#include "ext.h"

/* A method of Trace: stat(selection, interval_ns, threads). */
PyObject *stat_get(PyObject *object, PyObject *arguments);

#endif
