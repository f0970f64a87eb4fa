/* control.h - events in control/processes, which any process may append to.
 *
 * Rare and slow, so they are written under a lock that the kernel drops when its owner dies. It is
 * waited for only so long: its owner may be stopped. An event for which that was not long enough,
 * or the disk too full, is counted.
 */
#ifndef LTTP_CONTROL_H
#define LTTP_CONTROL_H

#include "session.h"

#include <stdbool.h>

/* Makes control/processes for a new session. -errno */
int lttp_control_create(struct lttp_session *session);

/* Appends the event with the payload @bytes, at the present time. -errno; then it counts as lost.
 */
int lttp_control_append(struct lttp_session *session, uint16_t id, const void *bytes,
			uint32_t size);

/* The same for an event that does not count when it could not be written. */
int lttp_control_note(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size);

/* Process events of the tracer facility. Where they are is noted in the slot of the process before
 * they count; NULL: it has none. */
void lttp_control_process_start(struct lttp_session *session, struct lttp_process_slot *slot);
void lttp_control_process_exit(struct lttp_session *session, struct lttp_process_slot *slot,
			       uint32_t pid, int32_t status);

/* A process_start with what the slot of a process that is dead says of it. */
void lttp_control_process_started(struct lttp_session *session,
				  const struct lttp_process_slot *slot);

/* Whether the event that a process was to write at @spot (LTTP_SPOT(); 0: nowhere) is there: one
 * with the id @id that begins with @pid. For who knows that the process is dead. */
bool lttp_control_tells(const struct lttp_session *session, uint64_t spot, uint16_t id,
			uint32_t pid);

#define LTTP_STATUS_UNKNOWN INT32_MIN

/* Keeps others from appending; 0 or -errno, -EBUSY if that could not be had in time. */
int lttp_control_lock(const struct lttp_session *session, int *fd);
void lttp_control_unlock(int fd);

/* Where the file ends, for who holds the lock @fd. -errno */
int lttp_control_place(const struct lttp_session *session, int fd, struct lttp_place *place);

/* Says how many events were lost that no tracefile could tell of, and closes the last block. */
void lttp_control_close(struct lttp_session *session, uint64_t lost);

#endif /* LTTP_CONTROL_H */
