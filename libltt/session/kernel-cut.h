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

#include "session/copy-blocks.h"
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

/* Returns: the number of the kernel's tracefiles: of the CPUs, and one of the machine's threads */
static inline uint32_t lttp_kernel_cut_count(const struct lttp_head *head)
{
	return head->cpus + 1;
}

/* Returns: the same; 0: the recording has no events of the kernel */
uint32_t lttp_kernel_cut_files(const struct lttp_session *session);

/* Returns: the index of the place of one of these files in lttp_cut.places */
static inline uint32_t lttp_kernel_cut_number(const struct lttp_head *head, uint32_t index)
{
	return lttp_session_files(head) + index;
}

struct lttp_kernel_name {
	char text[32];
};

/* Returns: its path in the trace */
struct lttp_kernel_name lttp_kernel_cut_name(const struct lttp_head *head, uint32_t index);

/* A flight recorder keeps all of the file of the threads. */
static inline enum lttp_copy_form lttp_kernel_cut_form(const struct lttp_head *head, uint32_t index)
{
	return index < head->cpus ? LTTP_COPY_RING : LTTP_COPY_PLAIN;
}

#endif /* LTTP_KERNEL_CUT_H */
