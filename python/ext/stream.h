/* stream.h - tables for Arrow: the capsules of its C interfaces. */
#ifndef STREAM_H
#define STREAM_H

#include "ext.h"

/* Methods of Trace. Return: (transfer full) (nullable): a capsule "arrow_array_stream" of a table, or
 * "arrow_schema" of (table, columns); NULL with an exception */
PyObject *stream_get(PyObject *trace, PyObject *arguments);
PyObject *stream_get_schema(PyObject *trace, PyObject *arguments);

/* Returns: (transfer full) (nullable): a tuple of capsules "arrow_schema" and "arrow_array" */
PyObject *stream_make_array(LttBatch *batch, LttTableReader *reader);

#endif
