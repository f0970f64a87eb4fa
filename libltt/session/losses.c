/* losses.c - why events are lost. See losses.h.
 *
 * Two may tell the trace at the same time: each takes its share with an exchange, and puts back
 * what it could not write.
 */
#define _GNU_SOURCE
#include "session/losses.h"

#include "session/atomic.h"
#include "session/control.h"
#include "session/events.h"

#include <errno.h>

static const char *const words[LTTP_LOST_REASONS] = {
	[LTTP_LOST_UNKNOWN] = "unknown",     [LTTP_LOST_DISK_FULL] = "disk_full",
	[LTTP_LOST_QUOTA] = "quota",         [LTTP_LOST_FILE_SIZE] = "file_size",
	[LTTP_LOST_TOO_LARGE] = "too_large", [LTTP_LOST_NO_PLACE] = "no_place",
	[LTTP_LOST_NO_RIGHT] = "no_right",   [LTTP_LOST_NO_DESCRIPTOR] = "no_descriptor",
	[LTTP_LOST_NO_MEMORY] = "no_memory", [LTTP_LOST_NO_TRACE] = "no_trace",
	[LTTP_LOST_IO_ERROR] = "io_error",   [LTTP_LOST_NO_LANE] = "no_lane",
	[LTTP_LOST_VFORK] = "vfork",         [LTTP_LOST_NO_FACILITY] = "no_facility",
	[LTTP_LOST_BUSY] = "busy",           [LTTP_LOST_BAD_STATE] = "bad_state",
};

const char *lttp_loss_word(enum lttp_loss reason)
{
	return reason < LTTP_LOST_REASONS ? words[reason] : words[LTTP_LOST_UNKNOWN];
}

enum lttp_loss lttp_loss_of(long result)
{
	switch (-result) {
	case ENOSPC:
		return LTTP_LOST_DISK_FULL;
	case EDQUOT:
		return LTTP_LOST_QUOTA;
	case EFBIG:
		return LTTP_LOST_FILE_SIZE;
	case EACCES:
	case EPERM:
	case EROFS:
		return LTTP_LOST_NO_RIGHT;
	case EMFILE:
	case ENFILE:
		return LTTP_LOST_NO_DESCRIPTOR;
	case ENOMEM:
		return LTTP_LOST_NO_MEMORY;
	case ENOENT:
	case ENOTDIR:
	case ESTALE:
		return LTTP_LOST_NO_TRACE;
	case EWOULDBLOCK:
		return LTTP_LOST_NO_LANE;
	case EOVERFLOW:
		return LTTP_LOST_NO_FACILITY;
	default:
		return LTTP_LOST_IO_ERROR;
	}
}

void lttp_loss_count(struct lttp_head *head, enum lttp_loss reason)
{
	lttp_add(&head->losses.events[reason], 1);
}

/* ---- event types whose events are too large ---- */

static void append(struct lttp_large *large, const char *text, size_t length)
{
	size_t have = strnlen(large->name, sizeof(large->name) - 1);
	size_t room = sizeof(large->name) - 1 - have;

	memcpy(large->name + have, text, length < room ? length : room);
}

/* The description was made by the facility compiler, which puts one event on a line. */
static void store_name(struct lttp_large *large, const struct ltt_probe_facility *facility,
		       uint32_t index)
{
	static const char begin[] = "<event name=\"";
	const char *at = facility->xml != NULL ? strstr(facility->xml, begin) : NULL;

	append(large, facility->name, strlen(facility->name));
	append(large, ".", 1);
	while (at != NULL && index-- > 0)
		at = strstr(at + 1, begin);
	if (at != NULL)
		append(large, at + sizeof(begin) - 1, strcspn(at + sizeof(begin) - 1, "\""));
	else
		append(large, "?", 1);
}

void lttp_loss_note_large(struct lttp_head *head, const struct ltt_probe_facility *facility,
			  uint32_t index, uint64_t size)
{
	uint64_t key = ((uint64_t)facility->checksum << 32 | index) + 1;

	for (unsigned i = 0; i < LTTP_LARGE_TYPES; i++) {
		struct lttp_large *large = &head->losses.large[i];

		if (lttp_load(&large->key) == 0 && lttp_replace(&large->key, 0, key))
			store_name(large, facility, index);
		if (lttp_load(&large->key) != key)
			continue;
		lttp_raise(&large->bytes, size);
		lttp_add(&large->events, 1);
		return;
	}
}

/* ---- into the trace ---- */

/* How many are new since @said, which then says them all. */
static uint64_t take_new(const uint64_t *events, uint64_t *said)
{
	uint64_t all = lttp_load(events), before = lttp_load(said);

	return all > before && lttp_replace(said, before, all) ? all - before : 0;
}

static void tell_reason(struct lttp_session *session, enum lttp_loss reason)
{
	struct lttp_losses *losses = &session->head->losses;
	uint64_t events = take_new(&losses->events[reason], &losses->said[reason]);
	struct lttp_bytes out = {0, 0, ""};

	if (events == 0)
		return;
	lttp_put(&out, words[reason], (uint32_t)strlen(words[reason]) + 1);
	lttp_put64(&out, events);
	if (lttp_control_note(session, LTTP_ID_LOST, out.bytes, out.size) != 0)
		lttp_add(&losses->said[reason], -events);
}

static void tell_large(struct lttp_session *session, struct lttp_large *large)
{
	uint64_t events = take_new(&large->events, &large->said);
	struct lttp_bytes out = {0, 0, ""};

	if (events == 0)
		return;
	lttp_put(&out, large->name, (uint32_t)strnlen(large->name, sizeof(large->name) - 1));
	lttp_put(&out, "", 1);
	lttp_put64(&out, lttp_load(&large->bytes));
	lttp_put64(&out, events);
	if (lttp_control_note(session, LTTP_ID_TOO_LARGE, out.bytes, out.size) != 0)
		lttp_add(&large->said, -events);
}

void lttp_losses_tell(struct lttp_session *session)
{
	for (unsigned i = 0; i < LTTP_LOST_REASONS; i++)
		tell_reason(session, i);
	for (unsigned i = 0; i < LTTP_LARGE_TYPES; i++)
		tell_large(session, &session->head->losses.large[i]);
}
