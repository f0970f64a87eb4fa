/* facility.c - the list of facilities of the program and its libraries. See facility.h.
 *
 * A facility that the session cannot load stays on, without a base code: its events take the slow
 * path and are counted as lost.
 */
#define _GNU_SOURCE
#include "probe/facility.h"

#include "probe/attach.h"
#include "probe/self.h"
#include "probe/threads.h"
#include "session/admit.h"
#include "session/atomic.h"
#include "session/clock.h"
#include "session/keeper.h"
#include "session/losses.h"
#include "session/registry.h"
#include "session/sys.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <string.h>

enum {
	RETRIES_PER_SECOND = 20,
	FORK_WAIT_NS = 200000000,
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t signals; /* of the thread that has the mutex, before it took it */
static uint32_t forks;   /* futex: threads that are in fork() */
static uint32_t waiters; /* for that to become 0 */
static __thread uint32_t own_forks
	__attribute__((tls_model("initial-exec"))); /* a handler may call fork(), too */
static struct ltt_probe_facility *facilities;

/* Waits without the mutex for an end of fork(). Returns: whether to look again; not if no thread is in fork(), and not
 * from @end_ns on */
static bool wait_for_forks(uint64_t end_ns)
{
	static const struct timespec look = {0, 10000000};
	const uint32_t seen = lttp_load(&forks);

	if (seen == 0 || lttp_now_ns() >= end_ns)
		return false;
	pthread_mutex_unlock(&mutex);
	lttp_add(&waiters, 1);
	syscall(SYS_futex, &forks, FUTEX_WAIT_PRIVATE, seen, &look, NULL, 0);
	lttp_add(&waiters, -1u);
	pthread_mutex_lock(&mutex);
	return true;
}

/* Signals are blocked meanwhile: a handler that forks would wait for the mutex of its own thread, and one that
 * leaves by longjmp() would keep it. A thread in fork() does not have the mutex, because it calls the handlers of the
 * program, which may wait for a thread that loads a library. That thread waits for the fork for a while only. */
void lttp_facilities_lock(void)
{
	uint64_t before, end_ns;

	lttp_block_signals(&before);
	pthread_mutex_lock(&mutex);
	end_ns = lttp_load(&forks) != 0 ? lttp_now_ns() + FORK_WAIT_NS : 0;
	while (wait_for_forks(end_ns))
		continue;
	signals = before;
}

bool lttp_facilities_trylock(void)
{
	uint64_t before;

	lttp_block_signals(&before);
	if (pthread_mutex_trylock(&mutex) == 0) {
		signals = before;
		if (lttp_load(&forks) == 0)
			return true;
		pthread_mutex_unlock(&mutex);
	}
	lttp_restore_signals(&before);
	return false;
}

void lttp_facilities_unlock(void)
{
	uint64_t before = signals;

	pthread_mutex_unlock(&mutex);
	lttp_restore_signals(&before);
}

void lttp_facilities_begin_fork(void)
{
	uint64_t before;

	lttp_block_signals(&before);
	pthread_mutex_lock(&mutex);
	lttp_add(&forks, 1);
	own_forks++;
	pthread_mutex_unlock(&mutex);
	lttp_restore_signals(&before);
}

void lttp_facilities_end_fork(void)
{
	/* A child that was forked in a handler of fork() returns from fork() as if it were the parent. */
	if (own_forks == 0)
		return;
	own_forks--;
	if (lttp_add(&forks, -1u) == 1 && lttp_load(&waiters) != 0)
		syscall(SYS_futex, &forks, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

void lttp_facilities_reset(void)
{
	pthread_mutex_init(&mutex, NULL);
	lttp_store(&forks, 0);
	lttp_store(&waiters, 0);
	own_forks = 0;
}

/* Reserved words of a facility: when to retry to load it, */
static uint64_t *retry_cycles(struct ltt_probe_facility *facility)
{
	return &facility->reserved[0];
}

/* and why loading it failed. */
static uint64_t *loss_at(struct ltt_probe_facility *facility)
{
	return &facility->reserved[1];
}

/* Whether to make the system calls of writing a description, for which a filter may kill the process, though it allows those of
 * loading a library. */
static bool may_describe(void)
{
	return !lttp_keeper_knows_filter(&lttp_probe.session);
}

/* Loads a facility. Returns false if retrying is pointless. */
static bool load(struct ltt_probe_facility *facility, bool describe)
{
	struct lttp_session *session = &lttp_probe.session;
	uint32_t base = 0;
	int result = lttp_registry_load(session, facility->name, facility->checksum,
					facility->events, describe ? facility->xml : NULL, &base);

	if (result == -EOVERFLOW)
		lttp_session_refuse(session->head, LTTP_REFUSED_FACILITY, facility->name);
	lttp_store(loss_at(facility), lttp_loss_of(result));
	lttp_store(&facility->base, base);
	return result != -EOVERFLOW;
}

enum lttp_loss lttp_facility_loss(const struct ltt_probe_facility *facility)
{
	return (enum lttp_loss)lttp_load(&facility->reserved[1]);
}

/* Records a facility that stays off. `ltt record` lists them if no facility is on. */
static void note_unwanted(struct lttp_head *head, const struct ltt_probe_facility *facility)
{
	uint64_t key = (uint64_t)facility->checksum + 1;

	for (unsigned i = 0; i < LTTP_UNWANTED; i++) {
		struct lttp_unwanted *unwanted = &head->unwanted[i];

		if (lttp_load(&unwanted->key) == 0 && lttp_replace(&unwanted->key, 0, key))
			strncpy(unwanted->name, facility->name, sizeof(unwanted->name) - 1);
		if (lttp_load(&unwanted->key) == key)
			return;
	}
}

/* The switch of a facility; NULL if it is in the slot, where `ltt attach` sets it. */
static uint32_t *own_switch(const struct ltt_probe_facility *facility)
{
	if (facility->abi < 2 || facility->registered == LTTP_REGISTERED_SHARED)
		return NULL;
	return &facility->switches[LTT_PROBE_SWITCH(facility->checksum)];
}

/* Whether another facility that is on has the same switch. */
static bool is_switch_used(const uint32_t *at)
{
	for (const struct ltt_probe_facility *f = facilities; f != NULL; f = f->next) {
		if (lttp_load(&f->on) && own_switch(f) == at)
			return true;
	}
	return false;
}

static void turn_on(struct ltt_probe_facility *facility, bool describe)
{
	struct lttp_head *head = lttp_probe.session.head;

	if (!lttp_registry_is_enabled(head->globs, facility->name)) {
		note_unwanted(head, facility);
		return;
	}
	if (facility->abi < 1 || facility->abi > LTT_PROBE_ABI) {
		lttp_session_refuse(head, LTTP_REFUSED_FACILITY, facility->name);
		return;
	}
	lttp_store(retry_cycles(facility), load(facility, describe) ? 0 : UINT64_MAX);
	lttp_store(&facility->on, 1);
	if (own_switch(facility) != NULL)
		lttp_store(own_switch(facility), 1);
}

static void turn_off(struct ltt_probe_facility *facility)
{
	uint32_t *at = own_switch(facility);

	lttp_store(&facility->on, 0);
	lttp_store(&facility->base, 0);
	if (at != NULL && !is_switch_used(at))
		lttp_store(at, 0);
}

void lttp_facility_end(struct ltt_probe_facility *facility)
{
	uint32_t *at = own_switch(facility);

	lttp_store(&facility->on, 0);
	if (at != NULL)
		lttp_store(at, 0);
}

void lttp_facility_retry(struct ltt_probe_facility *facility)
{
	const struct lttp_head *head = lttp_probe.session.head;
	uint64_t now = lttp_clock_read(head), due = lttp_load(retry_cycles(facility));

	if (now < due || !lttp_keeper_lets_open(&lttp_probe.session) ||
	    !lttp_replace(retry_cycles(facility), due,
			  now + head->cycles_per_second / RETRIES_PER_SECOND))
		return;
	if (!load(facility, may_describe()))
		lttp_store(retry_cycles(facility), UINT64_MAX);
}

void lttp_facilities_on(void)
{
	for (struct ltt_probe_facility *f = facilities; f != NULL; f = f->next)
		turn_on(f, true);
}

void lttp_facilities_off(void)
{
	for (struct ltt_probe_facility *f = facilities; f != NULL; f = f->next)
		turn_off(f);
}

void lttp_facilities_share(bool shared)
{
	if (shared)
		lttp_attach_make_shared(facilities);
	else
		lttp_attach_make_private(facilities);
}

void lttp_facilities_add(struct ltt_probe_facility *facility)
{
	lttp_facilities_lock();
	if (!facility->registered) {
		facility->registered = LTTP_REGISTERED;
		facility->next = facilities;
		facilities = facility;
		lttp_attach_add(facility);
		if (lttp_load(&lttp_probe.tracing))
			turn_on(facility, may_describe());
	}
	lttp_facilities_unlock();
}

void lttp_facilities_remove(struct ltt_probe_facility *facility)
{
	struct ltt_probe_facility **at = &facilities;

	lttp_facilities_lock();
	while (*at != NULL && *at != facility)
		at = &(*at)->next;
	if (*at != NULL)
		*at = facility->next;
	turn_off(facility);
	facility->registered = 0;
	lttp_threads_strike(facility);
	lttp_facilities_unlock();
}
