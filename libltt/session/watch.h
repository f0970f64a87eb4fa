/* watch.h - supervise a session in the recorder: allocate space, sum up. */
#ifndef LTTP_WATCH_H
#define LTTP_WATCH_H

#include "session/session.h"

/* Totals of a session. */
struct lttp_totals {
	uint64_t bytes;        /* of all blocks, including those that a flight recorder overwrote */
	uint64_t lost;         /* lost events of the programs */
	uint64_t control_lost; /* lost process_start and process_exit events */
	uint64_t processes;    /* number of processes that joined */
	uint32_t refused;      /* processes and facilities that could not join: head->refusals */
};
void lttp_session_sum(const struct lttp_session *session, struct lttp_totals *totals);

/* Returns: the meaning of a refusal: "it is in another time namespace" */
const char *lttp_refusal_text(uint32_t reason);

/* State between two calls of lttp_feed_session(): the used blocks of each tracefile, and when to
 * check the processes again. */
struct lttp_feed {
	uint64_t look_cycles;
	uint32_t files;
	uint32_t *used;
};

/* Returns: 0 or -ENOMEM. Close it with lttp_feed_close(). */
int lttp_feed_open(struct lttp_feed *feed, const struct lttp_session *session);
void lttp_feed_close(struct lttp_feed *feed);

/* Writes the journal to control/processes, reports losses, frees the slots of dead processes, and
 * allocates blocks in advance: for each tracefile twice as many as were used since the last call.
 * Ignores failures; the writer finds them.
 *
 * Returns: nanoseconds until the next call */
uint64_t lttp_feed_session(struct lttp_feed *feed, struct lttp_session *session);

/* Declares that the caller supervises the session and will end it, until it closes the returned
 * file descriptor or dies. `ltt dump --follow` waits for that end. Returns: the descriptor or
 * -errno */
int lttp_session_keep(const struct lttp_session *session);

#endif /* LTTP_WATCH_H */
