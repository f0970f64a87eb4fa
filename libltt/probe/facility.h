/* facility.h - the facilities that the program and its libraries know. */
#ifndef LTTP_FACILITY_H
#define LTTP_FACILITY_H

#include "session.h"

/* Puts a facility into the list, and turns it on in a session under way that wants it; one that is
 * there already stays as it is. */
void lttp_facilities_add(struct ltt_probe_facility *facility);

/* Turns it off and takes it out. No thread is in a sequence of its library after this. */
void lttp_facilities_remove(struct ltt_probe_facility *facility);

/* Turns on, in a session just joined, those that it wants. */
void lttp_facilities_on(void);

/* Turns all off. */
void lttp_facilities_off(void);

/* Tries again to load a facility that is on and could not be loaded. */
void lttp_facility_retry(struct ltt_probe_facility *facility);

/* Why a facility that is on has no base code. */
enum lttp_loss lttp_facility_loss(const struct ltt_probe_facility *facility);

/* Around a fork, so that the child does not find the list half changed. */
void lttp_facilities_lock(void);
void lttp_facilities_unlock(void);

#endif /* LTTP_FACILITY_H */
