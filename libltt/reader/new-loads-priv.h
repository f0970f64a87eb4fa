/* new-loads-priv.h - facilities that programs load into a live trace while it is read.
 *
 * The loads of a trace are read when it is opened. A program that joins the recording later adds a
 * load to control/facilities before it writes its first event, so an event with an unknown id is
 * damage only if control/facilities has no load for it by now.
 *
 * Other threads may hold blocks that refer to the slots of the trace. So a new load does not change
 * them: it goes into a copy.
 */
#ifndef LTT_NEW_LOADS_PRIV_H
#define LTT_NEW_LOADS_PRIV_H

#ifndef LTT_BUILDING
#error "new-loads-priv.h is private to libltt"
#endif

#include "reader/slots-priv.h"

typedef struct LttNewLoads LttNewLoads;

LttNewLoads *ltt_new_loads_new(void);
void ltt_new_loads_free(LttNewLoads *news); /* NULL is allowed and ignored */

/* Reads the loads that control/facilities of a live trace got since the last call. Any number of
 * threads may call it.
 *
 * Returns: (transfer none): slots with all loads so far, which do not change, valid as long as the
 *   trace; the same ones as before if there are no new loads, at first those of the trace */
LttSlots *ltt_trace_get_new_slots(LttTrace *trace);

/* Hides the facilities that were loaded after the trace was opened, for a reader that uses the loads as they were, until
 * ltt_trace_release_loads(). The last block of a file then ends before its first event of such a facility; in other
 * blocks, which have later events behind them, it is damage. @trace: may be joined */
void ltt_trace_hold_loads(LttTrace *trace);
void ltt_trace_release_loads(LttTrace *trace);

/* Returns: whether the loads of @trace are held and a facility with the event @id was loaded after it was opened */
gboolean ltt_trace_holds_back(LttTrace *trace, guint16 id);

#endif
