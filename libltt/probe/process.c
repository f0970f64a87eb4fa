/* process.c - this process in the session that it traces into. See process.h.
 *
 * One thread at a time joins or leaves. A forked child joins by itself at its first event, perhaps
 * in a signal handler, perhaps in two threads at once; so that part tolerates being done twice.
 */
#define _GNU_SOURCE
#include "probe/process.h"

#include "probe/borrow.h"
#include "probe/facility.h"
#include "probe/lane.h"
#include "probe/rseq.h"
#include "probe/self.h"
#include "probe/threads.h"
#include "session/atomic.h"
#include "session/broker-client.h"
#include "session/file.h"
#include "session/losses-report.h"
#include "session/open.h"
#include "session/process-events.h"
#include "session/sys.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

enum { EPOCH_BITS = 48 }; /* for the number in the session; above: which session of the process */

/* Path of the executable. Children inherit it, because they may not be permitted to read it. */
static char executable[LTTP_EXECUTABLE_BYTES];

/* A number that this process and its parents have not used before, in any session. */
static uint64_t new_epoch(void)
{
	uint64_t number = lttp_add(&lttp_probe.session.head->serials, 1);

	return (uint64_t)lttp_probe.starts << EPOCH_BITS | (number & ((1ull << EPOCH_BITS) - 1));
}

/* The slot of this process in the table of running processes; NULL: none. */
static struct lttp_process_slot *own_slot(void)
{
	uint32_t number = lttp_probe.process->slot;

	return number != 0 ? &lttp_probe.session.head->processes[number - 1] : NULL;
}

/* Enters the process in that table if a slot is free. model: join */
static void enter(struct lttp_head *head, uint64_t epoch)
{
	struct lttp_process *process = lttp_probe.process;
	const struct lttp_process_slot *parent = lttp_probe.session.slot;

	lttp_probe.session.slot = NULL;
	for (unsigned i = 0; i < LTTP_PROCESSES; i++) {
		struct lttp_process_slot *slot = &head->processes[i];

		if (lttp_load(&slot->owner) == 0 && lttp_replace(&slot->owner, 0, epoch)) {
			slot->start = 0;
			slot->exit = 0;
			slot->ppid = (uint32_t)getppid();
			/* Seccomp filters are inherited. */
			slot->is_filtered = parent != NULL && lttp_load(&parent->is_filtered);
			slot->pid_space = lttp_probe.session.pid_space;
			memset(slot->name, 0, sizeof(slot->name));
			lttp_prctl(PR_GET_NAME, slot->name);
			lttp_store(&slot->who, LTTP_WHO(process->pid, epoch));
			process->slot = i + 1;
			lttp_probe.session.slot = slot;
			return;
		}
	}
}

/* Whether a lane may have an owner. Without reserved ones, threads take the first lane before others. */
static bool has_lanes(const struct lttp_head *head)
{
	return head->lanes > 0 &&
	       (lttp_load(&head->lane_windows) != 0 ||
		lttp_load(&lttp_probe.session.files[head->cpus].made) != LTTP_MADE_NOT);
}

/* Frees the slot and the lanes that this process had before exec. */
static void forget_former(struct lttp_head *head, uint64_t epoch)
{
	const uint16_t space = lttp_probe.session.pid_space;
	const uint32_t n_files = has_lanes(head) ? lttp_session_files(head) : 0;

	for (unsigned i = 0; i < LTTP_PROCESSES; i++) {
		struct lttp_process_slot *slot = &head->processes[i];
		uint64_t owner = lttp_load(&slot->owner);

		if (owner != epoch &&
		    lttp_load(&slot->who) == LTTP_WHO(lttp_probe.process->pid, owner) &&
		    slot->pid_space == space && space != LTTP_SPACE_UNKNOWN)
			lttp_replace(&slot->owner, owner, 0);
	}
	for (uint32_t i = head->cpus; i < n_files; i++) {
		uint64_t *at = &lttp_probe.session.files[i].lane_owner, owner = lttp_load(at);

		if ((uint32_t)owner == lttp_probe.process->pid &&
		    lttp_file_owner_is_near(&lttp_probe.session, owner) &&
		    owner != lttp_file_lane_owner(&lttp_probe.session, (uint32_t)owner))
			lttp_replace(at, owner, 0);
	}
}

/* Records that the process has joined. Enters the table first: if the process dies, the recorder
 * finds it there. */
static void announce(uint64_t epoch)
{
	struct lttp_head *head = lttp_probe.session.head;

	lttp_add(&head->processes_joined, 1);
	enter(head, epoch);
	forget_former(head, epoch);
	lttp_process_events_start(&lttp_probe.session, own_slot(), executable);
}

/* The first process of a PID namespace has another number outside, and does not know those of outside.
 * Seen without system calls that a seccomp filter may forbid. */
static void find_namespace(void)
{
	if (getpid() == 1 || getppid() == 0) {
		lttp_probe.session.is_foreign = true;
		lttp_probe.session.pid_space = LTTP_SPACE_UNKNOWN;
	}
}

uint64_t lttp_process_epoch(void)
{
	struct lttp_process *process;
	uint64_t epoch;

	if (!lttp_load(&lttp_probe.tracing))
		return 0;
	process = lttp_probe.process;
	epoch = lttp_load(&process->epoch);
	if (epoch == LTTP_EPOCH_FORKED) {
		find_namespace();
		/* The first thread sets it; others may read it already. */
		lttp_replace32(&process->pid, 0, lttp_getpid());
		epoch = new_epoch();
		if (lttp_replace(&process->epoch, LTTP_EPOCH_FORKED, epoch))
			announce(epoch);
		epoch = lttp_load(&process->epoch);
	}
	return epoch == LTTP_EPOCH_LEFT ? 0 : epoch;
}

void lttp_process_expect_fork(void)
{
	if (lttp_load(&lttp_probe.tracing) &&
	    lttp_load(&lttp_probe.process->epoch) == LTTP_EPOCH_FORKED)
		find_namespace();
}

void lttp_process_reset(void)
{
	find_namespace();
	/* A handler of the program that was registered earlier may have traced. */
	if (lttp_probe.process != NULL && lttp_load(&lttp_probe.process->pid) == lttp_getpid() &&
	    lttp_load(&lttp_probe.process->epoch) != LTTP_EPOCH_FORKED)
		return;
	if (lttp_probe.process != NULL)
		memset(lttp_probe.process, 0,
		       offsetof(struct lttp_process, cpus) +
			       lttp_probe.process_cpus * sizeof(struct ltt_probe_cpu));
	if (lttp_probe.lanes != NULL)
		memset(lttp_probe.lanes, 0, LTTP_LANES * sizeof(struct lttp_lane));
	lttp_threads_reset();
}

/* Allocates the tables of this process, which later sessions use again. */
static bool make_tables(uint32_t cpus)
{
	if (lttp_probe.lanes == NULL)
		lttp_probe.lanes = lttp_lanes_make();
	if (lttp_probe.process == NULL) {
		lttp_probe.process = lttp_map_memory(sizeof(struct lttp_process));
		if (lttp_probe.process != NULL)
			madvise(lttp_probe.process, sizeof(struct lttp_process), MADV_WIPEONFORK);
	}
	if (lttp_probe.process_cpus < cpus)
		lttp_probe.process_cpus = cpus;
	return lttp_threads_make() && lttp_probe.lanes != NULL && lttp_probe.process != NULL;
}

/* Opens the session by its path, or, if that fails, through the broker. */
static int open_session(struct lttp_session *session, const char *directory, const char *broker,
			enum lttp_session_use use, bool with_lanes)
{
	int result = directory != NULL ? lttp_session_open(session, directory, use) : -ENOENT;

	if (result != 0 && result != -ESHUTDOWN && result != -EPROTO && broker != NULL)
		result = lttp_session_receive(session, broker, with_lanes, use);
	else if (result == 0 && (with_lanes || session->head->counter == LTTP_COUNTER_MONOTONIC))
		lttp_lanes_anchor(session);
	if (result == 0 && broker != NULL && strlen(broker) < sizeof(session->broker))
		memcpy(session->broker, broker, strlen(broker) + 1);
	return result;
}

int lttp_process_join_privately(const char *directory, const char *broker,
				enum lttp_session_use use)
{
	int result;

	lttp_facilities_share(false);
	result = lttp_process_join(directory, broker, use);
	if (result != 0)
		lttp_facilities_share(true);
	return result;
}

int lttp_process_join(const char *directory, const char *broker, enum lttp_session_use use)
{
	struct lttp_session *session = &lttp_probe.session;
	const char *rseq = getenv("LTT_TRACE_RSEQ");
	bool without_rseq;
	uint64_t epoch;
	int result;

	if (lttp_load(&lttp_probe.tracing) || !lttp_lanes_are_idle())
		return -EBUSY;
	without_rseq = rseq != NULL && strcmp(rseq, "0") == 0;
	result = open_session(session, directory, broker, use,
			      without_rseq || !lttp_rseq_is_there());
	if (result != 0)
		return result;
	if (!make_tables(session->head->cpus)) {
		lttp_session_refuse(session->head, LTTP_REFUSED_MEMORY, NULL);
		lttp_session_close(session);
		return -ENOMEM;
	}
	if (executable[0] == 0 &&
	    readlink("/proc/self/exe", executable, sizeof(executable) - 1) < 0)
		executable[0] = 0;
	lttp_rseq_prepare();
	lttp_probe.without_rseq = without_rseq || session->head->counter == LTTP_COUNTER_MONOTONIC;
	lttp_probe.starts++;
	lttp_probe.process->pid = lttp_getpid();
	/* A thread that was in the slow path may have set them since the last session. */
	lttp_probe.process->lane_loss = 0;
	lttp_probe.process->lane_retry_cycles = 0;
	lttp_probe.process->hopeless_cycles = 0;
	lttp_probe.process->borrower_lost = 0;
	epoch = new_epoch();
	lttp_store(&lttp_probe.process->epoch, epoch);
	lttp_store(&lttp_probe.tracing, 1);
	announce(epoch);
	lttp_facilities_on();
	return 0;
}

/* Frees the slot. Another process may take it, but events of this one can follow, and depend on its filter. */
static void give_up(struct lttp_process_slot *slot, uint64_t epoch)
{
	static struct lttp_process_slot former;

	former.is_filtered = lttp_load(&slot->is_filtered);
	if (lttp_probe.session.slot == slot)
		lttp_probe.session.slot = &former;
	lttp_replace(&slot->owner, epoch, 0);
}

/* model: leave */
void lttp_process_say_farewell(int32_t status)
{
	struct lttp_process *process = lttp_probe.process;
	struct lttp_process_slot *slot;
	uint64_t epoch = process != NULL ? lttp_load(&process->epoch) : LTTP_EPOCH_LEFT;

	if (!lttp_load(&lttp_probe.tracing) || epoch == LTTP_EPOCH_FORKED ||
	    epoch == LTTP_EPOCH_LEFT || process->pid != lttp_getpid())
		return;
	/* The recorder has finished the trace. */
	if (!lttp_probe.made && !lttp_load(&lttp_probe.session.head->running))
		return;
	lttp_borrow_report();
	lttp_losses_report(&lttp_probe.session);
	slot = own_slot();
	lttp_process_events_exit(&lttp_probe.session, slot, process->pid, status);
	if (slot != NULL)
		give_up(slot, epoch);
	process->slot = 0;
}

/* Resets the tracefiles of the process. First waits for running sequences, so that none of this
 * session ends later, and then again, so that none uses a mapping. Returns whether all have
 * ended. */
static bool leave_cpus(void)
{
	struct ltt_probe_cpu *cpus = lttp_probe.process->cpus;
	size_t size = lttp_chunk_bytes(lttp_probe.session.head);
	bool quiet = lttp_rseq_wait();

	for (uint32_t i = 0; i < lttp_probe.process_cpus; i++) {
		lttp_store(&cpus[i].gate, NULL);
		lttp_store(&cpus[i].block, NULL);
		lttp_add(&cpus[i].installs, 1);
	}
	quiet = quiet && lttp_rseq_wait();
	for (uint32_t i = 0; i < lttp_probe.process_cpus; i++) {
		char *chunk = lttp_swap(&cpus[i].chunk, NULL);

		if (quiet && chunk != NULL && lttp_rseq_wait())
			munmap(chunk, size);
	}
	return quiet;
}

void lttp_process_leave(void)
{
	bool quiet;

	lttp_process_say_farewell(LTTP_STATUS_UNKNOWN);
	lttp_store(&lttp_probe.process->epoch, LTTP_EPOCH_LEFT);
	lttp_store(&lttp_probe.tracing, 0);
	lttp_facilities_off();
	quiet = leave_cpus();
	quiet = lttp_lanes_leave() && quiet;
	if (quiet && lttp_load(&lttp_probe.inside) == 0)
		lttp_session_close(&lttp_probe.session);
	else
		lttp_session_forget(&lttp_probe.session);
}
