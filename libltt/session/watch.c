/* watch.c - supervise a session in the recorder. See watch.h. */
#define _GNU_SOURCE
#include "session/watch.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/control.h"
#include "session/file.h"
#include "session/losses-report.h"
#include "session/processes.h"
#include "session/sys.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
	FEED_BUSY_NS = 2000000,
	FEED_IDLE_NS = 50000000,
	LOOKS_PER_SECOND = 2,
};

static uint32_t used_blocks(const struct lttp_file *file)
{
	uint64_t current = lttp_load(&file->current);

	return current == LTTP_NO_BLOCK ? 0 : (uint32_t)current + 1;
}

void lttp_session_sum(const struct lttp_session *session, struct lttp_totals *totals)
{
	const struct lttp_head *head = session->head;

	*totals = (struct lttp_totals){
		.lost = lttp_load(&head->lost),
		.control_lost = lttp_load(&head->losses.events[LTTP_LOST_PROCESS_EVENT]),
		.processes = lttp_load(&head->processes_joined),
		.refused = lttp_load(&head->refused),
	};
	for (uint32_t i = 0; i < lttp_session_files(head); i++) {
		totals->lost += lttp_load(&session->files[i].lost);
		totals->bytes += (uint64_t)used_blocks(&session->files[i]) * head->block_bytes;
	}
}

const char *lttp_refusal_text(uint32_t reason)
{
	switch (reason) {
	case LTTP_REFUSED_VERSION:
		return "it was built with another version of libltt-probe";
	case LTTP_REFUSED_ARCH:
		return "it has another byte order or other type sizes";
	case LTTP_REFUSED_COUNTER:
		return "it may not read the cycle counter";
	case LTTP_REFUSED_CLOCK:
		return "it is in another time namespace";
	case LTTP_REFUSED_MEMORY:
		return "it has no memory for its tables";
	case LTTP_REFUSED_FACILITY:
		return "there are too many facilities, or its name is too long, or its header is "
		       "of another version";
	default:
		return "the reason is unknown to this version";
	}
}

int lttp_feed_open(struct lttp_feed *feed, const struct lttp_session *session)
{
	feed->files = lttp_session_files(session->head);
	feed->used = calloc(feed->files, sizeof(*feed->used));
	return feed->used != NULL ? 0 : -ENOMEM;
}

void lttp_feed_close(struct lttp_feed *feed)
{
	free(feed->used);
	feed->used = NULL;
}

int lttp_session_keep(const struct lttp_session *session)
{
	int fd = lttp_session_lock(session, LTTP_LOCK_KEEPER, F_RDLCK);

	if (fd >= 0)
		lttp_store(&session->head->keeper_pid, lttp_getpid());
	return fd;
}

uint64_t lttp_feed_session(struct lttp_feed *feed, struct lttp_session *session)
{
	const struct lttp_head *head = session->head;
	uint64_t now = lttp_clock_read(head);
	uint64_t most = LTTP_GROW_BYTES_MAX / head->block_bytes + 1;
	bool busy = false;

	if (now >= feed->look_cycles) {
		feed->look_cycles = now + head->cycles_per_second / LOOKS_PER_SECOND;
		lttp_processes_find_filters(session);
		lttp_processes_bury(session, false);
	} else if (lttp_processes_are_many(session)) {
		lttp_processes_bury(session, false);
	}
	lttp_control_tend(session);
	lttp_losses_report_rarely(session);
	if (head->flight_blocks != 0 || !lttp_load(&head->running))
		return FEED_IDLE_NS;
	for (uint32_t i = 0; i < feed->files; i++) {
		uint32_t used = used_blocks(&session->files[i]);
		uint64_t ahead = 2 * (uint64_t)(used - feed->used[i]);

		feed->used[i] = used;
		if (ahead == 0)
			continue;
		busy = true;
		lttp_file_extend(session, i, used + (ahead < most ? ahead : most));
	}
	return busy ? FEED_BUSY_NS : FEED_IDLE_NS;
}
