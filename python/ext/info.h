/* info.h - what `ltt info` shows, as a dict. */
#ifndef INFO_H
#define INFO_H

#include "ext.h"

/* A method of Trace. */
PyObject *info_get(PyObject *object, PyObject *unused);

/* Returns: (transfer full) (nullable): losses by reason and by type, as in `ltt info --json`; NULL
 *   with an exception */
PyObject *info_get_losses(const LttLossReasons *losses);

/* Sets "host", if the trace has several hosts. Returns: FALSE with an exception */
gboolean info_set_host(PyObject *dict, const LttTrace *trace, guint host);

/* Sets a time in nanoseconds, or None. Returns: FALSE with an exception */
gboolean info_set_time(PyObject *dict, const char *key, gboolean is_known, guint64 time_ns);

#endif
