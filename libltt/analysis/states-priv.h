/* states-priv.h - an LttStates, and what reads it besides ltt_states_next(). */
#ifndef LTT_STATES_PRIV_H
#define LTT_STATES_PRIV_H

#ifndef LTT_BUILDING
#error "states-priv.h is private to libltt; use <ltt/ltt-states.h>"
#endif

#include "analysis/state-cpus-priv.h"
#include "analysis/state-types-priv.h"

#include <ltt/ltt-merge.h>

struct LttStates {
	LttSelect *select;
	LttMerge *merge;
	LttStateTypes types;
	LttStateThreads threads;
	GPtrArray *cpus;          /* of LttStateCpu */
	GHashTable *by_tracefile; /* LttTracefile to LttStateCpu */
	GStringChunk *names;      /* of the system calls of saved states */
	LttStatesEventFunc on_event;
	gpointer event_data;
	guint n_given;
	gboolean is_cut; /* events that follow are not read: open stretches do not end */
	gboolean has_ended;
	guint64 last_ns;
	guint64 n_events;
};

typedef struct LttStatesRange {
	guint64 from_ns; /* stretches are cut to [from_ns, to_ns) */
	guint64 to_ns;
	guint64 first_ns; /* events are read from first_ns up to until_ns; G_MAXUINT64: to the end */
	guint64 until_ns;
} LttStatesRange;

/* Returns: (transfer full): states without any thread or CPU so far */
LttStates *ltt_states_make(LttTrace *trace, const LttStatesRange *range);

/* Returns: the number of events read so far that say something about states */
guint64 ltt_states_get_n_events(const LttStates *states);

/* Returns: the number of times that events were lost, or contradicted each other */
guint64 ltt_states_get_n_gaps(const LttStates *states);

#endif
