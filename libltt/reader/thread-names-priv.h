/* thread-names-priv.h - what threads and processes are called, at any time of a trace.
 *
 * A control/processes tells names in events of several facilities: each that has a number called
 * pid and a string called name gives a process that name, from its time on; with a number called
 * tid, it gives it to that thread alone. A thread without a name of its own has that of its
 * process.
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

/* A name, and the times at which it is the one of its thread: from inclusive, to exclusive. */
typedef struct LttNameSpan {
	const char *name; /* lives as long as the names */
	guint64 from_ns;
	guint64 to_ns;
} LttNameSpan;

/* Returns: (transfer none): the names as the trace tells them when this is called first, for any
 * number of threads; belongs to the trace, or to the joined one that it is a member of */
const LttThreadNames *ltt_trace_get_thread_names(LttTrace *trace);
void ltt_thread_names_free(LttThreadNames *names); /* NULL is allowed and ignored */

/* @span: (out): what the thread of @event is called at its time, and the times at which it is; the
 * name is NULL where none is known, or the event is of no known thread */
void ltt_thread_names_find(const LttThreadNames *names, const LttEvent *event, LttNameSpan *span);

#endif
