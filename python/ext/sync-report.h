/* sync-report.h - ltt.sync(): how the clocks of traces relate, as `ltt sync --json` prints it. */
#ifndef SYNC_REPORT_H
#define SYNC_REPORT_H

#include "ext.h"

/* A function of the module. @arguments: (paths, list of rules, wander in ppm or 0) */
PyObject *syncing_report(PyObject *module, PyObject *arguments);

#endif
