/* lane.c - lanes: tracefiles that belong to one thread at a time. See lane.h. */
#define _GNU_SOURCE
#include "probe/lane.h"

#include "probe/self.h"
#include "session/anchor.h"
#include "session/atomic.h"
#include "session/clock.h"
#include "session/events.h"
#include "session/file.h"
#include "session/keeper.h"
#include "session/losses.h"
#include "session/sys.h"

#include <signal.h>
#include <string.h>

_Static_assert(sizeof(struct lttp_lane) == 128, "two cache lines");

enum {
	RETRIES_PER_SECOND = 20,
	LANES_BYTES = LTTP_LANES * sizeof(struct lttp_lane),
	LEAVE_TRIES = 20,
	LEAVE_WAIT_NS = 1000000,
};

struct lttp_lane *lttp_lanes_make(void)
{
	struct lttp_lane *lanes = lttp_map_memory(LANES_BYTES);

	if (lanes != NULL)
		madvise(lanes, LANES_BYTES, MADV_WIPEONFORK);
	return lanes;
}

static bool is_gone(uint32_t tid)
{
	return syscall(SYS_tgkill, lttp_probe.process->pid, tid, 0) != 0 && errno == ESRCH;
}

/* Takes over a lane of the process whose thread has ended. Ignores a lane of an earlier
 * session, which a thread took while the process left that session. NULL: no such lane. */
static struct lttp_lane *take_over(const struct ltt_probe_thread *thread)
{
	for (unsigned i = 0; i < LTTP_LANES; i++) {
		struct lttp_lane *lane = &lttp_probe.lanes[i];
		uint32_t owner = lttp_load(&lane->tid);

		if (owner != 0 && owner != thread->tid && lttp_load(&lane->owner) != 0 &&
		    lane->epoch == thread->epoch && is_gone(owner) &&
		    lttp_replace32(&lane->tid, owner, thread->tid)) {
			lttp_store(&lane->busy, 0);
			return lane;
		}
	}
	return NULL;
}

void lttp_lanes_anchor(struct lttp_session *session)
{
	uint32_t first = lttp_file_make_lanes(session);
	int directory = lttp_session_directory(session);

	for (uint32_t i = first; directory >= 0 && i < first + LTTP_LANES_AT_HAND; i++) {
		int fd = i < lttp_session_files(session->head)
				 ? lttp_file_open(session, directory, i)
				 : -ENOENT;

		if (fd >= 0)
			lttp_anchor_set(session, LTTP_ANCHOR_TRACEFILES + i, fd);
		lttp_close(fd);
	}
	lttp_close(directory);
}

/* Makes sure that the file of a lane is anchored. -errno */
static int reach(uint32_t number)
{
	struct lttp_session *session = &lttp_probe.session;
	int directory, fd, result;

	if (lttp_anchor_is_set(session, LTTP_ANCHOR_TRACEFILES + number))
		return 0;
	if (!lttp_keeper_lets_open(session) || lttp_keeper_knows_filter(session))
		return -EACCES;
	directory = lttp_session_directory(session);
	if (directory < 0)
		return directory;
	result = lttp_file_make(session, directory, number);
	fd = result == 0 ? lttp_file_open(session, directory, number) : result;
	lttp_close(directory);
	if (fd < 0)
		return fd;
	result = lttp_anchor_set(session, LTTP_ANCHOR_TRACEFILES + number, fd) ? 0 : -ENOMEM;
	lttp_close(fd);
	return result;
}

/* Takes a free lane of the session: an anchored one if @at_hand, else another one. Returns its owner
 * word; or 0, and records the reason in lane_loss. model: take_lane */
static uint64_t take_any(bool at_hand, uint32_t *number)
{
	struct lttp_session *session = &lttp_probe.session;
	uint64_t me = lttp_file_lane_owner(session, lttp_probe.process->pid);
	int result = -EWOULDBLOCK;

	for (*number = session->head->cpus; *number < lttp_session_files(session->head);
	     ++*number) {
		uint64_t *owner = &session->files[*number].lane_owner, seen = lttp_load(owner);

		if (lttp_anchor_is_set(session, LTTP_ANCHOR_TRACEFILES + *number) != at_hand ||
		    (seen != 0 && !lttp_file_lane_is_free(session, *number)) ||
		    !lttp_replace(owner, seen, me))
			continue;
		result = reach(*number);
		if (result == 0)
			return me;
		lttp_replace(owner, me, 0);
		break;
	}
	lttp_store(&lttp_probe.process->lane_loss, lttp_loss_of(result));
	return 0;
}

/* Takes a lane from the session. NULL: none is free. */
static struct lttp_lane *take_new(const struct ltt_probe_thread *thread)
{
	uint32_t number = 0;
	uint64_t owner = take_any(true, &number);

	if (owner == 0)
		owner = take_any(false, &number);
	for (unsigned i = 0; owner != 0 && i < LTTP_LANES; i++) {
		struct lttp_lane *lane = &lttp_probe.lanes[i];

		if (lttp_replace32(&lane->tid, 0, thread->tid)) {
			lane->number = number;
			lane->epoch = thread->epoch;
			lttp_store(&lane->owner, owner);
			return lane;
		}
	}
	if (owner != 0) {
		lttp_replace(&lttp_probe.session.files[number].lane_owner, owner, 0);
		lttp_store(&lttp_probe.process->lane_loss, LTTP_LOST_NO_LANE);
	}
	return NULL;
}

struct lttp_lane *lttp_lane_find(struct ltt_probe_thread *thread)
{
	uint16_t *known = &thread->lanes[thread->depth];
	const struct lttp_head *head = lttp_probe.session.head;
	struct lttp_lane *lane;
	uint64_t now;

	if (*known != 0)
		return &lttp_probe.lanes[*known - 1];
	now = lttp_clock_read(head);
	if (now < lttp_load(&lttp_probe.process->lane_retry_cycles))
		return NULL;
	lane = take_over(thread);
	if (lane == NULL)
		lane = take_new(thread);
	if (lane != NULL)
		*known = (uint16_t)(lane - lttp_probe.lanes + 1);
	else
		lttp_store(&lttp_probe.process->lane_retry_cycles,
			   now + head->cycles_per_second / RETRIES_PER_SECOND);
	return lane;
}

/* model: enter_lane */
bool lttp_lane_enter(struct lttp_lane *lane, const struct ltt_probe_thread *thread, uint64_t epoch,
		     const void *frame)
{
	uint64_t *turns, former;

	/* lttp_lanes_leave() waits for `busy`, readers of the file for `turns`. */
	former = lttp_swap(&lane->busy, (uintptr_t)thread);
	if (lttp_load(&lttp_probe.process->epoch) == epoch) {
		lttp_store(&lane->frame, (uintptr_t)frame);
		/* It is already odd if a thread has died here. */
		turns = &lttp_probe.session.files[lane->number].turns;
		lttp_swap(turns, lttp_load(turns) | 1);
		return true;
	}
	/* A thread of the next session may have been writing, and may have ended its event since.
	 * model: refuse_lane */
	lttp_replace(&lane->busy, (uintptr_t)thread, former);
	return false;
}

void lttp_lane_exit(struct lttp_lane *lane)
{
	uint64_t *turns = &lttp_probe.session.files[lane->number].turns;

	lttp_store(turns, lttp_load(turns) + 1);
	lttp_store(&lane->busy, 0);
}

void lttp_lanes_unwind(struct ltt_probe_thread *thread, const void *frame)
{
	stack_t handlers;

	/* A handler on an alternate stack may have interrupted code on any stack. */
	if (sigaltstack(NULL, &handlers) != 0 || (handlers.ss_flags & SS_ONSTACK) != 0)
		return;
	for (; thread->depth > 0; thread->depth--) {
		uint32_t known = thread->lanes[thread->depth - 1];
		struct lttp_lane *lane = &lttp_probe.lanes[known - 1];
		uintptr_t base = (uintptr_t)handlers.ss_sp, entered;
		bool on_other;

		/* An event of an earlier session, or of before fork(). */
		if (known == 0 || lttp_load(&lane->busy) != (uintptr_t)thread)
			continue;
		entered = lttp_load(&lane->frame);
		on_other =
			(handlers.ss_flags & SS_DISABLE) == 0 && entered - base < handlers.ss_size;
		if (!on_other && entered > (uintptr_t)frame)
			break;
		lttp_lane_exit(lane);
	}
}

/* Makes the same checks as the restartable sequence. model: write_in_lane */
bool lttp_lane_write(const struct lttp_lane *lane, const struct ltt_probe_thread *thread,
		     const struct ltt_probe_facility *facility, uint32_t index, uint64_t size,
		     const void *bytes)
{
	const struct lttp_head *head = lttp_probe.session.head;
	const struct ltt_probe_gate *gate = lane->here.gate;
	uint64_t now = lttp_clock_read(head), delta;
	uint32_t base = lttp_load(&facility->base), next;
	struct lttp_bytes header = {0, 0, ""};
	char *block = lane->here.block;
	uint64_t *word;

	if (gate == NULL || lttp_load(&gate->owner) != thread->serial ||
	    now >= lttp_load(&gate->cut_cycles) || base == 0)
		return false;
	delta = now - gate->base_cycles;
	word = lttp_block_word(head, block);
	next = lttp_word_next(lttp_load(word));
	if (delta >= gate->limit_cycles ||
	    (uint64_t)next + LTTP_HEADER_BYTES + size > lttp_block_room(head))
		return false;
	lttp_put_header(&header, (uint16_t)(base + index), delta);
	memcpy(block + next, header.bytes, LTTP_HEADER_BYTES);
	if (size != 0)
		memcpy(block + next + LTTP_HEADER_BYTES, bytes, size);
	lttp_store(word, lttp_word(next + LTTP_HEADER_BYTES + (uint32_t)size, next));
	return true;
}

/* Whether an event is being written; not if its thread has ended there. */
static bool is_busy(const struct lttp_lane *lane)
{
	return lttp_load(&lane->busy) != 0 && !is_gone(lttp_load(&lane->tid));
}

/* Another thread may take the slot once it has no thread. */
static void release(struct lttp_lane *lane)
{
	if (lane->here.chunk != NULL)
		munmap(lane->here.chunk, lttp_chunk_bytes(lttp_probe.session.head));
	if (lane->owner != 0)
		lttp_replace(&lttp_probe.session.files[lane->number].lane_owner, lane->owner, 0);
	lttp_store(&lane->owner, 0);
	lane->number = 0;
	lane->busy = 0;
	lane->frame = 0;
	memset(&lane->here, 0, sizeof(lane->here));
	lane->epoch = 0;
	lttp_store(&lane->tid, 0);
}

/* model: leave_lanes */
bool lttp_lanes_leave(void)
{
	int tries = 0;

	for (unsigned i = 0; i < LTTP_LANES; i++) {
		while (is_busy(&lttp_probe.lanes[i]) && tries++ < LEAVE_TRIES)
			lttp_sleep_ns(LEAVE_WAIT_NS);
	}
	for (unsigned i = 0; i < LTTP_LANES; i++) {
		if (!is_busy(&lttp_probe.lanes[i]))
			release(&lttp_probe.lanes[i]);
	}
	return lttp_lanes_are_idle();
}

void lttp_lanes_give_back(struct ltt_probe_thread *thread)
{
	const uint64_t epoch = lttp_load(&lttp_probe.process->epoch);
	const uint32_t own = lttp_gettid();
	uint64_t signals;

	lttp_block_signals(&signals);
	for (unsigned i = 0; thread->depth == 0 && lttp_probe.lanes != NULL && i < LTTP_LANES;
	     i++) {
		struct lttp_lane *lane = &lttp_probe.lanes[i];
		const uint32_t tid = lttp_load(&lane->tid);

		if (tid == 0 || lttp_load(&lane->owner) == 0 || lane->epoch != epoch ||
		    (tid != own && (!is_gone(tid) || !lttp_replace32(&lane->tid, tid, own))))
			continue;
		release(lane);
	}
	if (thread->depth == 0)
		memset(thread->lanes, 0, sizeof(thread->lanes));
	lttp_restore_signals(&signals);
}

bool lttp_lanes_are_idle(void)
{
	for (unsigned i = 0; lttp_probe.lanes != NULL && i < LTTP_LANES; i++) {
		if (is_busy(&lttp_probe.lanes[i]))
			return false;
	}
	return true;
}
