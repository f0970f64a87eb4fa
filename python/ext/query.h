/* query.h - ltt._ltt.Query: an iterator over the rows of an SQL query. */
#ifndef QUERY_H
#define QUERY_H

#include "ext.h"

gboolean query_add(PyObject *module);

/* A method of Trace: sql(text, hidden, threads). Runs all statements of the text except the last
 * one with a result, whose rows the iterator returns. */
PyObject *query_run(PyObject *trace, PyObject *arguments);

#endif
