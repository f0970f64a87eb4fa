/* facility.h - the facilities that the program and its libraries know. */
#ifndef LTTP_FACILITY_H
#define LTTP_FACILITY_H

#include "session/session.h"

#include <stdbool.h>

/* Puts a facility into the list, and turns it on in a session under way that wants it; one that is
 * there already stays as it is. */
void lttp_facilities_add(struct ltt_probe_facility *facility);

/* Turns it off and takes it out. No thread is in a sequence of its library after this. */
void lttp_facilities_remove(struct ltt_probe_facility *facility);

/* Turns on, in a session just joined, those that it wants. With the list locked. */
void lttp_facilities_on(void);

/* Turns all off. With the list locked. */
void lttp_facilities_off(void);

/* Puts the switches of all into the slot of the process (attach.h), or takes them out of it. With
 * the list locked. */
void lttp_facilities_share(bool shared);

/* Turns off one whose session has ended. */
void lttp_facility_end(struct ltt_probe_facility *facility);

/* Tries again to load a facility that is on and could not be loaded. */
void lttp_facility_retry(struct ltt_probe_facility *facility);

/* Why a facility that is on has no base code. */
enum lttp_loss lttp_facility_loss(const struct ltt_probe_facility *facility);

/* The lock of the list; also held around a fork, so that the child does not find it half changed,
 * and by whoever joins or leaves a session. */
void lttp_facilities_lock(void);
bool lttp_facilities_trylock(void);
void lttp_facilities_unlock(void);

#endif /* LTTP_FACILITY_H */
