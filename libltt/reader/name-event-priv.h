/* name-event-priv.h - the events that contain names of processes and threads (doc/format.md, 4.6).
 *
 * They are of several facilities, in control/processes. An event with a number field pid and a string field
 * name sets the name of that process. If it also has a number field tid, it sets the name of that thread
 * only.
 */
#ifndef LTT_NAME_EVENT_PRIV_H
#define LTT_NAME_EVENT_PRIV_H

#ifndef LTT_BUILDING
#error "name-event-priv.h is private to libltt"
#endif

#include <ltt/ltt-event.h>
#include <ltt/ltt-trace.h>

typedef struct LttNameEvent {
	guint32 pid;
	guint32 tid; /* 0 unless it is a thread */
	gboolean is_thread;
	const char *text; /* in the payload */
} LttNameEvent;

/* @event: in control/processes. Returns: whether it sets a name; FALSE if an id is out of range */
gboolean ltt_name_event_read(const LttEvent *event, LttNameEvent *name);

/* Returns: whether the event contains a name, also if its ids are out of range */
gboolean ltt_event_contains_name(const LttEvent *event);

/* Calls a function with each name that the trace contains; equal names may come several times. */
void ltt_trace_visit_names(const LttTrace *trace,
			   void (*visit)(const char *name, gpointer user_data), gpointer user_data);

#endif
