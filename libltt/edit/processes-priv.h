/* processes-priv.h - which processes there are when a cut begins. */
#ifndef LTT_PROCESSES_PRIV_H
#define LTT_PROCESSES_PRIV_H

#ifndef LTT_BUILDING
#error "edit/processes-priv.h is private to libltt"
#endif

#include "edit/edit-priv.h"

/* The events of control/processes that tell of the processes that are alive where the window of a
 * cut begins and of their threads, one for each. */
typedef struct LttAlive LttAlive;

/* Returns: NULL if there is nothing that a dump would not show */
LttAlive *ltt_alive_new(const LttEdit *edit, LttTracefile *tracefile);
void ltt_alive_free(LttAlive *alive); /* NULL is allowed and ignored */

/* Whether @event, which is not wanted for itself, tells of a process that is alive. */
gboolean ltt_alive_has(const LttAlive *alive, const LttEvent *event);

/**
 * ltt_alive_convert:
 * Dumps show processes.process, which so cannot be kept; tracer.process_start they hide.
 *
 * @payload: gets the payload of a tracer.process_start that says the same, where @event is none
 * Returns: its id; that of @event, and nothing in @payload, if it is one
 */
guint16 ltt_alive_convert(const LttAlive *alive, const LttEvent *event, GByteArray *payload);

#endif
