/* trace.h - an open trace in Python: the library's trace, until it is closed, and its event types.
 *
 * The functions of a trace are in other files (trace-type.h).
 */
#ifndef TRACE_H
#define TRACE_H

#include "event-type.h"

typedef struct Trace {
	PyObject base;
	Core *core;        /* NULL: closed */
	GHashTable *types; /* set of EventType, by type and layout */
} Trace;

/* @core: (transfer full) */
void trace_init(Trace *self, Core *core);
void trace_clear(Trace *self); /* also before trace_init() */

/* Ends the use of the core. A closed trace is allowed. */
void trace_close(Trace *self);

/* Returns: (nullable): what is open; NULL with an exception if the trace is closed */
Core *trace_get_core(Trace *self);

/* Returns: (nullable): the type of an event; lives as long as @self. NULL with an exception */
EventType *trace_need_type(Trace *self, const LttEventType *type, const LttLayout *layout);

#endif
