/* finish.h - the end of a session. */
#ifndef LTTP_FINISH_H
#define LTTP_FINISH_H

#include "session/session.h"

#include <stdbool.h>

/* Ends the session: no process joins any more, and those in it write no event that begins after
 * this has returned. May be called twice. */
void lttp_session_end(struct lttp_session *session);

/* What became of a trace. */
enum lttp_finished {
	LTTP_FINISHED,      /* all blocks are closed, nothing but the trace is left */
	LTTP_FINISHED_SEEN, /* processes still have it open; all blocks that could be are closed */
};

/* Ends the session, closes the open blocks, and if no process is attached any more cuts the files
 * to what is used and removes the session state. @session was opened to watch. @quiet: processes
 * that have it open are known to touch no tracefile any more, as `ltt attach` sees to it
 * (attach.c). */
enum lttp_finished lttp_session_finish(struct lttp_session *session, bool quiet);

#endif /* LTTP_FINISH_H */
