/* control.h - events in control/processes, which any process may append to.
 *
 * They are entered in the journal of the session state (journal.h) and from there written to the
 * file by whoever comes next: mostly the process itself, which has the file anchored (anchor.h),
 * else the recorder. There is no lock, and nobody waits. A process event that finds no room is counted
 * (LTTP_LOST_PROCESS_EVENT), apart from the events of programs.
 */
#ifndef LTTP_CONTROL_H
#define LTTP_CONTROL_H

#include "session/session.h"

#include <stdbool.h>

/* Makes control/processes for a new session. -errno */
int lttp_control_create(struct lttp_session *session);

/* Writes an event at the present time, of up to half a block, before anybody has joined. -errno */
int lttp_control_begin(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size);

/* Appends an event at the present time, with a payload of at most LTTP_NOTICE_BYTES. @spot:
 * (nullable): set to its place in the file (LTTP_SPOT()) before it counts. Returns: 0; -errno if
 * the event was not appended */
int lttp_control_append(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size,
			uint64_t *spot);

/* Whether the file has an allocated block after the one that the next event goes to. */
bool lttp_control_has_spare(struct lttp_head *head);

/* Writes the journal into the file, as far as there is room. Returns whether that was all. */
bool lttp_control_commit(struct lttp_session *session);

/* For a process that may allocate: the same, and allocates blocks ahead. Returns: 0, or the -errno
 * with which it could not allocate */
int lttp_control_tend(struct lttp_session *session);

/* Where the file ends with the events that came before @cycles. -errno; -EAGAIN if the journal does
 * not go back so far */
int lttp_control_place(struct lttp_session *session, uint64_t cycles, struct lttp_place *place);

/* Makes the reserve available that is kept for the end of the session. */
void lttp_control_use_reserve(struct lttp_session *session);

/* Writes the number of events that were lost and belong to no tracefile, and closes the last block.
 * Counts process events of the journal for which the file has no room as lost. */
void lttp_control_close(struct lttp_session *session, uint64_t lost);

#endif /* LTTP_CONTROL_H */
