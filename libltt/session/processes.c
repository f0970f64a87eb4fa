/* processes.c - the table of running processes. See processes.h. */
#define _GNU_SOURCE
#include "session/processes.h"

#include "session/atomic.h"
#include "session/events.h"
#include "session/process-events.h"
#include "session/sys.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum {
	PATH_BYTES = 32,
	STAT_BYTES = 256, /* the state is near the start */
	STATUS_BYTES = 4096,
};

/* A process that has a slot. */
struct occupant {
	uint32_t pid;
	uint16_t space; /* where the pid is valid, as in the slot */
};

/* Returns: false if the slot is free, or its process has not entered the table completely */
static bool get_occupant(const struct lttp_process_slot *slot, struct occupant *occupant)
{
	uint64_t owner = lttp_load(&slot->owner), who = lttp_load(&slot->who);

	*occupant = (struct occupant){(uint32_t)(who >> 32), slot->pid_space};
	return owner != 0 && occupant->pid != 0 && who == LTTP_WHO(occupant->pid, owner);
}

/* ---- what the kernel says ---- */

/* Reads the start of the file /proc/PID/@name. Returns: false if the process has exited, or the
 * file cannot be read */
static bool read_about(uint32_t pid, const char *name, char *text, size_t size)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "/proc/%u/%s", pid, name);
	return lttp_read_text(path, text, size) > 0;
}

static bool exists(uint32_t pid)
{
	return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
}

/* Whether a process exists and is not a zombie. */
static bool is_living(uint32_t pid)
{
	const char *state = NULL;
	char text[STAT_BYTES];

	if (!exists(pid))
		return false;
	if (read_about(pid, "stat", text, sizeof(text)))
		state = strrchr(text, ')');
	return state == NULL || (strncmp(state, ") Z", 3) != 0 && strncmp(state, ") X", 3) != 0);
}

/* Whether a process has a seccomp filter; false if it has ended. */
static bool is_filtered(uint32_t pid)
{
	char text[STATUS_BYTES];
	const char *found = NULL;

	if (read_about(pid, "status", text, sizeof(text)))
		found = strstr(text, "\nSeccomp:\t");
	return found != NULL && found[strlen("\nSeccomp:\t")] != '0';
}

/* ---- the table ---- */

uint32_t lttp_processes_count_living(const struct lttp_session *session, bool all_are_dead)
{
	struct occupant occupant;
	uint32_t living = 0;

	for (unsigned i = 0; i < LTTP_PROCESSES; i++) {
		if (get_occupant(&session->head->processes[i], &occupant) &&
		    (occupant.space == LTTP_SPACE_OWN ? is_living(occupant.pid) : !all_are_dead))
			living++;
	}
	return living;
}

bool lttp_processes_are_many(const struct lttp_session *session)
{
	unsigned n = 0;

	for (unsigned i = 0; i < LTTP_PROCESSES; i++)
		n += lttp_load(&session->head->processes[i].owner) != 0;
	return n >= LTTP_PROCESSES / 2;
}

bool lttp_processes_has(const struct lttp_session *session, uint32_t pid)
{
	struct occupant occupant;

	for (unsigned i = 0; i < LTTP_PROCESSES; i++) {
		if (get_occupant(&session->head->processes[i], &occupant) && occupant.pid == pid)
			return true;
	}
	return false;
}

/* Frees a slot of a dead process, and writes its process_start if that is missing. Returns: whether
 * its process_exit is missing. model: bury */
static bool bury_slot(struct lttp_session *session, struct lttp_process_slot *slot,
		      const struct occupant *dead)
{
	struct lttp_process_slot was;

	was.owner = lttp_load(&slot->owner);
	was.who = lttp_load(&slot->who);
	if (was.owner == 0 || was.who != LTTP_WHO(dead->pid, was.owner))
		return false;
	memcpy(&was, slot, sizeof(was));
	if (was.who != LTTP_WHO(dead->pid, was.owner) || was.pid_space != dead->space ||
	    !lttp_replace(&slot->owner, was.owner, 0))
		return false;
	if (!lttp_process_events_has(session, was.start, LTTP_ID_PROCESS_START, dead->pid))
		lttp_process_events_add_start(session, &was);
	return !lttp_process_events_has(session, was.exit, LTTP_ID_PROCESS_EXIT, dead->pid);
}

/* A process that was killed just after exec has several slots. */
static void bury(struct lttp_session *session, const struct occupant *dead, int32_t status)
{
	bool left = false;

	for (unsigned i = 0; i < LTTP_PROCESSES; i++)
		left = bury_slot(session, &session->head->processes[i], dead) || left;
	if (left)
		lttp_process_events_exit(session, NULL, dead->pid, status);
}

void lttp_processes_bury_one(struct lttp_session *session, uint32_t pid, int32_t status)
{
	bury(session, &(struct occupant){pid, LTTP_SPACE_OWN}, status);
}

void lttp_processes_bury(struct lttp_session *session, bool all_are_dead)
{
	struct occupant occupant;

	for (unsigned i = 0; i < LTTP_PROCESSES; i++) {
		if (get_occupant(&session->head->processes[i], &occupant) &&
		    (occupant.space == LTTP_SPACE_OWN ? !exists(occupant.pid) : all_are_dead))
			bury(session, &occupant, LTTP_STATUS_UNKNOWN);
	}
}

void lttp_processes_find_filters(struct lttp_session *session)
{
	struct occupant occupant;

	for (unsigned i = 0; i < LTTP_PROCESSES; i++) {
		struct lttp_process_slot *slot = &session->head->processes[i];

		/* A process of another PID namespace cannot be found here. */
		if (get_occupant(slot, &occupant) &&
		    (occupant.space != LTTP_SPACE_OWN || is_filtered(occupant.pid)))
			lttp_store(&slot->is_filtered, 1);
	}
}
