/* keeper.c - requests for disk space to the recorder. See keeper.h. */
#define _GNU_SOURCE
#include "session/keeper.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/sys.h"

#include <linux/futex.h>

enum {
	/* In a container that has used up its CPU time, the recorder may pause on its CPU while the
	 * program runs on another. */
	PATIENCE_NS = 500000000,
	/* The parts of PATIENCE_NS. The time between two looks for an answer counts at most as one:
	 * while the machine, or a container without CPU time, pauses, the recorder cannot answer. */
	PARTS = 100,
	UNREADABLE_NS = 10000000,
	/* Consecutive requests of this process without an answer, before it pauses. */
	UNANSWERED_MAX = 2,
	ERRNO_END = 4096,
};

/* Private to this process: the session may be damaged, and a request without an
 * answer takes long. */
static uint32_t unanswered;
static uint64_t quiet_until_cycles;

/* Whether this process has, or is about to get, a filter of system calls. Forked children inherit both. */
static uint32_t expects_filter;

/* Without FUTEX_PRIVATE_FLAG: processes share the word. */
static void sleep_on(uint32_t *word, uint32_t seen, const struct timespec *most)
{
	if (syscall(SYS_futex, word, FUTEX_WAIT, seen, most, NULL, 0) != 0 && errno == EFAULT)
		lttp_sleep_ns(UNREADABLE_NS);
}

static void wake_all(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* Returns: the new value of the bell */
static uint32_t ring(struct lttp_head *head)
{
	uint32_t rung = __atomic_add_fetch(&head->bell, 1, __ATOMIC_SEQ_CST);

	wake_all(&head->bell);
	return rung;
}

bool lttp_keeper_is_there(const struct lttp_head *head)
{
	uint64_t at_work = lttp_load(&head->keeper_cycles), until = lttp_load(&quiet_until_cycles);

	return at_work != 0 && at_work != lttp_load(&head->unanswered_cycles) &&
	       (until == 0 || lttp_clock_read(head) >= until);
}

void lttp_keeper_wish(struct lttp_head *head, uint64_t *wanted, uint64_t blocks)
{
	lttp_raise(wanted, blocks);
	ring(head);
}

/* The state is shared, so the number may be anything. */
static int refusal(const struct lttp_request *request)
{
	uint64_t number = lttp_load(request->refused_errno);

	return number > 0 && number < ERRNO_END ? -(int)number : -ENOSPC;
}

int lttp_keeper_ask(struct lttp_head *head, const struct lttp_request *request, uint64_t blocks)
{
	const struct timespec most = {0, PATIENCE_NS / PARTS};
	uint64_t at_work = lttp_load(&head->keeper_cycles);
	uint64_t part = head->cycles_per_second / (1000000000 / PATIENCE_NS) / PARTS;
	uint64_t last = lttp_clock_read(head), waited = 0;
	uint32_t rung;

	lttp_raise(request->wanted, blocks);
	rung = ring(head);
	for (;;) {
		uint32_t answers = lttp_load(&head->answers);
		uint64_t now = lttp_clock_read(head);

		waited += now - last < part ? now - last : part;
		last = now;
		if (lttp_load(request->allocated) >= blocks) {
			lttp_store(&unanswered, 0);
			return 0;
		}
		if (answers - rung <= INT32_MAX)
			return refusal(request);
		if (waited >= PARTS * part) {
			lttp_store(&head->unanswered_cycles, at_work);
			if (lttp_add(&unanswered, 1) + 1 >= UNANSWERED_MAX)
				lttp_store(&quiet_until_cycles, now + head->cycles_per_second);
			return -ETIMEDOUT;
		}
		sleep_on(&head->answers, answers, &most);
	}
}

void lttp_keeper_expect_filter(void)
{
	lttp_store(&expects_filter, 1);
}

bool lttp_keeper_knows_filter(const struct lttp_session *session)
{
	return lttp_load(&expects_filter) ||
	       (session->slot != NULL && lttp_load(&session->slot->is_filtered));
}

bool lttp_keeper_lets_open(const struct lttp_session *session)
{
	bool is_attached = session->lock != NULL;

	if (!is_attached || lttp_load(&session->head->keeper_cycles) == 0)
		return true;
	return session->slot != NULL && !lttp_keeper_knows_filter(session);
}

void lttp_keeper_sleep(struct lttp_head *head, uint32_t seen)
{
	/* If the file was truncated, the page of the bell is missing and no process can ring. */
	const struct timespec most = {1, 0};

	sleep_on(&head->bell, seen, &most);
}

void lttp_keeper_wake(struct lttp_head *head)
{
	ring(head);
}

void lttp_keeper_work(struct lttp_head *head)
{
	lttp_store(&head->keeper_cycles, lttp_clock_read(head));
}

void lttp_keeper_answer(struct lttp_head *head, uint32_t rung)
{
	lttp_store(&head->answers, rung);
	wake_all(&head->answers);
}
