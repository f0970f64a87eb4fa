/* attach.h - how a running process joins a session that `ltt attach` has made.
 *
 * In its constructor the process claims a slot of its user's attach file (attach-layout.h) and maps
 * a page of it over the switches that its off checks load:
 *
 *	        slot in the attach file                 program and libraries
 *	        +---------------------+                 +----------------------+
 *	   ,--> | switches            | <== mapped as ==| ltt_probe_switches   | <-- off check
 *	   |    +---------------------+                 +----------------------+
 *	   |    | control: facilities | <== mapped as ==| lttp_attach.control  | <-- slow path
 *	   |,-> |          request    |                 +----------------------+
 *	   ||   +---------------------+
 *	   |`-- 1. `ltt attach` writes the request,
 *	   `--- 2. then turns the switches on.
 *
 * The next event then takes the slow path, which joins the session in the thread that traced it,
 * without a signal or another thread. When the switches are turned off, no event takes the slow path
 * any more; the process leaves the session when the next one is requested.
 *
 *	              +--------------------- ltt_probe_stop() ---------------------+
 *	              v                                                            |
 *	    shared: idle <-- request withdrawn -- shared: attached         private: traced by
 *	              |                             ^                      `ltt record` or
 *	              +-- a request, and an event --+                      ltt_probe_start()
 *	              |                                                            ^
 *	              +------------------- ltt_probe_start() ----------------------+
 *
 * A process that is traced, but not by `ltt attach`, has private switches: its children share the
 * slot, and must not be turned on and off with it.
 */
#ifndef LTTP_ATTACH_H
#define LTTP_ATTACH_H

#include "session/attach-layout.h"

#include <ltt/ltt-probe.h>
#include <stdbool.h>

/* Values of ltt_probe_facility.registered. */
enum {
	LTTP_REGISTERED = 1,
	LTTP_REGISTERED_SHARED, /* its switches are those of the slot */
};

struct lttp_attach {
	struct lttp_attach_control *control; /* NULL: the process cannot be attached */
	uint32_t *switches;                  /* those of the slot */
	size_t page_bytes;
	uint32_t shared;     /* whether the switches are those of the slot */
	uint32_t seen;       /* last revision of the request that was acted on */
	uint32_t generation; /* of the requested session that was joined; 0: none */
	uint32_t transit;    /* a session is being joined or left: do not trace now */
	uint64_t retry_ns;   /* when to retry after other threads were in the slow path */
};
extern struct lttp_attach lttp_attach;

/* Claims a slot, if the process may be attached; once, in the constructor. */
void lttp_attach_claim(void);

/* Joins or leaves a session as requested, unless that is impossible now. */
void lttp_attach_follow(void);

/* Acts on a new request outside of an event. Preserves errno. */
void lttp_attach_heed(void);

/* Leaves a session of `ltt record` that has ended, so that the process can be attached, unless that
 * is impossible now. */
void lttp_attach_release(void);

/* Whether the request has changed since lttp_attach_follow() acted on it. */
static inline bool lttp_attach_is_due(void)
{
	return lttp_attach.control != NULL && __atomic_load_n(&lttp_attach.control->wish.revision,
							      __ATOMIC_ACQUIRE) != lttp_attach.seen;
}

/* Turns off a switch without a request: the program missed the end, or `ltt attach` was killed. */
void lttp_attach_settle(const struct ltt_probe_facility *facility);

/* Results of entering the slow path; others are the generation of the session that `ltt attach` has requested. */
enum {
	LTTP_PASS_NONE = 0, /* not entered: do not trace now */
	LTTP_PASS = 1,
};

/* Enters the slow path for an event, and first acts on a new request. */
uint32_t lttp_attach_enter(const struct ltt_probe_facility *facility);

/* Enters the slow path for anything else that touches files of the session. */
uint32_t lttp_attach_pass(void);

/* Leaves the slow path; @pass is the result of the call that entered it. */
void lttp_attach_exit(uint32_t pass);

/* Before a session is joined or left, with the list of facilities locked: keeps other threads out of
 * the slow path until lttp_attach_open(), and waits for those in it. Returns: false if one is still
 * in it after some milliseconds */
bool lttp_attach_shut(void);
void lttp_attach_open(void);

/* Records that the process itself has left the requested session. */
void lttp_attach_withdraw(void);

/* For a forked child, which has no other threads. */
void lttp_attach_reset(void);

/* The following are called with the list of facilities locked (facility.h). */

/* Maps the switches of the library that contains a facility, and publishes its name in the slot. */
void lttp_attach_add(struct ltt_probe_facility *facility);

/* Replaces the shared switches by private ones, and the other way round. */
void lttp_attach_make_private(struct ltt_probe_facility *facilities);
void lttp_attach_make_shared(struct ltt_probe_facility *facilities);

#endif /* LTTP_ATTACH_H */
