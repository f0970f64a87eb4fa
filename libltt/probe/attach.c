/* attach.c - joining and leaving what `ltt attach` wishes. See attach.h.
 *
 * A session is joined or left by one thread while no other is in the slow path: the others that
 * come meanwhile turn round, and their events were not attempted. The thread that finds others in
 * there waits for a moment, then puts it off: it never waits for what might not come.
 *
 * While an event of a session that was joined by a wish is written by the slow path, the slot says
 * so (`inside`), and it is begun only if the wish still stands then. So who has taken back the wish
 * and sees nobody inside knows that the files of the trace are touched no more, by processes that
 * are stopped or idle neither.
 */
#define _GNU_SOURCE
#include "probe/attach.h"

#include "probe/facility.h"
#include "probe/process.h"
#include "probe/self.h"
#include "session/atomic.h"
#include "session/sys.h"

#include <sched.h>
#include <signal.h>
#include <string.h>

enum {
	YIELDS = 100,
	SLEEPS = 40,
	SLEEP_NS = 200000,
	RETRY_NS = 10000000,
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Whether no other thread is in the slow path; those that come now turn round. */
static bool wait_alone(void)
{
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

static bool is_meant(const struct lttp_attach_control *control)
{
	uint32_t n = lttp_load(&control->wish.n_pids), pid = lttp_getpid();

	for (uint32_t i = 0; i < n && i < LTTP_ATTACH_PIDS; i++) {
		if (lttp_load(&control->pids[i]) == pid)
			return true;
	}
	return n == 0;
}

static void report(struct lttp_attach_control *control, int result)
{
	uint32_t number = lttp_add(&control->n_reports, 1);

	if (number >= LTTP_ATTACH_REPORTS)
		return;
	lttp_store(&control->reports[number].error, -result);
	lttp_store(&control->reports[number].pid, lttp_getpid());
}

/* Joins the session of the wish. False: it has changed meanwhile. */
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
	/* Others who have the slot, and fewer rights now, could wish for what they have made. */
	result = lttp_process_join(directory, broker, LTTP_SESSION_ATTACH_OWN);
	if (result == 0)
		lttp_store(&lttp_attach.generation, generation);
	else if (result != -ESHUTDOWN && lttp_load(&control->wish.generation) == generation)
		report(control, result);
	return true;
}

/* From the session that was joined, if any, to that of @generation, if that is not 0. */
static bool change(struct lttp_attach_control *control, uint32_t revision, uint32_t generation)
{
	if (lttp_attach.generation != 0 && lttp_load(&lttp_probe.tracing))
		lttp_process_leave();
	lttp_store(&lttp_attach.generation, 0);
	return generation == 0 || join(control, revision, generation);
}

/* With the list of facilities locked, and signals held. */
static void follow(struct lttp_attach_control *control)
{
	uint32_t revision = lttp_load(&control->wish.revision);
	uint32_t generation = lttp_load(&control->wish.generation);

	if (revision % 2 != 0 || revision == lttp_attach.seen || !lttp_attach.shared)
		return;
	if (generation != 0 && !is_meant(control))
		generation = 0;
	if (generation == lttp_attach.generation) {
		lttp_store(&lttp_attach.seen, revision);
		return;
	}
	lttp_swap(&lttp_attach.transit, 1);
	lttp_add(&control->inside, 1);
	if (!wait_alone())
		lttp_store(&lttp_attach.retry_ns, now_ns() + RETRY_NS);
	else if (change(control, revision, generation))
		lttp_store(&lttp_attach.seen, revision);
	lttp_add(&control->inside, -1u);
	lttp_swap(&lttp_attach.transit, 0);
}

/* With the list of facilities locked, and signals held. */
static void release(struct lttp_attach_control *control)
{
	(void)control;
	if (lttp_attach.shared || lttp_probe.made || !lttp_load(&lttp_probe.tracing) ||
	    lttp_load(&lttp_probe.session.head->running))
		return;
	lttp_swap(&lttp_attach.transit, 1);
	if (wait_alone()) {
		lttp_process_leave();
		lttp_facilities_share(true);
	} else {
		lttp_store(&lttp_attach.retry_ns, now_ns() + RETRY_NS);
	}
	lttp_swap(&lttp_attach.transit, 0);
}

/* A stack for signal handlers may be small, and joining takes some kilobytes of it. */
static bool is_on_small_stack(void)
{
	stack_t stack;

	return sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK) != 0;
}

/* Does something for which this thread has to be alone, unless that is not possible now. */
static void change_over(void (*act)(struct lttp_attach_control *control))
{
	uint64_t all = UINT64_MAX, before, retry_ns = lttp_load(&lttp_attach.retry_ns);

	if ((retry_ns != 0 && now_ns() < retry_ns) || is_on_small_stack())
		return;
	/* A handler that jumps out would leave all of this half done. */
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));
	if (lttp_facilities_trylock()) {
		act(lttp_attach.control);
		lttp_facilities_unlock();
	}
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
}

void lttp_attach_follow(void)
{
	change_over(follow);
}

void lttp_attach_release(void)
{
	if (lttp_attach.control != NULL && !ltt_probe_thread.vforked)
		change_over(release);
}

/* Turns off a switch that nobody wishes on: its program missed the end, or `ltt attach` was killed.
 * The value says which session it is of, so one that is turned on at this moment stays. */
static void settle(const struct ltt_probe_facility *facility)
{
	uint32_t *at = &lttp_attach.switches[LTT_PROBE_SWITCH(facility->checksum)];
	uint32_t value = lttp_load(at);

	if (value != 0 && value != LTTP_ATTACH_LEAVE &&
	    value != lttp_load(&lttp_attach.control->wish.generation))
		lttp_replace32(at, value, 0);
}

enum lttp_pass lttp_attach_pass(void)
{
	uint32_t generation;

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
	lttp_add(&lttp_attach.control->inside, 1);
	if (lttp_load(&lttp_attach.control->wish.generation) == generation)
		return LTTP_PASS_WISHED;
	lttp_attach_exit(LTTP_PASS_WISHED);
	return LTTP_PASS_NONE;
}

enum lttp_pass lttp_attach_enter(const struct ltt_probe_facility *facility)
{
	if (!lttp_load(&lttp_attach.shared))
		return lttp_attach_pass();
	if (lttp_load(&lttp_attach.transit))
		return LTTP_PASS_NONE;
	if (!ltt_probe_thread.vforked && lttp_attach_is_due())
		lttp_attach_follow();
	if (lttp_load(&lttp_attach.generation) == 0)
		settle(facility);
	return lttp_attach_pass();
}

void lttp_attach_exit(enum lttp_pass pass)
{
	if (pass == LTTP_PASS_WISHED)
		lttp_add(&lttp_attach.control->inside, -1u);
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
