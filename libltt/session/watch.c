/* watch.c - supervise a session in the recorder. See watch.h. */
#define _GNU_SOURCE
#include "session/watch.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/control.h"
#include "session/events.h"
#include "session/file.h"
#include "session/losses-report.h"
#include "session/process-events.h"
#include "session/serve.h"
#include "session/sys.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

/* Whether a process exists and is not a zombie. */
static bool is_living(uint32_t pid)
{
	const char *state = NULL;
	char text[256];

	if (kill((pid_t)pid, 0) != 0 && errno != EPERM)
		return false;
	if (lttp_read_process(pid, "stat", text, sizeof(text)))
		state = strrchr(text, ')');
	return state == NULL || (strncmp(state, ") Z", 3) != 0 && strncmp(state, ") X", 3) != 0);
}

uint32_t lttp_session_count_living(const struct lttp_session *session, bool all_are_dead)
{
	uint32_t living = 0;

	for (unsigned i = 0; i < LTTP_PROCESSES; i++) {
		const struct lttp_process_slot *slot = &session->head->processes[i];
		uint64_t owner = lttp_load(&slot->owner), who = lttp_load(&slot->who);
		uint32_t pid = (uint32_t)(who >> 32);

		if (owner != 0 && pid != 0 && who == LTTP_WHO(pid, owner) &&
		    (slot->pid_space == LTTP_SPACE_OWN ? is_living(pid) : !all_are_dead))
			living++;
	}
	return living;
}

int lttp_session_keep(const struct lttp_session *session)
{
	int fd = lttp_session_lock(session, LTTP_LOCK_KEEPER, F_RDLCK);

	if (fd >= 0)
		lttp_store(&session->head->keeper_pid, lttp_getpid());
	return fd;
}

/* Frees a slot of a dead process, and writes its process_start if that is missing. Returns: whether
 * its process_exit is missing. model: bury */
static bool bury_slot(struct lttp_session *session, struct lttp_process_slot *slot, uint32_t pid,
		      uint16_t space)
{
	struct lttp_process_slot was;

	was.owner = lttp_load(&slot->owner);
	was.who = lttp_load(&slot->who);
	if (was.owner == 0 || was.who != LTTP_WHO(pid, was.owner))
		return false;
	memcpy(&was, slot, sizeof(was));
	if (was.who != LTTP_WHO(pid, was.owner) || was.pid_space != space ||
	    !lttp_replace(&slot->owner, was.owner, 0))
		return false;
	if (!lttp_process_events_has(session, was.start, LTTP_ID_PROCESS_START, pid))
		lttp_process_events_add_start(session, &was);
	return !lttp_process_events_has(session, was.exit, LTTP_ID_PROCESS_EXIT, pid);
}

/* A process that was killed just after exec has several slots. */
static void bury_process(struct lttp_session *session, uint32_t pid, uint16_t space, int32_t status)
{
	bool left = false;

	for (unsigned i = 0; i < LTTP_PROCESSES; i++)
		left = bury_slot(session, &session->head->processes[i], pid, space) || left;
	if (left)
		lttp_process_events_exit(session, NULL, pid, status);
}

void lttp_session_bury_one(struct lttp_session *session, uint32_t pid, int32_t status)
{
	bury_process(session, pid, LTTP_SPACE_OWN, status);
}

void lttp_session_bury(struct lttp_session *session, bool all_are_dead)
{
	for (unsigned i = 0; i < LTTP_PROCESSES; i++) {
		struct lttp_process_slot *slot = &session->head->processes[i];
		uint64_t owner = lttp_load(&slot->owner), who = lttp_load(&slot->who);
		uint32_t pid = (uint32_t)(who >> 32);
		uint16_t space = slot->pid_space;
		bool is_dead = all_are_dead;

		if (owner == 0 || pid == 0 || who != LTTP_WHO(pid, owner))
			continue;
		if (space == LTTP_SPACE_OWN)
			is_dead = kill((pid_t)pid, 0) != 0 && errno == ESRCH;
		if (is_dead)
			bury_process(session, pid, space, LTTP_STATUS_UNKNOWN);
	}
}

/* Whether so many processes are running, or died since the last look, that others may soon find no
 * slot. */
static bool is_crowded(const struct lttp_session *session)
{
	unsigned n = 0;

	for (unsigned i = 0; i < LTTP_PROCESSES; i++)
		n += lttp_load(&session->head->processes[i].owner) != 0;
	return n >= LTTP_PROCESSES / 2;
}

uint64_t lttp_feed_session(struct lttp_feed *feed, struct lttp_session *session)
{
	const struct lttp_head *head = session->head;
	uint64_t now = lttp_clock_read(head);
	uint64_t most = LTTP_GROW_BYTES_MAX / head->block_bytes + 1;
	bool busy = false;

	if (now >= feed->look_cycles) {
		feed->look_cycles = now + head->cycles_per_second / LOOKS_PER_SECOND;
		lttp_serve_look(session);
		lttp_session_bury(session, false);
	} else if (is_crowded(session)) {
		lttp_session_bury(session, false);
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
