/* threads.c - the list of threads that take the fast path. See threads.h.
 *
 * Only the thread itself takes and frees its place, each by one compare-and-exchange. Another thread
 * that clears its sequence holds the place meanwhile, so that the thread's memory stays valid.
 */
#define _GNU_SOURCE
#include "probe/threads.h"

#include "probe/rseq.h"
#include "session/atomic.h"
#include "session/sys.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>

enum {
	PLACES = 4096,     /* a power of two */
	LOOKS = 64,        /* attempts at occupied places before a thread gives up */
	KEYS_AT_HAND = 32, /* libc allocates memory for further keys */
	HELD = 1,          /* flag in the address in a place */
	HELD_WAIT_NS = 50000,
	LEFT = UINT16_MAX, /* in `listed`: the thread is about to end */
};

struct place {
	uint64_t thread; /* address of its struct ltt_probe_thread; 0: free */
	uint64_t rseq;   /* address of its struct rseq */
	uint64_t tid;
};

static struct place *places;
static pthread_key_t end_key;
static bool has_key;

static bool is_listed(const struct ltt_probe_thread *thread)
{
	return thread->listed != 0 && thread->listed != LEFT &&
	       (lttp_load(&places[thread->listed - 1].thread) & ~(uint64_t)HELD) ==
		       (uintptr_t)thread;
}

/* At the end of a thread: clears its sequence, whose library may be unloaded before the thread is
 * gone. */
static void leave(void *data)
{
	struct ltt_probe_thread *thread = data;
	uint64_t *at = is_listed(thread) ? &places[thread->listed - 1].thread : NULL;
	struct ltt_probe_rseq *rseq = lttp_rseq_area();

	thread->mode = LTT_PROBE_MODE_NONE;
	thread->listed = LEFT;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (rseq != NULL)
		lttp_rseq_forget(rseq);
	while (at != NULL && !lttp_replace(at, (uintptr_t)thread, 0))
		lttp_sleep_ns(HELD_WAIT_NS);
}

void lttp_threads_begin(void)
{
	has_key = pthread_key_create(&end_key, leave) == 0;
	if (has_key && end_key >= KEYS_AT_HAND)
		has_key = pthread_key_delete(end_key) != 0;
}

bool lttp_threads_can(void)
{
	return has_key;
}

bool lttp_threads_make(void)
{
	size_t size = PLACES * sizeof(struct place);
	struct place *made;

	if (places != NULL)
		return true;
	made = lttp_map_memory(size);
	if (made != NULL)
		madvise(made, size, MADV_WIPEONFORK);
	places = made;
	return made != NULL;
}

void lttp_threads_reset(void)
{
	if (places != NULL)
		memset(places, 0, PLACES * sizeof(struct place));
}

/* With signals blocked: a handler that traces would take another place. */
static bool take_place(struct ltt_probe_thread *thread)
{
	uint64_t self = (uintptr_t)thread;

	for (uint32_t i = 0; i < LOOKS; i++) {
		uint32_t number = (thread->tid + i) % PLACES;
		struct place *place = &places[number];

		if (lttp_load(&place->thread) == 0 &&
		    lttp_replace(&place->thread, 0, self | HELD)) {
			place->rseq = (uintptr_t)thread->rseq;
			place->tid = thread->tid;
			thread->listed = (uint16_t)(number + 1);
			lttp_store(&place->thread, self);
			return pthread_setspecific(end_key, thread) == 0;
		}
	}
	return false;
}

bool lttp_threads_enter(struct ltt_probe_thread *thread)
{
	uint64_t signals;
	bool listed;

	if (!has_key)
		return true;
	if (thread->listed == LEFT)
		return false;
	if (is_listed(thread))
		return true;
	lttp_block_signals(&signals);
	listed = is_listed(thread) || take_place(thread);
	lttp_restore_signals(&signals);
	return listed;
}

/* The address range of a library. */
struct image {
	uintptr_t inside, from, to;
};

enum {
	ANOTHER = 0, /* continue */
	FOUND,
	THE_PROGRAM, /* is not unloaded */
};

static int find_image(struct dl_phdr_info *info, size_t size, void *data)
{
	struct image *image = data;
	uintptr_t from = UINTPTR_MAX, to = 0;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		from = at < from ? at : from;
		to = at + info->dlpi_phdr[i].p_memsz > to ? at + info->dlpi_phdr[i].p_memsz : to;
	}
	if (image->inside < from || image->inside >= to)
		return ANOTHER;
	image->from = from;
	image->to = to;
	return (uintptr_t)info->dlpi_phdr == getauxval(AT_PHDR) ? THE_PROGRAM : FOUND;
}

/* Whether its sequence may be in the library. Without system calls that a filter may forbid: the destructors of libraries
 * are also called by exit(). */
static bool may_be_in(const struct place *place, const struct image *image)
{
	const struct ltt_probe_rseq *rseq = (struct ltt_probe_rseq *)(uintptr_t)place->rseq;
	uint64_t sequence;

	if (!lttp_is_readable(&rseq->sequence))
		return false;
	sequence = __atomic_load_n(&rseq->sequence, __ATOMIC_RELAXED);
	return sequence >= image->from && sequence < image->to;
}

/* A thread that ends by the system call exit does not run the destructor of its key. */
static bool is_gone(const struct place *place)
{
	return syscall(SYS_tgkill, lttp_getpid(), (uint32_t)place->tid, 0) != 0 && errno == ESRCH;
}

static void strike(struct place *place, const struct image *image)
{
	uint64_t thread = lttp_load(&place->thread);

	if (thread == 0 || (thread & HELD) != 0 ||
	    !lttp_replace(&place->thread, thread, thread | HELD))
		return;
	if (!may_be_in(place, image)) {
		lttp_store(&place->thread, thread);
		return;
	}
	if (thread != (uintptr_t)&ltt_probe_thread && is_gone(place)) {
		lttp_store(&place->thread, 0);
		return;
	}
	lttp_rseq_strike((struct ltt_probe_rseq *)(uintptr_t)place->rseq, image->from, image->to);
	lttp_store(&place->thread, thread);
}

void lttp_threads_strike(const void *inside)
{
	struct image image = {.inside = (uintptr_t)inside};

	if (places == NULL || dl_iterate_phdr(find_image, &image) != FOUND)
		return;
	for (uint32_t i = 0; i < PLACES; i++)
		strike(&places[i], &image);
}
