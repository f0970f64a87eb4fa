/* batches.h - ltt.Batches and ltt.Batch: the rows of a table, some at a time. */
#ifndef BATCHES_H
#define BATCHES_H

#include "ext.h"

gboolean batches_add(PyObject *module);

/* Methods of Trace. */
PyObject *batches_list_tables(PyObject *trace, PyObject *unused);
PyObject *batches_list_columns(PyObject *trace, PyObject *arguments);
PyObject *batches_list_partitions(PyObject *trace, PyObject *arguments);
PyObject *batches_read(PyObject *trace, PyObject *arguments);

#endif
