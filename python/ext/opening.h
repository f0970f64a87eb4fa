/* opening.h - open traces, several as one. */
#ifndef OPENING_H
#define OPENING_H

#include "core.h"

/**
 * opening_open:
 * @paths: a sequence of str, bytes or os.PathLike; at least one
 * @offsets: a dict from the index of a path to nanoseconds that are added to its times
 * @rules: a list of rules of ltt-sync.h, which convert the times of all traces to the clock of the first;
 *   empty: @offsets do
 *
 * Times of a recording with another clock are moved to the wall clock if one of the traces has its
 * times, as `ltt dump` does.
 *
 * Returns: (transfer full) (nullable): NULL with an exception
 */
Core *opening_open(PyObject *paths, PyObject *offsets, PyObject *rules);

/* Opens each path. @traces: (inout): the traces are added. Returns: FALSE with an exception */
gboolean opening_open_each(PyObject *paths, GPtrArray *traces);

#endif
