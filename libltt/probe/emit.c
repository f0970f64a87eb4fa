/* emit.c - the slow path of an event.
 *
 * In any state of thread, process, file and session, each call either writes the event once or counts
 * it as lost once. Nothing here waits for another thread.
 */
#define _GNU_SOURCE
#include "probe/attach.h"
#include "probe/borrow.h"
#include "probe/facility.h"
#include "probe/lane.h"
#include "probe/process.h"
#include "probe/rseq.h"
#include "probe/section.h"
#include "probe/self.h"
#include "probe/threads.h"
#include "session/atomic.h"
#include "session/clock.h"
#include "session/losses-report.h"
#include "session/losses.h"
#include "session/sys.h"
#include "session/writer.h"

enum {
	TRIES = 10000, /* more failures in a row have a permanent reason */
	TRIES_HOPELESS = 4,
	RETRIES_PER_SECOND = 20,
	LANE_DEPTHS = sizeof(ltt_probe_thread.lanes) / sizeof(ltt_probe_thread.lanes[0]),
	LANE_DEPTHS_USUAL = LANE_DEPTHS - 1, /* greater: handlers may have left by longjmp() */
};

/* The event that is being written. */
struct attempt {
	struct ltt_probe_thread *thread;
	struct ltt_probe_facility *facility;
	uint32_t index;
	uint64_t size;
	const void *bytes;
	const void *frame; /* of ltt_probe_emit() */
};

/* Sets up a thread at its first event in this process and session. */
static void enter_thread(struct ltt_probe_thread *thread, uint64_t epoch)
{
	const struct lttp_head *head = lttp_probe.session.head;

	thread->mode = LTT_PROBE_MODE_NONE;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->serial = lttp_add(&lttp_probe.session.head->serials, 1);
	thread->tid = lttp_gettid();
	thread->depth = 0;
	memset(thread->lanes, 0, sizeof(thread->lanes));
	thread->cpus = lttp_probe.process->cpus;
	thread->word_bytes = head->block_bytes - 8;
	thread->room_bytes = lttp_block_room(head);
	thread->rseq = lttp_probe.without_rseq ? NULL : lttp_rseq_area();
	thread->epoch = epoch;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Enables the fast path for a new thread, and again after vfork(). */
static void resume_thread(struct ltt_probe_thread *thread)
{
	if (thread->rseq != NULL && thread->mode == LTT_PROBE_MODE_NONE &&
	    lttp_threads_enter(thread))
		thread->mode = lttp_probe.session.head->ordered ? LTT_PROBE_MODE_ORDERED
								: LTT_PROBE_MODE_FAST;
}

/* Whether the event has a payload in memory and an event id. */
static bool is_writable(const struct attempt *attempt)
{
	return lttp_load(&attempt->facility->base) != 0 &&
	       (attempt->size == 0 || attempt->bytes != NULL);
}

/* Why is_writable() is false. */
static enum lttp_loss loss_of(const struct attempt *attempt)
{
	if (lttp_load(&attempt->facility->base) == 0)
		return lttp_facility_loss(attempt->facility);
	if (attempt->size > lttp_payload_max(lttp_probe.session.head))
		return LTTP_LOST_TOO_LARGE;
	return attempt->size == LTT_PROBE_REFUSED ? LTTP_LOST_NO_PLACE : LTTP_LOST_NO_MEMORY;
}

static void open_writer(struct lttp_writer *writer, const struct ltt_probe_thread *thread,
			uint32_t number, struct lttp_actor actor, struct ltt_probe_cpu *here)
{
	lttp_writer_open(writer, &lttp_probe.session, number, actor, here);
	writer->serial = thread->serial;
	writer->pid = lttp_probe.process->pid;
	writer->tid = thread->tid;
	writer->epoch_at = &lttp_probe.process->epoch;
	writer->epoch = thread->epoch;
}

/* By a sequence of this library, which is never unloaded: the thread may have no place in the list of
 * threads, because it is about to end or there are too many (threads.h). */
static bool write_on_cpu(const struct attempt *attempt)
{
	uintptr_t bytes = (uintptr_t)attempt->bytes;

	return lttp_section_bytes_of_any(
		lttp_section_call(attempt->facility, attempt->index, bytes, bytes + attempt->size),
		lttp_probe.session.head->ordered);
}

static uint32_t this_cpu(const struct ltt_probe_thread *thread)
{
	return __atomic_load_n(&thread->rseq->cpu_id, __ATOMIC_RELAXED);
}

/* A session with a damaged state may let no event pass. So that it does not delay the program at each
 * event, few attempts are made for a while after all have failed. */
static int most_tries(void)
{
	uint64_t until = lttp_load(&lttp_probe.process->hopeless_cycles);

	return until != 0 && lttp_clock_read(lttp_probe.session.head) < until ? TRIES_HOPELESS
									      : TRIES;
}

static void give_up(void)
{
	const struct lttp_head *head = lttp_probe.session.head;

	lttp_store(&lttp_probe.process->hopeless_cycles,
		   lttp_clock_read(head) + head->cycles_per_second / RETRIES_PER_SECOND);
}

/* Tries until the event is written or cannot be written. Returns: false if the thread is on a CPU without a tracefile, which
 * the process that made the session did not know */
static bool attempt_on_cpu(const struct attempt *attempt, struct lttp_writer *writer,
			   enum lttp_outcome *outcome)
{
	*outcome = LTTP_AGAIN;
	for (int tries = most_tries(); *outcome == LTTP_AGAIN && tries > 0; tries--) {
		uint32_t cpu = this_cpu(attempt->thread);
		struct lttp_actor actor = {attempt->thread, cpu};

		if (cpu >= lttp_probe.session.head->cpus)
			return false;
		open_writer(writer, attempt->thread, cpu, actor, &lttp_probe.process->cpus[cpu]);
		if (!is_writable(attempt)) {
			writer->loss = loss_of(attempt);
			*outcome = LTTP_LOST;
		} else if (write_on_cpu(attempt)) {
			*outcome = LTTP_WRITTEN;
		} else {
			*outcome = lttp_writer_advance(writer, attempt->size);
		}
	}
	return true;
}

static enum lttp_outcome attempt_in_lane(const struct attempt *attempt, struct lttp_writer *writer,
					 struct lttp_lane *lane)
{
	enum lttp_outcome outcome = LTTP_AGAIN;
	struct lttp_actor actor = {NULL, 0};

	open_writer(writer, attempt->thread, lane->number, actor, &lane->here);
	if (!is_writable(attempt)) {
		writer->loss = loss_of(attempt);
		return LTTP_LOST;
	}
	for (int tries = most_tries(); outcome == LTTP_AGAIN && tries > 0; tries--) {
		if (lttp_lane_write(lane, attempt->thread, attempt->facility, attempt->index,
				    attempt->size, attempt->bytes))
			return LTTP_WRITTEN;
		outcome = lttp_writer_advance(writer, attempt->size);
	}
	return outcome;
}

/* The common case of a lane: the thread has one, and the conditions of its gate hold.
 *
 * Until the lane is entered, the process can leave the session and join another one. A signal handler
 * that traces then sets up the thread again: so the epoch is read before the lane, and the depth is
 * stored again. The same happens in a child of fork() in a handler. */
static bool write_quickly(const struct attempt *attempt)
{
	struct ltt_probe_thread *thread = attempt->thread;
	const uint64_t epoch = __atomic_load_n(&thread->epoch, __ATOMIC_ACQUIRE);
	const uint32_t depth = __atomic_load_n(&thread->depth, __ATOMIC_RELAXED);
	struct lttp_lane *lane;
	uint32_t known;
	bool written = false;

	if (thread->rseq != NULL || depth >= LANE_DEPTHS_USUAL || thread->vforked ||
	    !is_writable(attempt))
		return false;
	known = __atomic_load_n(&thread->lanes[depth], __ATOMIC_RELAXED);
	if (known == 0)
		return false;
	lane = &lttp_probe.lanes[known - 1];
	__atomic_store_n(&thread->depth, depth + 1, __ATOMIC_RELAXED);
	if (lttp_lane_enter(lane, thread, epoch, attempt->frame)) {
		written = lttp_lane_write(lane, thread, attempt->facility, attempt->index,
					  attempt->size, attempt->bytes);
		lttp_lane_exit(lane);
	}
	__atomic_store_n(&thread->depth, depth, __ATOMIC_RELAXED);
	return written;
}

/* Returns: whether the event is lost */
static bool finish(const struct attempt *attempt, struct lttp_writer *writer,
		   enum lttp_outcome outcome)
{
	if (outcome == LTTP_ENDED)
		lttp_facility_end(attempt->facility);
	if (outcome == LTTP_ENDED || outcome == LTTP_WRITTEN)
		return false;
	if (outcome == LTTP_AGAIN)
		give_up();
	if (writer->loss == LTTP_LOST_TOO_LARGE)
		lttp_loss_note_large(lttp_probe.session.head, attempt->facility, attempt->index,
				     attempt->size);
	lttp_writer_count_lost(writer);
	return true;
}

/* Returns: whether the event is lost */
static bool emit(const struct attempt *attempt)
{
	struct ltt_probe_thread *thread = attempt->thread;
	enum lttp_loss loss = LTTP_LOST_NO_LANE;
	enum lttp_outcome outcome;
	struct lttp_lane *lane = NULL;
	struct lttp_writer writer;
	bool lost = false;
	uint32_t depth;

	if (thread->rseq != NULL && attempt_on_cpu(attempt, &writer, &outcome))
		return finish(attempt, &writer, outcome);
	if (thread->depth >= LANE_DEPTHS_USUAL)
		lttp_lanes_unwind(thread, attempt->frame);
	if (thread->depth < LANE_DEPTHS) {
		lane = lttp_lane_find(thread);
		loss = lttp_load(&lttp_probe.process->lane_loss);
	}
	if (lane == NULL) {
		lttp_loss_count_unfiled(lttp_probe.session.head, loss, 1);
		return true;
	}
	depth = thread->depth;
	thread->depth = depth + 1;
	if (lttp_lane_enter(lane, thread, thread->epoch, attempt->frame)) {
		lost = finish(attempt, &writer, attempt_in_lane(attempt, &writer, lane));
		lttp_lane_exit(lane);
	}
	/* Not one less than now: see write_quickly(). */
	lttp_store(&thread->depth, depth);
	return lost;
}

/* Before the process leaves the session, which it could not do because of an event that a handler has left by
 * longjmp(). */
static void end_left_events(const struct attempt *attempt)
{
	if (attempt->thread->depth > 0)
		lttp_lanes_unwind(attempt->thread, attempt->frame);
}

/* With signals blocked: a handler that leaves by longjmp() would keep the process from leaving the session. */
static void emit_slowly(const struct attempt *attempt)
{
	struct ltt_probe_facility *facility = attempt->facility;
	struct ltt_probe_thread *thread = attempt->thread;
	uint32_t pass;
	uint64_t epoch;
	bool ended;

	if (lttp_is_borrower()) {
		if (lttp_load(&facility->on))
			lttp_borrow_count_lost();
		return;
	}
	if (lttp_attach_is_due())
		end_left_events(attempt);
	pass = lttp_attach_enter(facility);
	if (pass == LTTP_PASS_NONE)
		return;
	/* The kernel must not keep the address of a sequence of a library that may be unloaded. */
	if (thread->rseq != NULL)
		lttp_rseq_forget(thread->rseq);
	epoch = lttp_load(&facility->on) ? lttp_process_epoch() : 0;
	if (epoch != 0) {
		if (thread->epoch != epoch)
			enter_thread(thread, epoch);
		resume_thread(thread);
		if (lttp_load(&facility->base) == 0)
			lttp_facility_retry(facility);
		lttp_borrow_report();
		if (emit(attempt))
			lttp_losses_report_rarely(&lttp_probe.session);
		/* A signal handler while vfork() is called: the child must find the thread outside of the fast path. */
		if (thread->vforked)
			thread->mode = LTT_PROBE_MODE_NONE;
	}
	ended = epoch != 0 && !lttp_load(&lttp_probe.session.head->running);
	lttp_attach_exit(pass);
	if (ended && pass == LTTP_PASS) {
		end_left_events(attempt);
		lttp_attach_release();
	}
}

void ltt_probe_emit(struct ltt_probe_facility *facility, uint32_t index, uint64_t size,
		    const void *bytes)
{
	const struct attempt attempt = {&ltt_probe_thread,         facility, index, size, bytes,
					__builtin_frame_address(0)};
	int saved = errno;
	uint64_t signals;

	if (write_quickly(&attempt))
		return;
	/* Another process that shares the switches is attached. */
	if (!lttp_load(&facility->on) && !lttp_attach_is_due()) {
		lttp_attach_settle(facility);
		return;
	}
	lttp_block_signals(&signals);
	emit_slowly(&attempt);
	lttp_restore_signals(&signals);
	errno = saved;
}
