/* cpus.h - being on each CPU once.
 *
 * A thread that runs on a CPU knows that no other thread is inside a restartable sequence there: to
 * let it run, the kernel has taken the CPU from that thread, which ends the sequence.
 */
#ifndef LTTP_CPUS_H
#define LTTP_CPUS_H

#include "session/session.h"

#include <stdbool.h>

/* Calls @visit on each CPU that this thread may run on, while it runs there; then the thread may
 * run where it could before. @visited, of head->cpus entries, says which those were. CPUs that are
 * off or closed to the thread are not visited; the kernel lets some time pass for them instead. */
void lttp_cpus_visit(const struct lttp_head *head, void (*visit)(uint32_t cpu, void *data),
		     void *data, bool *visited);

#endif /* LTTP_CPUS_H */
