/* thread-names-priv.h - names of threads and processes at any time of a trace.
 *
 * An event with a name (name-event-priv.h) sets it from the time of the event on. A thread without its own
 * name has that of its process.
 *
 *	tid 7:  [ 1.0 bash | 1.5 ls ]        pid 5:  [ 0.2 server ]
 */
#ifndef LTT_THREAD_NAMES_PRIV_H
#define LTT_THREAD_NAMES_PRIV_H

#ifndef LTT_BUILDING
#error "thread-names-priv.h is private to libltt"
#endif

#include <ltt/ltt-event.h>
#include <ltt/ltt-trace.h>

typedef struct LttThreadNames LttThreadNames;

/* A name, and the time span in which a thread has it: from inclusive, to exclusive. */
typedef struct LttNameSpan {
	const char *name; /* valid as long as the names */
	guint64 from_ns;
	guint64 to_ns;
} LttNameSpan;

/* Returns: (transfer none): the names that the trace contains at the first call, and those that
 * ltt_trace_update_thread_names() adds; owned by the trace, or by the joined trace that it is a
 * member of. Any number of threads may use them, but only one while the trace is followed */
const LttThreadNames *ltt_trace_get_thread_names(LttTrace *trace);

/* Adds the names that were recorded since the last call, if names are in use. For a trace that is
 * followed, whose files contain all events up to @horizon_ns. */
void ltt_trace_update_thread_names(LttTrace *trace, guint64 horizon_ns);

/* Reads the names again, if they are in use, after the trace was followed or its recording has ended. */
void ltt_trace_complete_thread_names(LttTrace *trace);
void ltt_thread_names_free(LttThreadNames *names); /* NULL is allowed and ignored */

/* @span: (out): the name of the thread of @event at its time, and the time span of that name. The
 * name is NULL if it is unknown or the event has no known thread */
void ltt_thread_names_find(const LttThreadNames *names, const LttEvent *event, LttNameSpan *span);

/* Returns: (nullable): the name of a process at a time; NULL: unknown */
const char *ltt_thread_names_find_process(const LttThreadNames *names, guint host, guint32 pid,
					  guint64 time_ns);

#endif
