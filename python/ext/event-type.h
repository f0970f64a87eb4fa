/* event-type.h - ltt.EventType: an event type of a trace, with the names of its fields. */
#ifndef EVENT_TYPE_H
#define EVENT_TYPE_H

#include "core.h"

typedef struct EventType {
	PyObject base;
	Core *core;
	const LttEventType *type;
	const LttLayout *layout; /* NULL: no payload */
	PyObject *name;          /* str: "core.schedchange" */
	PyObject *facility;      /* str */
	PyObject *names;     /* tuple of interned str: the fields; of a payload that is no struct
				  * "value" */
	PyObject **by_index; /* the items of `names` */
	guint n_names;
} EventType;

#define EVENT_TYPE_NONE G_MAXUINT

gboolean event_type_add(PyObject *module);

/* Returns: (transfer full) (nullable): NULL with an exception */
EventType *event_type_new(Core *core, const LttEventType *type, const LttLayout *layout);

/* Returns: the index of a field; EVENT_TYPE_NONE: there is none of that name */
guint event_type_find(const EventType *self, PyObject *name);

/* Gets a field by index. Returns: whether the event has it */
gboolean event_type_get_value(const EventType *self, const LttEvent *event, guint index,
			      LttValue *value);

#endif
