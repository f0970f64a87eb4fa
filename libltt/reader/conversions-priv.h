/* conversions-priv.h - write the conversions of the times of joined traces (ltt-conversions.h). */
#ifndef LTT_CONVERSIONS_PRIV_H
#define LTT_CONVERSIONS_PRIV_H

#ifndef LTT_BUILDING
#error "conversions-priv.h is private to libltt; use <ltt/ltt-conversions.h>"
#endif

#include "reader/trace-priv.h"

/* Sets the attribute of the joined @system: the conversions of the members' own systems, then those of
 * their maps; removes it if there are none. */
void ltt_conversions_join(LttSystem *system, LttTrace *const *traces, guint n_traces);

#endif
