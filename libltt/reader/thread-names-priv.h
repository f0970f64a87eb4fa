/* thread-names-priv.h - names of threads and processes at any time of a trace.
 *
 * Events of several facilities in control/processes contain names. An event with a number field pid
 * and a string field name sets the name of that process, from the time of the event on. If it also
 * has a number field tid, it sets the name of that thread only. A thread without its own name has
 * that of its process.
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

/* Calls a function with each name, in any order; equal names may come several times. */
void ltt_thread_names_visit(const LttThreadNames *names,
			    void (*visit)(const char *name, gpointer user_data),
			    gpointer user_data);

/* Returns: whether the event sets the name of a thread or process */
gboolean ltt_thread_names_takes(const LttEvent *event);

/* @span: (out): the name of the thread of @event at its time, and the time span of that name. The
 * name is NULL if it is unknown or the event has no known thread */
void ltt_thread_names_find(const LttThreadNames *names, const LttEvent *event, LttNameSpan *span);

#endif
