/* control.h - events in control/processes, which any process may append to.
 *
 * They are entered in the journal of the session state (journal.h) and from there written to the
 * file by whoever comes next: mostly the process itself, which has the file anchored (anchor.h),
 * else the recorder. There is no lock, and nobody waits. An event that finds no room is counted
 * (lttp_head.control_lost), apart from those of the programs.
 */
#ifndef LTTP_CONTROL_H
#define LTTP_CONTROL_H

#include "session/session.h"

#include <stdbool.h>

/* Makes control/processes for a new session. -errno */
int lttp_control_create(struct lttp_session *session);

/* Writes an event at the present time, of up to half a block, before anybody has joined. -errno */
int lttp_control_begin(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size);

/* Appends the event with the payload @bytes, at most LTTP_NOTICE_BYTES, at the present time.
 * -errno; then it is not there. */
int lttp_control_note(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size);

/* The path of an executable, with the 0 at its end; what is longer is cut. */
enum { LTTP_EXECUTABLE_BYTES = 513 };

/* Process events of the tracer facility. Where they are is noted in the slot of the process before
 * they count; NULL: it has none. */
void lttp_control_process_start(struct lttp_session *session, struct lttp_process_slot *slot,
				const char *executable);
void lttp_control_process_exit(struct lttp_session *session, struct lttp_process_slot *slot,
			       uint32_t pid, int32_t status);

/* A process_start with what the slot of a process that is dead says of it. */
void lttp_control_process_started(struct lttp_session *session,
				  const struct lttp_process_slot *slot);

/* Whether the event that a process was to write at @spot (LTTP_SPOT(); 0: nowhere) is there: one
 * with the id @id that begins with @pid. For who knows that the process is dead. */
bool lttp_control_tells(struct lttp_session *session, uint64_t spot, uint16_t id, uint32_t pid);

#define LTTP_STATUS_UNKNOWN INT32_MIN

/* Writes the journal into the file, as far as there is room. Returns whether that was all. */
bool lttp_control_commit(struct lttp_session *session);

/* For who may allocate: the same, with room for more. */
void lttp_control_tend(struct lttp_session *session);

/* Where the file ends with the events that came before @cycles. -errno; -EAGAIN if the journal does
 * not go back so far */
int lttp_control_place(struct lttp_session *session, uint64_t cycles, struct lttp_place *place);

/* Says how many events were lost that no tracefile could tell of, and closes the last block. */
void lttp_control_close(struct lttp_session *session, uint64_t lost);

#endif /* LTTP_CONTROL_H */
