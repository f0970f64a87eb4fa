/* events-priv.h - the tracepoints of a recording, and the events that they become. */
#ifndef LTT_RECORD_KERNEL_EVENTS_PRIV_H
#define LTT_RECORD_KERNEL_EVENTS_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/events-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "record/kernel/core-priv.h"
#include "record/kernel/tracefs-priv.h"
#include "session/session.h"
#include "tracepoint/raw-priv.h"

/* The meaning of an event for threads (threads-priv.h). */
typedef enum LttKernelNote {
	LTT_NOTE_NONE,
	LTT_NOTE_NAME,
	LTT_NOTE_NEW_TASK,
	LTT_NOTE_EXIT,
} LttKernelNote;

/* A tracepoint becomes an event of core, or one of its own type. */
typedef struct LttKernelEvent {
	char *system;
	LttTracepoint *tracepoint;
	const LttCoreMapping *mapping; /* NULL: own type */
	LttCoreFields fields;          /* of the mapping */
	LttRawPlan *plan;              /* NULL: an event of core */
	guint16 id;                    /* in the trace */
	LttKernelNote note;
	const LttTracepointField *note_fields[2]; /* thread id; name or flags */
} LttKernelEvent;

typedef struct LttKernelEvents {
	GPtrArray *events;      /* of LttKernelEvent, ordered by system and name */
	GPtrArray *by_id;       /* LttKernelEvent by the kernel's id; NULL: another tracepoint */
	gboolean has_new_tasks; /* one of them is noted as LTT_NOTE_NEW_TASK */
} LttKernelEvents;

typedef gboolean (*LttKernelWants)(const char *system, const char *name);

/**
 * ltt_kernel_events_init:
 * @selection: names of sets, "SYSTEM:NAME" or "SYSTEM", with globs, separated by commas
 * @wants: (nullable): whether to take a selected tracepoint; NULL: all
 *
 * Finds the tracepoints and reads their formats.
 *
 * Returns: FALSE, with nothing to clear, with
 *   LTT_ERROR_INVALID  a part of @selection matches no tracepoint of this kernel
 *   LTT_ERROR_IO       tracefs could not be read
 */
gboolean ltt_kernel_events_init(LttKernelEvents *events, const LttTracefs *tracefs,
				const char *selection, LttKernelWants wants, GError **error);
void ltt_kernel_events_clear(LttKernelEvents *events);

/* Removes the events for which @keeps returns FALSE. Called before they are loaded. */
void ltt_kernel_events_restrict(LttKernelEvents *events,
				gboolean (*keeps)(const LttKernelEvent *event, gpointer data),
				gpointer data);

/* Loads their facilities into the session and sets the ids. Returns: FALSE with LTT_ERROR_IO or
 *   LTT_ERROR_LIMIT */
gboolean ltt_kernel_events_load(LttKernelEvents *events, struct lttp_session *session,
				GError **error);

/* Enables them in the instance. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_kernel_events_enable(const LttKernelEvents *events, const LttTracefs *tracefs,
				  GError **error);

static inline const LttKernelEvent *ltt_kernel_events_find(const LttKernelEvents *events,
							   guint16 kernel_id)
{
	return kernel_id < events->by_id->len ? events->by_id->pdata[kernel_id] : NULL;
}

#endif
