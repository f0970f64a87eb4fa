/* borrow.c - see borrow.h. */
#define _GNU_SOURCE
#include "probe/borrow.h"

#include "probe/self.h"
#include "session/atomic.h"
#include "session/losses.h"
#include "session/sys.h"

/* A process that has not joined yet may be either. So may the first one of a PID namespace, whose child can be the first one
 * of another. */
bool lttp_is_borrower(void)
{
	uint32_t pid;

	if (ltt_probe_thread.vforked == 0)
		return false;
	pid = lttp_probe.process != NULL ? lttp_load(&lttp_probe.process->pid) : 0;
	return pid <= 1 || pid != lttp_getpid();
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
	lttp_add(&lttp_probe.session.head->lost, n);
	lttp_loss_count(lttp_probe.session.head, LTTP_LOST_VFORK, n);
}
