/* attach.c - joins and leaves the sessions that `ltt attach` requests. See attach.h.
 *
 * One thread joins or leaves a session, while no other thread is in the slow path. Threads that
 * arrive in the meantime return, and their events do not count as attempted. If other threads are
 * in the slow path, the thread waits for a moment and then postpones the change: a thread
 * may never return. Only ltt_probe_stop() leaves in any case. No session is joined until these threads
 * have returned, because they use the variables of the old one.
 *
 * While the slow path writes an event of a requested session, the gate of the slot counts the thread,
 * which enters only if the request is still valid. When `ltt attach` has withdrawn the request and read
 * the count as 0, no process accesses the files of the trace any more, not even a stopped or idle one.
 */
#define _GNU_SOURCE
#include "probe/attach.h"

#include "probe/borrow.h"
#include "probe/facility.h"
#include "probe/process.h"
#include "probe/self.h"
#include "session/atomic.h"
#include "session/sys.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

enum {
	YIELDS = 100,
	SLEEPS = 40,
	SLEEP_NS = 200000,
	RETRY_NS = 10000000,
	HEED_TRIES = 100, /* twice RETRY_NS in all */
};

/* model: leave_lanes */
bool lttp_attach_shut(void)
{
	lttp_swap(&lttp_attach.transit, 1);
	for (int tries = 0; tries < YIELDS + SLEEPS; tries++) {
		if (lttp_load(&lttp_probe.inside) == 0)
			return true;
		if (tries < YIELDS)
			sched_yield();
		else
			lttp_sleep_ns(SLEEP_NS);
	}
	return false;
}

void lttp_attach_open(void)
{
	lttp_swap(&lttp_attach.transit, 0);
}

static uint32_t get_wished(const struct lttp_attach_control *control)
{
	return lttp_attach_wished(lttp_load(&control->gate.generation));
}

/* Counts this thread. Returns: false if the generation has changed */
static bool step_in(struct lttp_attach_control *control, uint32_t generation)
{
	union lttp_attach_gate was, now;

	do {
		was.word = now.word = lttp_load(&control->gate.word);
		if (was.generation != generation)
			return false;
		now.inside++;
	} while (!lttp_replace(&control->gate.word, was.word, now.word));
	return true;
}

/* Does not count it any more, unless there has been another request, which began to count anew. */
static void step_out(struct lttp_attach_control *control, uint32_t generation)
{
	union lttp_attach_gate was, now;

	do {
		was.word = now.word = lttp_load(&control->gate.word);
		if ((was.generation | 1) != (generation | 1))
			return;
		now.inside--;
	} while (!lttp_replace(&control->gate.word, was.word, now.word));
}

static bool is_meant(const struct lttp_attach_control *control)
{
	const uint32_t n_pids = lttp_load(&control->wish.n_pids), n = n_pids & ~LTTP_ATTACH_EXCEPT;
	const bool excepts = n != n_pids;

	for (uint32_t i = 0; i < n && i < LTTP_ATTACH_PIDS; i++) {
		if (lttp_load(&control->pids[i]) == (uint32_t)lttp_getpid())
			return !excepts;
	}
	return excepts;
}

static void report(struct lttp_attach_control *control, int result)
{
	uint32_t number = lttp_add(&control->n_reports, 1);

	if (number >= LTTP_ATTACH_REPORTS)
		return;
	lttp_store(&control->reports[number].error, -result);
	lttp_store(&control->reports[number].pid, lttp_getpid());
}

/* Joins the requested session. False: the request changed while it was copied, or a thread has not
 * left the former session. */
static bool join(struct lttp_attach_control *control, uint32_t revision, uint32_t generation)
{
	static char directory[PATH_MAX], broker[LTTP_ATTACH_BROKER_BYTES];
	int result;

	memcpy(directory, control->directory, sizeof(directory));
	memcpy(broker, control->broker, sizeof(broker));
	directory[sizeof(directory) - 1] = 0;
	broker[sizeof(broker) - 1] = 0;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (lttp_load(&control->wish.revision) != revision)
		return false;
	/* A process of the slot with fewer rights could request a session that it has made. */
	result = lttp_process_join(directory, broker, LTTP_SESSION_ATTACH_OWN);
	if (result == -EBUSY) {
		lttp_store(&lttp_attach.retry_ns, lttp_now_ns() + RETRY_NS);
		return false;
	}
	if (result == 0)
		lttp_store(&lttp_attach.generation, generation);
	else if (result != -ESHUTDOWN && get_wished(control) == generation)
		report(control, result);
	return true;
}

/* Leaves the joined session, if any, and joins that of @generation unless it is 0. */
static bool change(struct lttp_attach_control *control, uint32_t revision, uint32_t generation)
{
	if (lttp_attach.generation != 0 && lttp_load(&lttp_probe.tracing))
		lttp_process_leave();
	lttp_store(&lttp_attach.generation, 0);
	return generation == 0 || join(control, revision, generation);
}

/* An alternate signal stack may be too small: joining takes some kilobytes. */
static bool is_on_small_stack(void)
{
	stack_t stack;

	return sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK) != 0;
}

/* Acts on a new request. With the list of facilities locked. A process that neither joins nor leaves makes no system
 * call: it may have a filter that kills it. */
static void follow(struct lttp_attach_control *control)
{
	uint32_t revision = lttp_load(&control->wish.revision);
	const uint32_t gate = lttp_load(&control->gate.generation);
	uint32_t generation = lttp_attach_wished(gate);

	if (revision % 2 != 0 || revision == lttp_attach.seen || !lttp_attach.shared)
		return;
	/* A child that was forked from a process that has joined is in its session, but may not be among those
	 * that are to join. */
	if (generation != 0 && generation != lttp_attach.generation && !is_meant(control))
		generation = 0;
	if (generation == lttp_attach.generation) {
		lttp_store(&lttp_attach.seen, revision);
		return;
	}
	if (is_on_small_stack() || !step_in(control, gate))
		return;
	if (!lttp_attach_shut())
		lttp_store(&lttp_attach.retry_ns, lttp_now_ns() + RETRY_NS);
	else if (change(control, revision, generation))
		lttp_store(&lttp_attach.seen, revision);
	step_out(control, gate);
	lttp_attach_open();
}

/* Leaves a session of `ltt record` that has ended. With the list of facilities locked. */
static void release(struct lttp_attach_control *control)
{
	(void)control;
	if (lttp_attach.shared || lttp_probe.made || !lttp_load(&lttp_probe.tracing) ||
	    lttp_load(&lttp_probe.session.head->running) || is_on_small_stack())
		return;
	if (lttp_attach_shut()) {
		lttp_process_leave();
		lttp_facilities_share(true);
	} else {
		lttp_store(&lttp_attach.retry_ns, lttp_now_ns() + RETRY_NS);
	}
	lttp_attach_open();
}

/* Calls @act as the only thread that changes the session, unless that is impossible now. */
static void change_over(void (*act)(struct lttp_attach_control *control))
{
	uint64_t retry_ns = lttp_load(&lttp_attach.retry_ns);

	if (retry_ns != 0 && lttp_now_ns() < retry_ns)
		return;
	if (lttp_facilities_trylock()) {
		act(lttp_attach.control);
		lttp_facilities_unlock();
	}
}

void lttp_attach_follow(void)
{
	change_over(follow);
}

void lttp_attach_heed(void)
{
	const int saved = errno;
	uint64_t signals;

	if (!lttp_load(&lttp_attach.shared) || ltt_probe_thread.vforked || !lttp_attach_is_due())
		return;
	lttp_block_signals(&signals);
	lttp_attach_follow();
	/* Another thread may be about to join. */
	for (int tries = 0; tries < HEED_TRIES && lttp_attach_is_due(); tries++) {
		lttp_sleep_ns(SLEEP_NS);
		lttp_attach_follow();
	}
	lttp_restore_signals(&signals);
	errno = saved;
}

void lttp_attach_release(void)
{
	if (lttp_attach.control != NULL && !ltt_probe_thread.vforked)
		change_over(release);
}

/* The value of the switch names its session, so one that is turned on at this moment stays on. */
void lttp_attach_settle(const struct ltt_probe_facility *facility)
{
	uint32_t *at = &lttp_attach.switches[LTT_PROBE_SWITCH(facility->checksum)];
	uint32_t value;

	if (!lttp_load(&lttp_attach.shared) || lttp_load(&lttp_attach.generation) != 0)
		return;
	value = lttp_load(at);
	if (value != 0 && value != LTTP_ATTACH_LEAVE && value != get_wished(lttp_attach.control))
		lttp_replace32(at, value, 0);
}

uint32_t lttp_attach_pass(void)
{
	uint32_t generation;

	if (lttp_is_borrower())
		return LTTP_PASS_NONE;
	lttp_add(&lttp_probe.inside, 1);
	if (lttp_load(&lttp_attach.transit)) {
		lttp_attach_exit(LTTP_PASS);
		return LTTP_PASS_NONE;
	}
	if (!lttp_load(&lttp_attach.shared))
		return LTTP_PASS;
	generation = lttp_load(&lttp_attach.generation);
	if (generation == 0)
		return LTTP_PASS;
	if (step_in(lttp_attach.control, generation))
		return generation;
	lttp_attach_exit(LTTP_PASS);
	return LTTP_PASS_NONE;
}

uint32_t lttp_attach_enter(const struct ltt_probe_facility *facility)
{
	if (!lttp_load(&lttp_attach.shared))
		return lttp_attach_pass();
	if (lttp_load(&lttp_attach.transit))
		return LTTP_PASS_NONE;
	if (!ltt_probe_thread.vforked && lttp_attach_is_due())
		lttp_attach_follow();
	lttp_attach_settle(facility);
	return lttp_attach_pass();
}

void lttp_attach_exit(uint32_t pass)
{
	if (pass > LTTP_PASS)
		step_out(lttp_attach.control, pass);
	if (pass != LTTP_PASS_NONE)
		lttp_add(&lttp_probe.inside, -1ull);
}

void lttp_attach_reset(void)
{
	lttp_attach.transit = 0;
	lttp_attach.retry_ns = 0;
	lttp_probe.inside = 0;
}

void lttp_attach_withdraw(void)
{
	lttp_store(&lttp_attach.generation, 0);
}
