/* facility.h - the facilities that the program and its libraries know. */
#ifndef LTTP_FACILITY_H
#define LTTP_FACILITY_H

#include "session.h"

/* Turns on, in a session just joined, those that it wants. */
void lttp_facilities_on(void);

/* Turns all off. */
void lttp_facilities_off(void);

/* Tries again to load a facility that is on and could not be loaded. */
void lttp_facility_retry(struct ltt_probe_facility *facility);

/* Around a fork, so that the child does not find the list half changed. */
void lttp_facilities_lock(void);
void lttp_facilities_unlock(void);

#endif /* LTTP_FACILITY_H */
