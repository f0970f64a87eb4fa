/* rseq.h - registration of the restartable sequences of a thread. */
#ifndef LTTP_RSEQ_H
#define LTTP_RSEQ_H

#include <ltt/ltt-probe.h>
#include <stdbool.h>

/* Finds the registration of glibc; once, before any of the following. */
void lttp_rseq_find(void);

/* Returns the struct rseq of this thread, registered by glibc since 2.35, otherwise by this function.
 * NULL if the kernel or the machine has none. */
struct ltt_probe_rseq *lttp_rseq_area(void);

/* Whether lttp_rseq_area() will find or make one. Registers nothing: the program may want to do that itself. */
bool lttp_rseq_is_there(void);

/* Marks the area of this thread as not registered. The kernel does not register a child of vfork(), nor the processes that
 * this child forks, but they have a copy of the parent's area. */
void lttp_rseq_disown(void);

/* Clears the sequence that this thread has registered last. Outside of sequences only. */
void lttp_rseq_forget(struct ltt_probe_rseq *area);

/* Clears the sequence of another thread of the process if its description is in [@from, @to). */
void lttp_rseq_strike(struct ltt_probe_rseq *area, uint64_t from, uint64_t to);

/* Registers this process for lttp_rseq_wait(). */
void lttp_rseq_prepare(void);

/* Waits until each sequence that was running in this process has ended or been aborted. Returns false
 * if the kernel does not support it. */
int lttp_rseq_wait(void);

#endif /* LTTP_RSEQ_H */
