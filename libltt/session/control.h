/* control.h - control/processes, to which all processes append events.
 *
 * An event is entered in the journal of the session state (journal.h). Any process can then write
 * it to the file: mostly the process itself, which has the file anchored (anchor.h), or the
 * recorder. There is no lock, and no process waits for another one. A process event that finds no
 * room is counted (LTTP_LOST_PROCESS_EVENT), apart from the events of programs.
 */
#ifndef LTTP_CONTROL_H
#define LTTP_CONTROL_H

#include "session/session.h"

#include <stdbool.h>

/* Creates control/processes of a new session. Returns: 0 or -errno */
int lttp_control_create(struct lttp_session *session);

/* Writes an event of up to half a block at the present time, before any process has joined.
 * Returns: 0 or -errno */
int lttp_control_begin(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size);

/* Appends an event at the present time, with a payload of at most LTTP_NOTICE_BYTES. @spot:
 * (nullable): set to its place in the file (LTTP_SPOT()) before it counts. Returns: 0; -errno if
 * the event was not appended */
int lttp_control_append(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size,
			uint64_t *spot);

/* Whether the file has an allocated block after the one that the next event goes to. */
bool lttp_control_has_spare(struct lttp_head *head);

/* Writes the journal to the file, as far as blocks are allocated. Returns: whether
 * all is written */
bool lttp_control_commit(struct lttp_session *session);

/* For a process that may allocate: the same, and allocates blocks ahead. Returns: 0, or the -errno
 * with which it could not allocate */
int lttp_control_tend(struct lttp_session *session);

/* Finds the end of the events before @cycles. Returns: 0 or -errno; -EAGAIN if the journal does not
 * go back so far */
int lttp_control_place(struct lttp_session *session, uint64_t cycles, struct lttp_place *place);

/* Makes the reserve available that is kept for the end of the session. */
void lttp_control_use_reserve(struct lttp_session *session);

/* Writes the number of events that were lost and belong to no tracefile, and closes the last block.
 * Counts process events of the journal for which the file has no room as lost. */
void lttp_control_close(struct lttp_session *session, uint64_t lost);

#endif /* LTTP_CONTROL_H */
