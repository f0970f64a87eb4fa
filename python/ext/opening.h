/* opening.h - open traces, several as one. */
#ifndef OPENING_H
#define OPENING_H

#include "core.h"

/**
 * opening_open:
 * @paths: a sequence of str, bytes or os.PathLike; at least one
 * @offsets: a dict from the index of a path to nanoseconds that are added to its times
 *
 * Times of a recording with another clock are moved to the wall clock if one of the traces has its
 * times, as `ltt dump` does.
 *
 * Returns: (transfer full) (nullable): NULL with an exception
 */
Core *opening_open(PyObject *paths, PyObject *offsets);

#endif
