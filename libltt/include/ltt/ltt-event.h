/* ltt-event.h - one event of a trace, as a cursor or a merge lends it.
 *
 * Nothing of the payload is decoded until it is asked for: see ltt-value.h.
 */
#ifndef LTT_EVENT_H
#define LTT_EVENT_H

#include <ltt/ltt-facility.h>
#include <ltt/ltt-layout.h>

G_BEGIN_DECLS

typedef struct LttTracefile LttTracefile;

/* What the reader itself does with an event, besides handing it on. */
typedef enum LttEventRole {
	LTT_ROLE_ORDINARY,
	LTT_ROLE_FACILITY_LOAD,
	LTT_ROLE_BLOCK_START,
	LTT_ROLE_BLOCK_END,
	LTT_ROLE_HEARTBEAT,
	LTT_ROLE_THREAD,      /* tracer.thread */
	LTT_ROLE_EVENTS_LOST, /* tracer.events_lost */
	LTT_ROLE_CLOCK,       /* tracer.clock */
	LTT_ROLE_TRACER,      /* another event of the tracer facility, or one that its description
				 hides */
	LTT_ROLE_MACHINE,     /* processes.process and interrupts.interrupt: the machine when the
				 recording began; in a trace without cpu files they are ordinary */
} LttEventRole;

/* Read only; lent until the next call on the cursor or merge that gave it. */
typedef struct LttEvent {
	guint64 time_ns; /* since 1970-01-01 UTC */
	guint64 cycles;  /* the cycle counter at the event */
	const LttEventType *type;
	const LttLayout *layout; /* of the payload; NULL: the event has none */
	const guint8 *payload;
	guint32 payload_bytes;
	guint32 offset_bytes; /* of the event in its block */
	LttEventRole role;
	guint16 id;
	gboolean has_thread; /* pid and tid are known (doc/format.md, 11) */
	guint32 pid;
	guint32 tid;
	LttByteOrder byte_order; /* of the payload */
	guint64 block;           /* place of the block in its file */
	const LttTracefile *tracefile;
} LttEvent;

/* Returns: whether dumps show the event only when asked to: builtin and tracer events, and those
 * that describe the machine */
static inline gboolean ltt_event_is_hidden(const LttEvent *event)
{
	return event->role != LTT_ROLE_ORDINARY;
}

G_END_DECLS

#endif /* LTT_EVENT_H */
