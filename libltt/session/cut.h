/* cut.h - where each tracefile stands at one value of the counter.
 *
 * A cut is announced to all gates, a little ahead: an event stamped at or behind it does not pass.
 * Its writer first notes how far the file was filled, and then opens the gate again. A file whose
 * gate is still waiting when the moment has passed, and its writers have been waited for, holds
 * nothing from behind it.
 */
#ifndef LTTP_CUT_H
#define LTTP_CUT_H

#include "session/session.h"

/* What of each tracefile lies before the cut; current is LTTP_NO_BLOCK where there is nothing. */
struct lttp_cut {
	uint64_t cycles;
	struct lttp_place *places; /* by number of the file */
};

/* Makes a cut. Only one at a time: the caller sees to that. @cut has room for all files. In a
 * flight recorder what lies before it stays, from whoever passes it, as long as the cut is there
 * (half.h). An event that is being written to a lane by a thread that has been stopped lies behind
 * it.
 *
 * Returns: 0; then it is to be undone by lttp_cut_end(); -EAGAIN if it has to be made again;
 * -ESHUTDOWN if the session has ended; otherwise -errno. */
int lttp_cut_make(struct lttp_session *session, struct lttp_cut *cut);

/* Takes the cut away. */
void lttp_cut_end(struct lttp_session *session, const struct lttp_cut *cut);

#endif /* LTTP_CUT_H */
