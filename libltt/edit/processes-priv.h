/* processes-priv.h - the processes that are alive at the start of a cut. */
#ifndef LTT_PROCESSES_PRIV_H
#define LTT_PROCESSES_PRIV_H

#ifndef LTT_BUILDING
#error "edit/processes-priv.h is private to libltt"
#endif

#include "edit/edit-priv.h"

/* For each process that is alive at the start of the window, and for each of its threads, the event
 * of control/processes that describes it. */
typedef struct LttAlive LttAlive;

/* Returns: (transfer full) (nullable): NULL if all of these events are within the window */
LttAlive *ltt_alive_new(const LttEdit *edit, LttTracefile *tracefile);
void ltt_alive_free(LttAlive *alive); /* NULL is allowed and ignored */

/* Returns: whether an unselected event describes a process that is alive */
gboolean ltt_alive_has(const LttAlive *alive, const LttEvent *event);

/**
 * ltt_alive_convert:
 * @payload: receives the payload, if @event is converted
 *
 * Converts @event to a tracer.process_start with the same contents. Dumps hide this event, but show
 * processes.process, which a cut therefore cannot keep.
 *
 * Returns: the id of tracer.process_start; if @event needs no conversion, its own id, with @payload
 *   empty
 */
guint16 ltt_alive_convert(const LttAlive *alive, const LttEvent *event, GByteArray *payload);

#endif
