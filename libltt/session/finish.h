/* finish.h - end a session and complete its trace. */
#ifndef LTTP_FINISH_H
#define LTTP_FINISH_H

#include "session/session.h"

#include <stdbool.h>

/* Ends the session: no process can join, and processes write no event that begins after the return
 * of this function. May be called twice. */
void lttp_session_end(struct lttp_session *session);

/* State of the trace. */
enum lttp_finished {
	LTTP_FINISHED,      /* all blocks are closed, and the session state is removed */
	LTTP_FINISHED_SEEN, /* processes have it open; some blocks may be open */
};

/* Ends the session, closes the open blocks, and, if no process is attached, truncates the files to
 * their used part and removes the session state. @session: opened with LTTP_SESSION_WATCH. @quiet:
 * attached processes are known not to touch any tracefile, as after `ltt attach`
 * (record/attachment.c) */
enum lttp_finished lttp_session_finish(struct lttp_session *session, bool quiet);

/* Waits until no event is being written to a lane whose gate has been shut, and none can be. A step in
 * progress may have passed a cut and opened the gate again; so the gate is shut again after the event,
 * when no further step can begin because the session is not running. Subtracts the number of checks from
 * *@patience. Returns: false if *@patience is used up */
bool lttp_session_shut_lane(struct lttp_session *session, uint32_t number, unsigned *patience);

#endif /* LTTP_FINISH_H */
