/* journal.c - journal of control/processes in the session state. See journal.h. */
#define _GNU_SOURCE
#include "session/journal.h"

#include "session/atomic.h"
#include "session/events.h"
#include "session/sys.h"

#include <signal.h>
#include <string.h>

enum { TRIES = 1000 };

/* States of a notice: 0 free; this with a pid while it is prepared; the number of its
 * event plus 1. */
#define MADE_BY(PID) (1ull << 63 | (PID))

static uint64_t entry(uint64_t number, uint32_t draft)
{
	return (number + 1) << 32 | (draft + 1);
}

static uint64_t *place_of(struct lttp_head *head, uint64_t number)
{
	return &head->journal[number % LTTP_JOURNAL];
}

/* Whether @word, of the place of event @number, is of this event or of a later round. */
static bool is_reached(uint64_t word, uint64_t number)
{
	return (int32_t)((uint32_t)(word >> 32) - (uint32_t)(number + 1)) >= 0;
}

static bool is_entered(struct lttp_head *head, uint64_t number)
{
	return lttp_load(place_of(head, number)) >> 32 == ((number + 1) & UINT32_MAX);
}

uint32_t lttp_notice_bytes(const struct lttp_notice *notice)
{
	if (notice->id == LTTP_ID_BLOCK_END)
		return LTTP_BLOCK_END_BYTES;
	return (notice->offset == 0 ? LTTP_BLOCK_START_BYTES : LTTP_HEARTBEAT_BYTES) +
	       LTTP_HEADER_BYTES + notice->size;
}

uint32_t lttp_notice_offset(const struct lttp_notice *notice)
{
	if (notice->id == LTTP_ID_BLOCK_END)
		return notice->offset;
	return notice->offset + lttp_notice_bytes(notice) - LTTP_HEADER_BYTES - notice->size;
}

int lttp_notice_place(struct lttp_head *head, struct lttp_notice *notice,
		      const struct lttp_journal_end *end)
{
	struct lttp_instant now;

	if (!lttp_clock_now(head, &now))
		return -EIO;
	notice->cycles = now.cycles;
	notice->ns = now.ns;
	notice->before_cycles = end->cycles;
	notice->before_last = end->last;
	notice->before_offset = end->is_closed ? 0 : end->offset;
	notice->block = end->block + end->is_closed;
	notice->offset = end->is_closed ? 0 : end->offset;
	if (notice->id != LTTP_ID_BLOCK_END &&
	    notice->offset + lttp_notice_bytes(notice) > lttp_block_room(head)) {
		notice->block++;
		notice->offset = 0;
	}
	return 0;
}

bool lttp_journal_read(struct lttp_head *head, uint64_t number, struct lttp_notice *out)
{
	uint64_t seen = lttp_load(place_of(head, number));
	uint32_t draft = (uint32_t)seen - 1;

	if (seen >> 32 != ((number + 1) & UINT32_MAX) || draft >= LTTP_NOTICES)
		return false;
	memcpy(out, &head->notices[draft], sizeof(*out));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	/* The session state may be damaged. */
	if (lttp_load(place_of(head, number)) != seen || out->size > sizeof(out->bytes) ||
	    out->offset > lttp_block_room(head))
		return false;
	/* A block_end always fits. */
	return out->id == LTTP_ID_BLOCK_END ||
	       out->offset + lttp_notice_bytes(out) <= lttp_block_room(head);
}

static bool end_of(struct lttp_head *head, uint64_t number, struct lttp_journal_end *end)
{
	struct lttp_notice last;

	if (!lttp_journal_read(head, number, &last))
		return false;
	*end = (struct lttp_journal_end){
		.number = number + 1,
		.cycles = last.cycles,
		.block = last.block,
		.offset = last.offset + lttp_notice_bytes(&last),
		.last = lttp_notice_offset(&last),
		.is_closed = last.id == LTTP_ID_BLOCK_END,
	};
	return true;
}

bool lttp_journal_find_end(struct lttp_head *head, struct lttp_journal_end *end)
{
	for (int tries = 0; tries < TRIES; tries++) {
		uint64_t number = lttp_load(&head->journal_end);

		while (is_entered(head, number))
			number++;
		if (number == 0) {
			*end = (struct lttp_journal_end){
				.cycles = head->journal_base.cycles,
				.block = head->journal_base.block,
				.offset = head->journal_base.offset,
				.last = head->journal_base.last,
			};
			return true;
		}
		if (end_of(head, number - 1, end))
			return true;
	}
	return false;
}

/* Whether the event of a notice is in the ring buffer. */
static bool is_in_ring(struct lttp_head *head, uint32_t draft)
{
	for (unsigned i = 0; i < LTTP_JOURNAL; i++) {
		if ((uint32_t)lttp_load(&head->journal[i]) == draft + 1)
			return true;
	}
	return false;
}

static bool is_dead(uint32_t pid)
{
	return kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* Takes a notice: a free one, one whose event has left the ring buffer, or one of
 * a dead process. A process may append its notice before it dies, so its death is
 * tested first. model: take_notice */
static bool take_draft(struct lttp_head *head, bool from_dead, uint32_t *out)
{
	uint64_t me = MADE_BY(lttp_getpid()), first = lttp_load(&head->journal_end);

	for (unsigned i = 0; i < LTTP_NOTICES; i++) {
		uint32_t draft = (uint32_t)((first + i) % LTTP_NOTICES);
		uint64_t *state = &head->notices[draft].state, seen = lttp_load(state);
		bool is_made = seen >> 63 != 0;

		if (is_made ? !from_dead || !is_dead((uint32_t)seen) || is_in_ring(head, draft)
			    : seen != 0 && is_in_ring(head, draft))
			continue;
		if (lttp_replace(state, seen, me)) {
			*out = draft;
			return true;
		}
	}
	return false;
}

/* Appends a notice to the journal. Others may append a whole round after the end was found, so
 * the word to replace must be of an earlier round. model: enter */
static int enter(struct lttp_head *head, uint32_t draft, uint64_t *spot)
{
	struct lttp_notice *notice = &head->notices[draft];
	struct lttp_journal_end end;

	for (int tries = 0; tries < TRIES; tries++) {
		uint64_t before;

		if (!lttp_journal_find_end(head, &end))
			break;
		before = lttp_load(place_of(head, end.number));
		if (is_reached(before, end.number))
			continue;
		if (end.number >= LTTP_JOURNAL &&
		    lttp_load(&head->journal_done) <= end.number - LTTP_JOURNAL)
			return -EAGAIN;
		/* A block that is closed or was not begun needs no block_end. */
		if (notice->id == LTTP_ID_BLOCK_END && (end.is_closed || end.offset == 0))
			return -EALREADY;
		if (lttp_notice_place(head, notice, &end) != 0)
			return -EIO;
		if (spot != NULL)
			lttp_store(spot, LTTP_SPOT(notice->block, lttp_notice_offset(notice)));
		if (lttp_replace(place_of(head, end.number), before, entry(end.number, draft))) {
			lttp_store(&notice->state, end.number + 1);
			lttp_raise(&head->journal_end, end.number + 1);
			return 0;
		}
	}
	return -EBUSY;
}

int lttp_journal_enter(struct lttp_head *head, uint16_t id, const void *bytes, uint32_t size,
		       uint64_t *spot)
{
	struct lttp_notice *notice;
	uint32_t draft;
	int result;

	if (size > sizeof(notice->bytes))
		return -EMSGSIZE;
	if (!take_draft(head, false, &draft) && !take_draft(head, true, &draft))
		return -EBUSY;
	notice = &head->notices[draft];
	notice->id = id;
	notice->size = size;
	if (size > 0)
		memcpy(notice->bytes, bytes, size);
	result = enter(head, draft, spot);
	if (result != 0)
		lttp_store(&notice->state, 0);
	return result == -EALREADY ? 0 : result;
}
