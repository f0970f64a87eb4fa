/* borrow.c - see borrow.h. */
#define _GNU_SOURCE
#include "probe/borrow.h"

#include "probe/rseq.h"
#include "probe/self.h"
#include "session/atomic.h"
#include "session/losses.h"
#include "session/sys.h"

/* The kernel knows the list of robust mutexes of each thread of glibc, but of no child in the memory of its parent. */
static bool has_robust_list(void)
{
	void *head = NULL;
	size_t size;

	return syscall(SYS_get_robust_list, 0, &head, &size) == 0 && head != NULL;
}

/* A process that such a child has forked: it has memory of its own, but no registration. */
static void become_own(void)
{
	lttp_rseq_disown();
	ltt_probe_thread.vforked = 0;
}

/* The parent has set its pid before. Where it is 0, the page was emptied for a process with memory of its own. In another PID
 * namespace, from where the parent cannot be seen, the pid can be the same. */
bool lttp_is_borrower(void)
{
	uint32_t pid;

	if (ltt_probe_thread.vforked == 0)
		return false;
	if (lttp_probe.process == NULL)
		return true;
	pid = lttp_load(&lttp_probe.process->pid);
	if (pid == 0) {
		become_own();
		return false;
	}
	return pid != lttp_getpid() || (getppid() == 0 && !has_robust_list());
}

void lttp_borrow_fork(void)
{
	if (ltt_probe_thread.vforked != 0)
		become_own();
}

void lttp_borrow_prepare(void)
{
	if (!lttp_is_borrower() && lttp_probe.process != NULL)
		lttp_replace32(&lttp_probe.process->pid, 0, lttp_getpid());
}

void lttp_borrow_count_lost(void)
{
	if (lttp_load(&lttp_probe.tracing))
		lttp_add(&lttp_probe.process->borrower_lost, 1);
}

void lttp_borrow_report(void)
{
	uint64_t *at = &lttp_probe.process->borrower_lost, n;

	if (lttp_load(at) == 0)
		return;
	n = lttp_swap(at, 0);
	lttp_loss_count_unfiled(lttp_probe.session.head, LTTP_LOST_VFORK, n);
}
