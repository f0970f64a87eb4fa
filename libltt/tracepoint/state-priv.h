/* state-priv.h - tracepoints that determine the states of threads and CPUs.
 *
 * Recordings of the kernel and imported ones describe these events with the attribute `ltt:state`
 * (doc/format.md, 8.10), so that readers need not know the names of tracepoints.
 */
#ifndef LTT_TRACEPOINT_STATE_PRIV_H
#define LTT_TRACEPOINT_STATE_PRIV_H

#ifndef LTT_BUILDING
#error "tracepoint/state-priv.h is private to libltt"
#endif

#include <glib.h>

/* Returns: (transfer full) (nullable): the value of the attribute; NULL: the tracepoint has none */
char *ltt_tracepoint_state(const char *system, const char *name);

#endif
