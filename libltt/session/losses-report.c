/* losses-report.c - write the reasons of lost events into the trace. See losses-report.h.
 *
 * Several processes can report at the same time: each takes its share by an exchange, and puts back
 * what it could not write.
 */
#define _GNU_SOURCE
#include "session/losses-report.h"

#include "session/atomic.h"
#include "session/control.h"
#include "session/events.h"
#include "session/losses.h"
#include "session/sys.h"

/* Returns: the number of events that are not reported; marks them as reported */
static uint64_t take_new(const uint64_t *events, uint64_t *reported)
{
	uint64_t all = lttp_load(events), before = lttp_load(reported);

	return all > before && lttp_replace(reported, before, all) ? all - before : 0;
}

static void report_reason(struct lttp_session *session, enum lttp_loss reason)
{
	struct lttp_losses *losses = &session->head->losses;
	const char *word = lttp_loss_word(reason);
	uint64_t events = take_new(&losses->events[reason], &losses->reported[reason]);
	struct lttp_bytes out = {0, 0, ""};

	if (events == 0)
		return;
	lttp_put(&out, word, (uint32_t)strlen(word) + 1);
	lttp_put64(&out, events);
	if (lttp_control_append(session, LTTP_ID_LOST, out.bytes, out.size, NULL) != 0)
		lttp_add(&losses->reported[reason], -events);
}

static void report_large(struct lttp_session *session, struct lttp_large *large)
{
	uint64_t events = take_new(&large->events, &large->reported);
	struct lttp_bytes out = {0, 0, ""};

	if (events == 0)
		return;
	lttp_put(&out, large->name, (uint32_t)strnlen(large->name, sizeof(large->name) - 1));
	lttp_put(&out, "", 1);
	lttp_put64(&out, lttp_load(&large->bytes));
	lttp_put64(&out, events);
	if (lttp_control_append(session, LTTP_ID_TOO_LARGE, out.bytes, out.size, NULL) != 0)
		lttp_add(&large->reported, -events);
}

void lttp_losses_report(struct lttp_session *session)
{
	for (unsigned i = 0; i < LTTP_LOST_REASONS; i++)
		report_reason(session, i);
	for (unsigned i = 0; i < LTTP_LARGE_TYPES; i++)
		report_large(session, &session->head->losses.large[i]);
}

static bool has_new(const struct lttp_losses *losses)
{
	for (unsigned i = 0; i < LTTP_LOST_REASONS; i++) {
		if (lttp_load(&losses->events[i]) > lttp_load(&losses->reported[i]))
			return true;
	}
	return false;
}

/* Returns: whether this process reports now: one process of the session per second */
static bool take_turn(struct lttp_head *head)
{
	uint64_t now = lttp_clock_read(head), last = lttp_load(&head->losses_reported_cycles);

	return (last == 0 || now - last >= head->cycles_per_second) && has_new(&head->losses) &&
	       lttp_replace(&head->losses_reported_cycles, last, now);
}

void lttp_losses_report_rarely(struct lttp_session *session)
{
	uint64_t signals;

	if (!take_turn(session->head) || !lttp_control_has_spare(session->head))
		return;
	/* A signal handler that leaves by longjmp() would keep a notice of the journal. */
	lttp_block_signals(&signals);
	lttp_losses_report(session);
	lttp_restore_signals(&signals);
}
