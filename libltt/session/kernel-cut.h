/* kernel-cut.h - the ends of the kernel's tracefiles at a cut (cut.h).
 *
 * The recorder writes these files from the ring buffers of the kernel, so the events before a cut may
 * not be in the files yet.
 *
 *	snapshot                                  recorder, in each pass
 *	kernel_cut_cycles := cut                  reads pages, then kernel_cut_cycles:
 *	waits until the cut has passed              the pages have no event after an unknown cut
 *	visits all CPUs
 *	kernel_ready_cycles := cut          --->  reads until each ring buffer is empty or has an
 *	                                            event after the cut
 *	                                          kernel_place := end of each file
 *	copies up to kernel_place           <---  kernel_done_cycles := cut
 */
#ifndef LTTP_KERNEL_CUT_H
#define LTTP_KERNEL_CUT_H

#include "session/cut.h"

/* Value of kernel_done_cycles: the files are complete. */
#define LTTP_KERNEL_ENDED UINT64_MAX

/* Announces the cut, before its time. */
void lttp_kernel_cut_announce(struct lttp_session *session, struct lttp_cut *cut);

/* Waits for the places, after all CPUs have been visited. If the recorder was killed, they are the
 * ends of the files. Returns: 0; -EAGAIN if the caller should try again with a later cut; -ETIMEDOUT if
 * the recorder does not answer; otherwise -errno */
int lttp_kernel_cut_wait(struct lttp_session *session, struct lttp_cut *cut);

/* Removes the cut. */
void lttp_kernel_cut_end(struct lttp_session *session, const struct lttp_cut *cut);

/* Returns: the number of the kernel's tracefiles: one for each CPU, or 0 */
uint32_t lttp_kernel_cut_files(const struct lttp_session *session);

/* Returns: the number of the tracefile of a CPU */
static inline uint32_t lttp_kernel_cut_number(const struct lttp_head *head, uint32_t cpu)
{
	return lttp_session_files(head) + cpu;
}

#endif /* LTTP_KERNEL_CUT_H */
