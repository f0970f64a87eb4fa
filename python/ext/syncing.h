/* syncing.h - relate the clocks of traces by messages (ltt-sync.h). */
#ifndef SYNCING_H
#define SYNCING_H

#include "ext.h"

/* @rules: a list of str. Issues a warning for each damaged block. Returns: (transfer full) (nullable): NULL
 * with an exception */
LttSync *syncing_find(const GPtrArray *traces, PyObject *rules, double wander_ppm);

/* Joins traces by messages. @traces: emptied if they were joined. Returns: (transfer full) (nullable): NULL
 * with an exception */
LttTrace *syncing_join(GPtrArray *traces, PyObject *rules);

#endif
