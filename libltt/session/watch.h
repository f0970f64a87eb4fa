/* watch.h - what `ltt record` does while a session runs: feed it, look after it, sum it up. */
#ifndef LTTP_WATCH_H
#define LTTP_WATCH_H

#include "session/session.h"

/* How a session has come along. */
struct lttp_totals {
	uint64_t bytes; /* written into tracefiles, those that a flight recorder dropped too */
	uint64_t lost;  /* events of the programs */
	uint64_t control_lost; /* events that say which processes there were */
	uint64_t processes;    /* that have joined */
	uint32_t refused;      /* processes and facilities that could not join: head->refusals */
};
void lttp_session_sum(const struct lttp_session *session, struct lttp_totals *totals);

/* What a refusal means, as half a sentence: "its time namespace is another". */
const char *lttp_refusal_text(uint32_t reason);

/* What is remembered from one feeding to the next: for each tracefile how many blocks were used;
 * and when to look at the processes again. */
struct lttp_feed {
	uint64_t look_cycles;
	uint32_t files;
	uint32_t *used;
};

/* Readies feeding; -ENOMEM. To be undone by lttp_feed_close(). */
int lttp_feed_open(struct lttp_feed *feed, const struct lttp_session *session);
void lttp_feed_close(struct lttp_feed *feed);

/* Writes what processes have said of themselves into control/processes, and allocates blocks ahead
 * of the writers, so that they need not do it: for each tracefile twice as many as were used since
 * the last time. A failure is for the writer to find.
 *
 * Returns: after how many nanoseconds to come again */
uint64_t lttp_feed_session(struct lttp_feed *feed, struct lttp_session *session);

/* Says that the caller looks after the session and will end it, until it closes what this returns,
 * or dies: whoever follows the trace then waits for the end. A file descriptor, or -errno. */
int lttp_session_keep(const struct lttp_session *session);

/* How many of the processes under way are alive; one that has executed another program is, too. */
uint32_t lttp_session_count_living(const struct lttp_session *session);

/* Writes process_exit for each process that has gone without a word, with a status that is not
 * known; before it process_start, where the process did not get to that either. */
void lttp_session_bury(struct lttp_session *session);

/* Writes process_exit for a process of which the caller knows the status (as in events: 0 to 255,
 * or minus a signal), unless the process did so itself; process_start likewise. */
void lttp_session_bury_one(struct lttp_session *session, uint32_t pid, int32_t status);

#endif /* LTTP_WATCH_H */
