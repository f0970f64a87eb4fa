/* rseq.h - the restartable sequences of a thread. */
#ifndef LTTP_RSEQ_H
#define LTTP_RSEQ_H

#include <ltt/ltt-probe.h>

/* Looks for what glibc has registered; once, before any of the following. */
void lttp_rseq_find(void);

/* The struct rseq of this thread, registered with the kernel: by glibc since 2.35, else by this
 * function. NULL where there is none to be had. */
struct ltt_probe_rseq *lttp_rseq_area(void);

/* Has the kernel forget the sequence that this thread, outside of any, told it of last. */
void lttp_rseq_forget(struct ltt_probe_rseq *area);

/* The same for another thread of the process, if that is the sequence described at @from to @to. */
void lttp_rseq_strike(struct ltt_probe_rseq *area, uint64_t from, uint64_t to);

/* Readies this process for lttp_rseq_wait(). */
void lttp_rseq_prepare(void);

/* Returns when each sequence of this process that was under way has ended or been left. False if
 * the kernel cannot tell. */
int lttp_rseq_wait(void);

#endif /* LTTP_RSEQ_H */
