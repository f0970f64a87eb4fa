/* facility.h - the list of facilities of the program and its libraries. */
#ifndef LTTP_FACILITY_H
#define LTTP_FACILITY_H

#include "session/session.h"

#include <stdbool.h>

/* Adds a facility to the list, and turns it on if the current session traces it. Does nothing if it
 * is in the list. */
void lttp_facilities_add(struct ltt_probe_facility *facility);

/* Turns a facility off and removes it. Afterwards no thread is in a sequence of its library. */
void lttp_facilities_remove(struct ltt_probe_facility *facility);

/* Turns on the facilities that a newly joined session traces. With the list locked. */
void lttp_facilities_on(void);

/* Turns all facilities off. With the list locked. */
void lttp_facilities_off(void);

/* Moves all switches to the slot of the process (attach.h), or to private memory. With the list
 * locked. */
void lttp_facilities_share(bool shared);

/* Turns off a facility whose session has ended. */
void lttp_facility_end(struct ltt_probe_facility *facility);

/* Retries to load a facility that is on and could not be loaded. */
void lttp_facility_retry(struct ltt_probe_facility *facility);

/* Returns why a facility that is on has no base code. */
enum lttp_loss lttp_facility_loss(const struct ltt_probe_facility *facility);

/* The lock of the list, also held while the process joins or leaves a session. The thread that has it gets no
 * signals. While a thread is in fork(), the first waits for it for 0.2 seconds at most, and the second fails. */
void lttp_facilities_lock(void);
bool lttp_facilities_trylock(void);
void lttp_facilities_unlock(void);

/* Before and after fork() in the parent, so that the child has a consistent list; and in the child. */
void lttp_facilities_begin_fork(void);
void lttp_facilities_end_fork(void);
void lttp_facilities_reset(void);

#endif /* LTTP_FACILITY_H */
