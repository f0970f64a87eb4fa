/* step.h - several stores as one step, by a thread that may write to a tracefile.
 *
 * What is rarer than an event (a new block, a time value, another thread's turn) changes more than
 * one word. It is prepared outside, from what was seen, as a list of comparisons and a list of
 * stores, and then carried out in one restartable sequence on the CPU that the file belongs to: if
 * all comparisons hold, the stores are made in order. A step cut short in the middle has begun by
 * storing LTTP_OWNER_NONE as owner of the file and has not come to storing another owner; that
 * tells the next one who comes.
 *
 * In a lane, which one thread has for itself, the same is done without a sequence.
 */
#ifndef LTTP_STEP_H
#define LTTP_STEP_H

#include "session/session-layout.h"

#include <stdbool.h>

struct lttp_pair {
	void *at;
	uint64_t value;
};

struct lttp_step {
	unsigned checks;
	unsigned stores;
	struct lttp_pair check[9];
	struct lttp_pair store[48];
};

/* Who carries out steps: a thread on a CPU, or, with `thread` NULL, in a lane. */
struct lttp_actor {
	const struct ltt_probe_thread *thread;
	uint32_t cpu;
};

static inline void lttp_step_check(struct lttp_step *step, const void *at, uint64_t value)
{
	step->check[step->checks++] = (struct lttp_pair){(void *)(uintptr_t)at, value};
}

static inline void lttp_step_store(struct lttp_step *step, void *at, uint64_t value)
{
	step->store[step->stores++] = (struct lttp_pair){at, value};
}

/* Adds stores that copy @size bytes to @at, and up to 7 more behind them. */
void lttp_step_copy(struct lttp_step *step, char *at, const char *bytes, uint32_t size);

/* Returns true if the step was made. False: a comparison failed, the kernel came between, or, with
 * little luck, it came between after the last store; so look again. */
bool lttp_step_make(const struct lttp_actor *actor, const struct lttp_step *step);

/* Loads what is at @at, which is mapped while @guard is @expected. Returns false if it was not so
 * or the kernel came between. */
bool lttp_step_load(const struct lttp_actor *actor, const void *guard, uint64_t expected,
		    const uint64_t *at, uint64_t *out);

#endif /* LTTP_STEP_H */
