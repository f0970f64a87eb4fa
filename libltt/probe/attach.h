/* attach.h - how a running process comes to trace into a session that somebody else has made.
 *
 * In its constructor the process claims a slot of its user's attach file (attach-layout.h) and maps
 * a page of it over the switches that its off checks load. From then on nothing happens until
 * `ltt attach` writes a wish into the slot and turns the switches on. The next event then comes to
 * the slow path, which joins the session: in the thread that traced the event, without a signal or
 * a thread of ours. When the switches are turned off no event comes here any more, and the process
 * leaves when it is wished for the next time.
 *
 *	              +--------------------- ltt_probe_stop() ---------------------+
 *	              v                                                            |
 *	    shared: idle <--- the wish goes ---- shared: attached          private: traces by
 *	              |                             ^                      `ltt record` or
 *	              +---- a wish, and an event ---+                      ltt_probe_start()
 *	              |                                                            ^
 *	              +------------------- ltt_probe_start() ----------------------+
 *
 * A process that traces for another reason has its switches to itself, so that its children, which
 * share the slot, are not turned on and off with it.
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
	uint32_t shared; /* whether the switches of programs and libraries are those of the slot */
	uint32_t seen;   /* the last revision of the wish that was acted on */
	uint32_t generation; /* of the session that was joined by a wish; 0: none */
	uint32_t transit;    /* a session is being joined or left: no event now */
	uint64_t retry_ns;   /* when to try again what other threads stood in the way of */
};
extern struct lttp_attach lttp_attach;

/* Claims a slot, if the process may be attached; once, in the constructor. */
void lttp_attach_claim(void);

/* Joins or leaves what the wish says, unless that is not possible now. */
void lttp_attach_follow(void);

/* Leaves a session of `ltt record` that has ended, so that the process can be attached; unless that
 * is not possible now. */
void lttp_attach_release(void);

/* Whether lttp_attach_follow() has something to do. */
static inline bool lttp_attach_is_due(void)
{
	return lttp_attach.control != NULL && __atomic_load_n(&lttp_attach.control->wish.revision,
							      __ATOMIC_ACQUIRE) != lttp_attach.seen;
}

/* How an event got into the slow path. */
enum lttp_pass {
	LTTP_PASS_NONE = 0, /* it did not: no event now */
	LTTP_PASS,
	LTTP_PASS_WISHED, /* in a session that `ltt attach` wishes */
};

/* Before the slow path of an event: does what a wish asks for. */
enum lttp_pass lttp_attach_enter(const struct ltt_probe_facility *facility);

/* Before anything else that touches files of the session. */
enum lttp_pass lttp_attach_pass(void);

/* Behind either. */
void lttp_attach_exit(enum lttp_pass pass);

/* Notes that the process has left, by itself, the session that it had joined by a wish. */
void lttp_attach_withdraw(void);

/* For a forked child, in which no thread but this one is there. */
void lttp_attach_reset(void);

/* The rest with the list of facilities locked (facility.h). */

/* Maps the switches of the library that a facility is in, and offers the facility in the slot. */
void lttp_attach_add(struct ltt_probe_facility *facility);

/* Takes the switches out of the slot, for a process that traces for another reason, and puts them
 * back. */
void lttp_attach_make_private(struct ltt_probe_facility *facilities);
void lttp_attach_make_shared(struct ltt_probe_facility *facilities);

#endif /* LTTP_ATTACH_H */
