/* control.c - control/processes. See control.h.
 *
 * Each event has its own time value before it. So a writer needs to know only where the events
 * before it end.
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
#include "session/losses.h"
#include "session/sys.h"

#include <string.h>

static const char path[] = "control/processes";

enum {
	GROWTH_BLOCKS = 4, /* most blocks that the file grows by at once, besides the reserve */
	RESERVE_BYTES = 40 << 10, /* for a full journal and the report of losses */
	COMMITS_AT_ONCE = 1000    /* of events, while others enter more */
};

/* ---- the file ---- */

/* Number of blocks that are allocated but not used before the end. When the disk is full, the
 * events that wait in the journal and the report of losses go there. */
static uint64_t reserve_blocks(const struct lttp_head *head)
{
	return (RESERVE_BYTES + head->block_bytes - 1) / head->block_bytes;
}

/* Makes sure that the file has @blocks blocks and the reserve, in this process. */
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
	/* The state may be damaged; its numbers must not fill the disk. */
	if (fstat(fd, &status) != 0 || blocks > (uint64_t)status.st_size / size + GROWTH_BLOCKS)
		result = -EIO;
	else
		result = lttp_allocate(fd, have * size,
				       (blocks + reserve_blocks(head) - have) * size);
	if (result == 0)
		lttp_raise(&head->control_blocks, blocks);
	if (kept < 0)
		lttp_close(fd);
	return result;
}

static int extend(struct lttp_session *session, uint64_t blocks)
{
	struct lttp_head *head = session->head;
	const struct lttp_request request = {&head->control_wanted, &head->control_blocks,
					     &head->control_refused_errno};
	int result = -ETIMEDOUT;

	if (lttp_load(&head->control_blocks) >= blocks)
		return 0;
	if (session->lock != NULL && lttp_keeper_is_there(head))
		result = lttp_keeper_ask(head, &request, blocks);
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

/* Closes the block before the one that the event begins. */
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
	if (!lttp_block_is_past(head, block, offset)) {
		lttp_put_block_event(&out, LTTP_ID_BLOCK_END, &at,
				     at.cycles - notice->before_cycles, number);
		memcpy(block + offset, out.bytes, out.size);
		lttp_replace(lttp_block_word(head, block), lttp_word(offset, notice->before_last),
			     lttp_word(head->block_bytes, offset));
	}
	munmap(block, head->block_bytes);
	return 0;
}

/* Stores an event in its block and commits it. All processes would store the same bytes. */
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

/* Writes an event that is not written yet. Returns: 0 or -errno */
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
	if (!lttp_block_is_past(head, block, notice->offset))
		store(head, block, notice, bytes);
	munmap(block, head->block_bytes);
	return 0;
}

/* model: write_journal */
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

bool lttp_control_has_spare(struct lttp_head *head)
{
	struct lttp_journal_end end;

	return lttp_journal_find_end(head, &end) &&
	       lttp_load(&head->control_blocks) > (uint64_t)end.block + 1;
}

int lttp_control_tend(struct lttp_session *session)
{
	struct lttp_journal_end end;
	int result = 0;

	/* The blocks with events, and the next one. */
	if (lttp_journal_find_end(session->head, &end))
		result = extend_here(session, (uint64_t)end.block + 2);
	lttp_control_commit(session);
	return result;
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

int lttp_control_append(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size,
			uint64_t *spot)
{
	int result = lttp_journal_enter(session->head, id, bytes, size, spot);

	/* The journal is full of events that are not in the file yet. */
	if (result == -EAGAIN && lttp_control_commit(session))
		result = lttp_journal_enter(session->head, id, bytes, size, spot);
	if (result == 0)
		lttp_control_commit(session);
	return result;
}

/* ---- for snapshots and the end ---- */

static struct lttp_place place_at(uint32_t block, uint32_t offset, uint32_t last)
{
	/* A block that was not begun follows a closed one, or none. */
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

/* Nothing is written after this, so the events still in the journal are lost. */
static void count_unwritten(struct lttp_head *head)
{
	uint64_t done = lttp_load(&head->journal_done);
	struct lttp_notice notice;

	for (uint64_t number = done;
	     number - done < LTTP_JOURNAL && lttp_journal_read(head, number, &notice); number++) {
		if (notice.id == LTTP_ID_PROCESS_START || notice.id == LTTP_ID_PROCESS_EXIT)
			lttp_loss_count(head, LTTP_LOST_PROCESS_EVENT, 1);
	}
}

void lttp_control_use_reserve(struct lttp_session *session)
{
	int fd = lttp_session_file(session, path, O_RDONLY);
	struct stat status;

	if (fd >= 0 && fstat(fd, &status) == 0)
		lttp_raise(&session->head->control_blocks,
			   (uint64_t)status.st_size / session->head->block_bytes);
	lttp_close(fd);
}

void lttp_control_close(struct lttp_session *session, uint64_t lost)
{
	if (lost != 0)
		lttp_control_append(session, LTTP_ID_EVENTS_LOST, &lost, sizeof(lost), NULL);
	lttp_control_append(session, LTTP_ID_BLOCK_END, "", 0, NULL);
	count_unwritten(session->head);
}
