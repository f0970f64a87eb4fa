/* process-events.h - process_start and process_exit in control/processes.
 *
 * A process writes both events itself. Before either one counts, its place in the file is noted in
 * the slot of the process. If the process is killed, the recorder thus finds out which of them are
 * missing and writes these. An event that cannot be written is counted (LTTP_LOST_PROCESS_EVENT).
 */
#ifndef LTTP_PROCESS_EVENTS_H
#define LTTP_PROCESS_EVENTS_H

#include "session/session.h"

#include <stdbool.h>

/* Size of the path of an executable with its final 0; longer ones are truncated. */
enum { LTTP_EXECUTABLE_BYTES = 513 };

/* Writes the process_start of this process. @slot: (nullable): its slot */
void lttp_process_events_start(struct lttp_session *session, struct lttp_process_slot *slot,
			       const char *executable);

/* Writes the process_start of a dead process from its slot. */
void lttp_process_events_add_start(struct lttp_session *session,
				   const struct lttp_process_slot *slot);

#define LTTP_STATUS_UNKNOWN INT32_MIN

/* Writes a process_exit. @slot: (nullable): of the process */
void lttp_process_events_exit(struct lttp_session *session, struct lttp_process_slot *slot,
			      uint32_t pid, int32_t status);

/* Whether the event that a dead process was to write at @spot (LTTP_SPOT(); 0: none) exists: an
 * event with the id @id that begins with @pid. */
bool lttp_process_events_has(struct lttp_session *session, uint64_t spot, uint16_t id,
			     uint32_t pid);

#endif /* LTTP_PROCESS_EVENTS_H */
