/* cut.h - the ends of all tracefiles at one value of the counter.
 *
 * A cut is stored in all gates shortly before its time: an event stamped at or after it does not
 * pass. The writer of such an event records the end of the file and opens the gate again:
 *
 *	cpu/0  --e---e---e-|--e---      the writer of the 4th event records the end
 *	cpu/1  ---e--------|------      the gate is still closed: the file has no later event
 *	                  cut       time
 *
 * If a gate is still closed when the time has passed and all writers in progress have finished, its
 * file has no event after the cut.
 */
#ifndef LTTP_CUT_H
#define LTTP_CUT_H

#include "session/session.h"

/* The ends of the tracefiles; current is LTTP_NO_BLOCK for a file without events before the cut. */
struct lttp_cut {
	uint64_t cycles;
	struct lttp_place *places; /* by number of the tracefile, with those of the kernel */
	bool kernel_has_ended;     /* before the cut */
};

/* Returns: the number of places */
static inline uint32_t lttp_cut_places(const struct lttp_head *head)
{
	return lttp_session_files(head) + head->cpus + 1;
}

/* Makes a cut. The caller ensures that there is only one at a time, and allocates
 * lttp_cut_places() of @cut->places. In a flight recorder, events before the cut are not overwritten until lttp_cut_end()
 * (half.h). An event that a stopped thread is writing to a lane lies after the cut.
 *
 * Returns: 0; -EAGAIN if the caller should try again; -ESHUTDOWN if the session has ended;
 * otherwise
 *   -errno */
int lttp_cut_make(struct lttp_session *session, struct lttp_cut *cut);

/* Removes the cut. */
void lttp_cut_end(struct lttp_session *session, const struct lttp_cut *cut);

#endif /* LTTP_CUT_H */
