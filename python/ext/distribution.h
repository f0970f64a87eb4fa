/* distribution.h - ltt.Distribution: durations, as a number of them or as percentiles. */
#ifndef DISTRIBUTION_H
#define DISTRIBUTION_H

#include "ext.h"

gboolean distribution_add(PyObject *module);

/* @durations: (transfer full). Returns: (transfer full) (nullable): NULL with an exception */
PyObject *distribution_new(LttDistribution *durations);

#endif
