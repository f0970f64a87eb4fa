/* processes.h - the table of running processes, as the recorder uses it.
 *
 *	free --enter--> owner set --enter--> who set --leave or bury--> free
 *
 * A process enters the table itself (probe/process.c) and can be killed between any two stores. The
 * recorder then frees its slot, and writes the process events that are missing.
 */
#ifndef LTTP_PROCESSES_H
#define LTTP_PROCESSES_H

#include "session/session.h"

#include <stdbool.h>

/* Returns: the number of processes that are alive, including those that executed another program.
 * @all_are_dead: no process holds the lock. Those of other PID namespaces are taken for alive
 * unless it is true. */
uint32_t lttp_processes_count_living(const struct lttp_session *session, bool all_are_dead);

/* Returns: whether half of the slots are in use, so that others may soon find none */
bool lttp_processes_are_many(const struct lttp_session *session);

/* Returns: whether a process with this number, in its own PID namespace, has joined */
bool lttp_processes_has(const struct lttp_session *session, uint32_t pid);

/* Frees the slots of dead processes, and writes their missing process_start and process_exit, with
 * LTTP_STATUS_UNKNOWN. @all_are_dead: as above */
void lttp_processes_bury(struct lttp_session *session, bool all_are_dead);

/* The same for one dead process. @status: as in the event: 0 to 255, or minus the number of a
 * signal */
void lttp_processes_bury_one(struct lttp_session *session, uint32_t pid, int32_t status);

/* Records which processes have a seccomp filter (keeper.h). */
void lttp_processes_find_filters(struct lttp_session *session);

#endif /* LTTP_PROCESSES_H */
