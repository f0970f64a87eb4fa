/* event-types-priv.h - looks for event types by the fields of their payloads. */
#ifndef LTT_READER_EVENT_TYPES_PRIV_H
#define LTT_READER_EVENT_TYPES_PRIV_H

#ifndef LTT_BUILDING
#error "reader/event-types-priv.h is private to libltt; use <ltt/ltt-facility.h>"
#endif

#include <ltt/ltt-trace.h>

/* Returns: (nullable): the resolved type of a field of the payload; NULL: there is none */
const LttType *ltt_event_type_find_field(const LttEventType *type, const char *name);

/* Returns: whether @holds returns TRUE for an event type of a facility of the trace */
gboolean ltt_trace_any_event_type(const LttTrace *trace,
				  gboolean (*holds)(const LttEventType *type));

#endif
