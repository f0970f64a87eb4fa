/* control.c - events in control/processes. See control.h.
 *
 * Each event has a time value of its own before it. So nothing has to be known of what was written
 * before but where it ends.
 */
#define _GNU_SOURCE
#include "session/control.h"

#include "session/anchor.h"
#include "session/atomic.h"
#include "session/events.h"
#include "session/file.h"
#include "session/journal.h"
#include "session/keeper.h"
#include "session/kept.h"
#include "session/sys.h"

#include <string.h>
#include <sys/prctl.h>

static const char path[] = "control/processes";

enum {
	NAME_BYTES = 16,
	AHEAD_BLOCKS = 4,      /* that the file may grow at once */
	COMMITS_AT_ONCE = 1000 /* of events, while others enter more */
};

/* ---- the file ---- */

/* Makes sure that the file has @blocks blocks, in this process. */
static int extend_here(struct lttp_session *session, uint64_t blocks)
{
	struct lttp_head *head = session->head;
	uint64_t have = lttp_load(&head->control_blocks), size = head->block_bytes;
	struct stat status;
	int kept, fd, result;

	if (have >= blocks)
		return 0;
	kept = fd = lttp_kept_file(session, LTTP_ANCHOR_PROCESSES);
	if (kept < 0)
		fd = lttp_session_file(session, path, O_RDWR);
	if (fd < 0)
		return fd;
	/* The place of an event may be nonsense, and must not fill the disk. */
	if (fstat(fd, &status) != 0 || blocks > (uint64_t)status.st_size / size + AHEAD_BLOCKS)
		result = -EIO;
	else
		result = lttp_allocate(fd, have * size, (blocks - have) * size);
	if (result == 0)
		lttp_raise(&head->control_blocks, blocks);
	if (kept < 0)
		lttp_close(fd);
	return result;
}

static int extend(struct lttp_session *session, uint64_t blocks)
{
	struct lttp_head *head = session->head;
	int result = -ETIMEDOUT;

	if (lttp_load(&head->control_blocks) >= blocks)
		return 0;
	if (session->lock != NULL && lttp_keeper_is_there(head))
		result =
			lttp_keeper_ask(head, &head->control_wanted, blocks, &head->control_blocks);
	if (result == -ETIMEDOUT)
		result = lttp_keeper_lets_open(session) ? extend_here(session, blocks) : -EACCES;
	return result;
}

int lttp_control_create(struct lttp_session *session)
{
	int fd = lttp_session_file(session, path, O_RDWR | O_CREAT | O_EXCL);

	lttp_close(fd);
	return fd < 0 ? fd : extend_here(session, 1);
}

static bool is_past(const struct lttp_head *head, char *block, uint32_t offset)
{
	return lttp_word_next(lttp_load(lttp_block_word(head, block))) > offset;
}

/* Closes the block before the one that an event begins. */
static int close_before(struct lttp_session *session, const struct lttp_notice *notice)
{
	const struct lttp_head *head = session->head;
	struct lttp_instant at = {notice->cycles, notice->ns};
	uint32_t offset = notice->before_offset, number = notice->block - 1;
	struct lttp_bytes out = {0, 0, ""};
	char *block;

	if (offset > lttp_block_room(head))
		return -EIO;
	block = lttp_file_map_control(session, LTTP_ANCHOR_PROCESSES, number);
	if (block == NULL)
		return -EIO;
	if (!is_past(head, block, offset)) {
		lttp_put_block_event(&out, LTTP_ID_BLOCK_END, &at,
				     at.cycles - notice->before_cycles, number);
		memcpy(block + offset, out.bytes, out.size);
		lttp_replace(lttp_block_word(head, block), lttp_word(offset, notice->before_last),
			     lttp_word(head->block_bytes, offset));
	}
	munmap(block, head->block_bytes);
	return 0;
}

/* Stores an event in its block and commits it: always the same bytes, whoever does it. */
static void store(const struct lttp_head *head, char *block, const struct lttp_notice *notice,
		  const void *bytes)
{
	struct lttp_instant at = {notice->cycles, notice->ns};
	uint64_t delta = notice->cycles - notice->before_cycles;
	uint32_t offset = notice->offset, next = offset + lttp_notice_bytes(notice);
	uint64_t before = offset == 0 ? 0 : lttp_word(offset, notice->before_last);
	struct lttp_bytes out = {0, 0, ""};

	if (notice->id == LTTP_ID_BLOCK_END) {
		next = head->block_bytes;
		lttp_put_block_event(&out, LTTP_ID_BLOCK_END, &at, delta, notice->block);
	} else {
		if (offset == 0)
			lttp_put_block_event(&out, LTTP_ID_BLOCK_START, &at, 0, notice->block);
		else
			lttp_put_heartbeat(&out, &at, delta);
		lttp_put_header(&out, (uint16_t)notice->id, 0);
		memcpy(block + offset + out.size, bytes, notice->size);
	}
	memcpy(block + offset, out.bytes, out.size);
	lttp_replace(lttp_block_word(head, block), before,
		     lttp_word(next, lttp_notice_offset(notice)));
}

/* Writes an event, unless that has been done. -errno */
static int write_notice(struct lttp_session *session, const struct lttp_notice *notice,
			const void *bytes)
{
	const struct lttp_head *head = session->head;
	int result = extend(session, (uint64_t)notice->block + 1);
	char *block;

	if (result == 0 && notice->offset == 0 && notice->before_offset != 0)
		result = close_before(session, notice);
	if (result != 0)
		return result;
	block = lttp_file_map_control(session, LTTP_ANCHOR_PROCESSES, notice->block);
	if (block == NULL)
		return -EIO;
	if (!is_past(head, block, notice->offset))
		store(head, block, notice, bytes);
	munmap(block, head->block_bytes);
	return 0;
}

bool lttp_control_commit(struct lttp_session *session)
{
	struct lttp_head *head = session->head;
	uint64_t number = lttp_load(&head->journal_done);
	struct lttp_notice notice;

	for (int i = 0; i < COMMITS_AT_ONCE && lttp_journal_read(head, number, &notice); i++) {
		if (write_notice(session, &notice, notice.bytes) != 0)
			return false;
		number++;
		lttp_raise(&head->journal_done, number);
	}
	return number >= lttp_load(&head->journal_end);
}

void lttp_control_tend(struct lttp_session *session)
{
	struct lttp_head *head = session->head;
	struct lttp_journal_end end;

	/* As many as are sure to be used up, and the next. */
	if (lttp_journal_find_end(head, &end))
		extend_here(session, (uint64_t)end.block + 2);
	lttp_control_commit(session);
}

/* ---- events ---- */

int lttp_control_begin(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size)
{
	struct lttp_journal_base *base = &session->head->journal_base;
	struct lttp_notice notice = {.id = id, .size = size};
	struct lttp_journal_end end = {.cycles = base->cycles,
				       .block = base->block,
				       .offset = base->offset,
				       .last = base->last};
	int result;

	if (size > lttp_block_room(session->head) / 2)
		return -EMSGSIZE;
	result = lttp_notice_place(session->head, &notice, &end);
	if (result == 0)
		result = write_notice(session, &notice, bytes);
	if (result == 0)
		*base = (struct lttp_journal_base){
			.cycles = notice.cycles,
			.block = notice.block,
			.offset = notice.offset + lttp_notice_bytes(&notice),
			.last = lttp_notice_offset(&notice),
		};
	return result;
}

static int append(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size,
		  uint64_t *spot)
{
	int result = lttp_journal_enter(session->head, id, bytes, size, spot);

	/* What is before it has no place in the file yet. */
	if (result == -EAGAIN && lttp_control_commit(session))
		result = lttp_journal_enter(session->head, id, bytes, size, spot);
	if (result == 0)
		lttp_control_commit(session);
	return result;
}

static void append_or_lose(struct lttp_session *session, uint16_t id, const void *bytes,
			   uint32_t size, uint64_t *spot)
{
	if (append(session, id, bytes, size, spot) != 0)
		lttp_add(&session->head->control_lost, 1);
}

int lttp_control_note(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size)
{
	return append(session, id, bytes, size, NULL);
}

/* The payload of a process_start but for the path behind it. Returns its size. */
static uint32_t put_process(char *bytes, uint32_t pid, uint32_t parent, const char *name)
{
	uint32_t length = (uint32_t)strnlen(name, NAME_BYTES);

	memcpy(bytes, &pid, 4);
	memcpy(bytes + 4, &parent, 4);
	memcpy(bytes + 8, name, length);
	bytes[8 + length] = 0;
	return 8 + length + 1;
}

void lttp_control_process_start(struct lttp_session *session, struct lttp_process_slot *slot,
				const char *executable)
{
	char bytes[8 + NAME_BYTES + 1 + LTTP_EXECUTABLE_BYTES], name[NAME_BYTES] = "";
	size_t length = strnlen(executable, LTTP_EXECUTABLE_BYTES - 1);
	uint32_t size;

	prctl(PR_GET_NAME, name);
	size = put_process(bytes, lttp_getpid(), (uint32_t)getppid(), name);
	memcpy(bytes + size, executable, length);
	size += (uint32_t)length;
	bytes[size++] = 0;
	append_or_lose(session, LTTP_ID_PROCESS_START, bytes, size,
		       slot != NULL ? &slot->start : NULL);
}

void lttp_control_process_started(struct lttp_session *session,
				  const struct lttp_process_slot *slot)
{
	char bytes[8 + NAME_BYTES + 1 + 1];
	uint32_t size = put_process(bytes, (uint32_t)(slot->who >> 32), slot->ppid, slot->name);

	bytes[size++] = 0;
	append_or_lose(session, LTTP_ID_PROCESS_START, bytes, size, NULL);
}

void lttp_control_process_exit(struct lttp_session *session, struct lttp_process_slot *slot,
			       uint32_t pid, int32_t status)
{
	char bytes[8];

	memcpy(bytes, &pid, 4);
	memcpy(bytes + 4, &status, 4);
	append_or_lose(session, LTTP_ID_PROCESS_EXIT, bytes, sizeof(bytes),
		       slot != NULL ? &slot->exit : NULL);
}

static bool tells_in_journal(struct lttp_head *head, uint64_t spot, uint16_t id, uint32_t pid)
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

bool lttp_control_tells(struct lttp_session *session, uint64_t spot, uint16_t id, uint32_t pid)
{
	const struct lttp_head *head = session->head;
	uint32_t number = (uint32_t)(spot >> 32), offset = (uint32_t)spot, found_pid;
	uint16_t found_id;
	bool tells;
	char *block;

	if (offset == 0 || offset >= lttp_block_room(head))
		return false;
	if (!lttp_control_commit(session) && tells_in_journal(session->head, spot, id, pid))
		return true;
	block = lttp_file_map_control(session, LTTP_ANCHOR_PROCESSES, number);
	if (block == NULL)
		return false;
	memcpy(&found_id, block + offset, sizeof(found_id));
	memcpy(&found_pid, block + offset + LTTP_HEADER_BYTES, sizeof(found_pid));
	tells = is_past(head, block, offset) && found_id == id && found_pid == pid;
	munmap(block, head->block_bytes);
	return tells;
}

/* ---- for snapshots and the end ---- */

static struct lttp_place place_at(uint32_t block, uint32_t offset, uint32_t last)
{
	/* A block that is not begun stands behind one that is closed, or behind none. */
	if (offset != 0)
		return (struct lttp_place){LTTP_CURRENT(block, block), lttp_word(offset, last)};
	if (block != 0)
		return (struct lttp_place){LTTP_CURRENT(block - 1, block - 1), 0};
	return (struct lttp_place){LTTP_NO_BLOCK, 0};
}

int lttp_control_place(struct lttp_session *session, uint64_t cycles, struct lttp_place *place)
{
	struct lttp_journal_end end;
	struct lttp_notice notice;
	uint64_t number;

	if (!lttp_control_commit(session) || !lttp_journal_find_end(session->head, &end))
		return -EAGAIN;
	*place = end.is_closed ? place_at(end.block + 1, 0, 0)
			       : place_at(end.block, end.offset, end.last);
	for (number = end.number; number > 0; number--) {
		if (!lttp_journal_read(session->head, number - 1, &notice))
			return -EAGAIN;
		if (notice.cycles < cycles)
			break;
		*place = place_at(notice.block, notice.offset, notice.before_last);
	}
	return 0;
}

void lttp_control_close(struct lttp_session *session, uint64_t lost)
{
	if (lost != 0)
		append(session, LTTP_ID_EVENTS_LOST, &lost, sizeof(lost), NULL);
	append(session, LTTP_ID_BLOCK_END, "", 0, NULL);
}
