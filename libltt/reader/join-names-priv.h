/* join-names-priv.h - names for the tracefiles of joined traces. */
#ifndef LTT_JOIN_NAMES_PRIV_H
#define LTT_JOIN_NAMES_PRIV_H

#ifndef LTT_BUILDING
#error "join-names-priv.h is private to libltt; use <ltt/ltt-join.h>"
#endif

#include "reader/trace-priv.h"

#include <string.h>

typedef struct LttJoinCpus {
	guint n_cpus;            /* number of CPUs */
	guint n_lanes;           /* number of lanes, which follow the CPUs */
	gboolean is_one_machine; /* all traces were recorded in one boot of one machine */
} LttJoinCpus;

/* Returns: the index of the first trace, up to @i, of the machine of trace number @i */
guint ltt_join_find_machine(LttTrace *const *traces, guint i);

/* Sets machine of each trace, and first_cpu, the number of its first CPU in the joined trace. */
LttJoinCpus ltt_join_number_cpus(LttTrace *const *traces, guint n_traces);

/* Names the tracefiles of a trace. @number: its index, from 1. @cpus: (inout): the lanes are added.
 * @taken: (inout): the names of control files so far, borrowed; those of this trace are added */
void ltt_join_name(LttTrace *trace, guint number, LttJoinCpus *cpus, GHashTable *taken);

#endif
