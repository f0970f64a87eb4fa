/* ltt-event.h - one event of a trace, as a cursor or a merge lends it.
 *
 * The payload is decoded on demand: see ltt-value.h.
 */
#ifndef LTT_EVENT_H
#define LTT_EVENT_H

#include <ltt/ltt-facility.h>
#include <ltt/ltt-layout.h>

G_BEGIN_DECLS

typedef struct LttTracefile LttTracefile;

/* What an event means to the reader. */
typedef enum LttEventRole {
	LTT_ROLE_ORDINARY,
	LTT_ROLE_FACILITY_LOAD,
	LTT_ROLE_BLOCK_START,
	LTT_ROLE_BLOCK_END,
	LTT_ROLE_HEARTBEAT,
	LTT_ROLE_THREAD,      /* tracer.thread */
	LTT_ROLE_EVENTS_LOST, /* tracer.events_lost */
	LTT_ROLE_CLOCK,       /* tracer.clock */
	LTT_ROLE_TRACER,      /* another event of the tracer facility, or an event that its
				 description hides */
	LTT_ROLE_MACHINE, /* processes.process and interrupts.interrupt: the machine at the start
				 of the recording; ordinary in a trace without cpu files */
} LttEventRole;

/* Read only; valid until the next call on the cursor or merge that returned it. */
typedef struct LttEvent {
	guint64 time_ns; /* since 1970-01-01 UTC */
	guint64 cycles;  /* the cycle counter at the event */
	const LttEventType *type;
	const LttLayout *layout; /* of the payload; NULL: no payload */
	const guint8 *payload;   /* followed by 32 readable bytes, which printers may load */
	guint32 payload_bytes;
	guint32 offset_bytes; /* of the event in its block */
	LttEventRole role;
	guint16 id;
	gboolean has_thread; /* pid and tid are known (doc/format.md, 11) */
	guint32 pid;
	guint32 tid;
	LttByteOrder byte_order; /* of the payload */
	guint64 block;           /* index of the block in its file */
	const LttTracefile *tracefile;
} LttEvent;

/* Returns: whether the event is hidden: dumps show builtin and tracer events, and events that
 *   describe the machine, only on request */
static inline gboolean ltt_event_is_hidden(const LttEvent *event)
{
	return event->role != LTT_ROLE_ORDINARY;
}

/* Returns: (nullable) (transfer none): the name of the thread of the event at its time, or that of the
 *   process if the thread has none; valid as long as the trace. NULL: it is unknown */
const char *ltt_event_get_comm(const LttEvent *event);

/* Returns: (transfer none): the name of the machine of the event, or "unknown"; valid as long as the
 *   trace */
const char *ltt_event_get_host(const LttEvent *event);

G_END_DECLS

#endif /* LTT_EVENT_H */
