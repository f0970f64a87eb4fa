/* conversions.h - how the times of a merged trace were converted, in Python. */
#ifndef CONVERSIONS_H
#define CONVERSIONS_H

#include "ext.h"

/* Returns: (transfer full) (nullable): the list "conversions" of `ltt info --json`; times are integers of
 *   nanoseconds. NULL with an exception */
PyObject *conversions_list(const LttTrace *trace);

#endif
