/* states-priv.h - counts of an LttStates, for the summaries of the jobs that read it. */
#ifndef LTT_STATES_PRIV_H
#define LTT_STATES_PRIV_H

#ifndef LTT_BUILDING
#error "states-priv.h is private to libltt; use <ltt/ltt-states.h>"
#endif

#include <ltt/ltt-states.h>

/* Returns: the number of events read so far that say something about states */
guint64 ltt_states_get_n_events(const LttStates *states);

/* Returns: the number of times that events were lost, or contradicted each other */
guint64 ltt_states_get_n_gaps(const LttStates *states);

#endif
