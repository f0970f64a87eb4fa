/* event.h - ltt.Event: an event with a copy of its payload. */
#ifndef EVENT_H
#define EVENT_H

#include "event-type.h"

/* Readable bytes after a payload, which ltt-event.h promises to printers. */
#define EVENT_PADDING 32

gboolean event_add(PyObject *module);

/* Copies an event. @type: borrowed. Returns: (transfer full) (nullable): NULL with an exception */
PyObject *event_new(EventType *type, const LttEvent *event);

#endif
