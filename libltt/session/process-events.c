/* process-events.c - process_start and process_exit in control/processes. See process-events.h. */
#define _GNU_SOURCE
#include "session/process-events.h"

#include "session/anchor.h"
#include "session/atomic.h"
#include "session/control.h"
#include "session/events.h"
#include "session/file.h"
#include "session/journal.h"
#include "session/losses.h"
#include "session/sys.h"

#include <string.h>
#include <sys/prctl.h>

enum { NAME_BYTES = 16 };

static void append_or_lose(struct lttp_session *session, uint16_t id, const void *bytes,
			   uint32_t size, uint64_t *spot)
{
	if (lttp_control_append(session, id, bytes, size, spot) != 0)
		lttp_loss_count(session->head, LTTP_LOST_PROCESS_EVENT, 1);
}

/* Builds the payload of a process_start, except the path that follows it. Returns its size. */
static uint32_t put_process(char *bytes, uint32_t pid, uint32_t parent, const char *name)
{
	uint32_t length = (uint32_t)strnlen(name, NAME_BYTES);

	memcpy(bytes, &pid, 4);
	memcpy(bytes + 4, &parent, 4);
	memcpy(bytes + 8, name, length);
	bytes[8 + length] = 0;
	return 8 + length + 1;
}

void lttp_process_events_start(struct lttp_session *session, struct lttp_process_slot *slot,
			       const char *executable)
{
	char bytes[8 + NAME_BYTES + 1 + LTTP_EXECUTABLE_BYTES], name[NAME_BYTES] = "";
	size_t length = strnlen(executable, LTTP_EXECUTABLE_BYTES - 1);
	uint32_t size;

	lttp_prctl(PR_GET_NAME, name);
	size = put_process(bytes, lttp_getpid(), (uint32_t)getppid(), name);
	memcpy(bytes + size, executable, length);
	size += (uint32_t)length;
	bytes[size++] = 0;
	append_or_lose(session, LTTP_ID_PROCESS_START, bytes, size,
		       slot != NULL ? &slot->start : NULL);
}

void lttp_process_events_add_start(struct lttp_session *session,
				   const struct lttp_process_slot *slot)
{
	char bytes[8 + NAME_BYTES + 1 + 1];
	uint32_t size = put_process(bytes, (uint32_t)(slot->who >> 32), slot->ppid, slot->name);

	bytes[size++] = 0;
	append_or_lose(session, LTTP_ID_PROCESS_START, bytes, size, NULL);
}

void lttp_process_events_exit(struct lttp_session *session, struct lttp_process_slot *slot,
			      uint32_t pid, int32_t status)
{
	char bytes[8];

	memcpy(bytes, &pid, 4);
	memcpy(bytes + 4, &status, 4);
	append_or_lose(session, LTTP_ID_PROCESS_EXIT, bytes, sizeof(bytes),
		       slot != NULL ? &slot->exit : NULL);
}

static bool is_in_journal(struct lttp_head *head, uint64_t spot, uint16_t id, uint32_t pid)
{
	struct lttp_notice notice;

	uint64_t done = lttp_load(&head->journal_done);

	for (uint64_t number = done;
	     number - done < LTTP_JOURNAL && lttp_journal_read(head, number, &notice); number++) {
		uint32_t found_pid;

		memcpy(&found_pid, notice.bytes, sizeof(found_pid));
		if (LTTP_SPOT(notice.block, lttp_notice_offset(&notice)) == spot &&
		    notice.id == id && found_pid == pid)
			return true;
	}
	return false;
}

bool lttp_process_events_has(struct lttp_session *session, uint64_t spot, uint16_t id, uint32_t pid)
{
	const struct lttp_head *head = session->head;
	uint32_t number = (uint32_t)(spot >> 32), offset = (uint32_t)spot, found_pid;
	uint16_t found_id;
	bool found;
	char *block;

	if (offset == 0 || offset >= lttp_block_room(head))
		return false;
	if (!lttp_control_commit(session) && is_in_journal(session->head, spot, id, pid))
		return true;
	block = lttp_file_map_control(session, LTTP_ANCHOR_PROCESSES, number);
	if (block == NULL)
		return false;
	memcpy(&found_id, block + offset, sizeof(found_id));
	memcpy(&found_pid, block + offset + LTTP_HEADER_BYTES, sizeof(found_pid));
	found = lttp_block_is_past(head, block, offset) && found_id == id && found_pid == pid;
	munmap(block, head->block_bytes);
	return found;
}
