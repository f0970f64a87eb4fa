/* losses.c - reasons of lost events. See losses.h. */
#define _GNU_SOURCE
#include "session/losses.h"

#include "session/atomic.h"

#include <errno.h>
#include <string.h>

static const char *const words[LTTP_LOST_REASONS] = {
	[LTTP_LOST_UNKNOWN] = "unknown",
	[LTTP_LOST_DISK_FULL] = "disk_full",
	[LTTP_LOST_QUOTA] = "quota",
	[LTTP_LOST_FILE_SIZE] = "file_size",
	[LTTP_LOST_TOO_LARGE] = "too_large",
	[LTTP_LOST_NO_PLACE] = "no_place",
	[LTTP_LOST_NO_RIGHT] = "no_right",
	[LTTP_LOST_NO_DESCRIPTOR] = "no_descriptor",
	[LTTP_LOST_NO_MEMORY] = "no_memory",
	[LTTP_LOST_NO_TRACE] = "no_trace",
	[LTTP_LOST_IO_ERROR] = "io_error",
	[LTTP_LOST_NO_LANE] = "no_lane",
	[LTTP_LOST_VFORK] = "vfork",
	[LTTP_LOST_NO_FACILITY] = "no_facility",
	[LTTP_LOST_BUSY] = "busy",
	[LTTP_LOST_BAD_STATE] = "bad_state",
	[LTTP_LOST_READ_ONLY] = "read_only",
	[LTTP_LOST_NO_RECORDER] = "no_recorder",
	[LTTP_LOST_PROCESS_EVENT] = "process_event",
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
		return LTTP_LOST_NO_RIGHT;
	case EROFS:
		return LTTP_LOST_READ_ONLY;
	case EHOSTDOWN:
		return LTTP_LOST_NO_RECORDER;
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

void lttp_loss_count(struct lttp_head *head, enum lttp_loss reason, uint64_t events)
{
	lttp_add(&head->losses.events[reason], events);
}

void lttp_loss_count_unfiled(struct lttp_head *head, enum lttp_loss reason, uint64_t events)
{
	lttp_add(&head->lost, events);
	lttp_loss_count(head, reason, events);
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
