/* cpus.h - run once on each CPU.
 *
 * While a thread runs on a CPU, no other thread is inside a restartable sequence there: the kernel
 * has preempted that thread, which aborts the sequence.
 */
#ifndef LTTP_CPUS_H
#define LTTP_CPUS_H

#include "session/session.h"

#include <stdbool.h>

/* Calls @visit on each CPU that this thread may run on, and then restores its affinity. @visited:
 * (out): which of the head->cpus CPUs were visited. If some were not, because they are offline or
 * forbidden, waits 2 ms instead. */
void lttp_cpus_visit(const struct lttp_head *head, void (*visit)(uint32_t cpu, void *data),
		     void *data, bool *visited);

#endif /* LTTP_CPUS_H */
