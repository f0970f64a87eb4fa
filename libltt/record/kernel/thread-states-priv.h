/* thread-states-priv.h - the states of threads at the begin of a recording of the kernel.
 *
 * They are read after the events of the kernel were enabled, so that a later change of a state has an
 * event in the trace. A reader ignores the state of a thread that has an earlier event.
 */
#ifndef LTT_RECORD_KERNEL_THREAD_STATES_PRIV_H
#define LTT_RECORD_KERNEL_THREAD_STATES_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/thread-states-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "session/session.h"

#include <ltt/ltt-error.h>

/* Loads the facility. @base: (out): its first event id. Returns: FALSE with LTT_ERROR_IO or
 *   LTT_ERROR_LIMIT. To be called before events are enabled */
gboolean ltt_thread_states_load(struct lttp_session *session, guint32 *base, GError **error);

/* Writes the states to control/processes. @pid: only of this process, to which the recording is
 * limited; 0: of all */
void ltt_thread_states_write(struct lttp_session *session, guint32 base, guint32 pid);

#endif
