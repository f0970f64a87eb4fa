/* step.h - several stores in one restartable sequence.
 *
 * A new block, a time value or a change of the thread changes more than one word of a tracefile.
 * Such a step is prepared as a list of comparisons and a list of stores, and then executed in one
 * restartable sequence on the CPU of the file: if all comparisons hold, the stores are made in
 * order. A step first stores LTTP_OWNER_NONE as owner of the file, and its last store is the new
 * owner. So the next writer finds out if a step was interrupted.
 *
 * A lane belongs to one thread, so its steps need no sequence.
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
	struct lttp_pair check[8];
	struct lttp_pair store[48];
};

/* Where steps are executed: by a thread on a CPU, or, if `thread` is NULL, in a lane. */
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

/* Adds stores that copy @size bytes to @at, and up to 7 zero bytes after them. */
void lttp_step_copy(struct lttp_step *step, char *at, const char *bytes, uint32_t size);

/* Executes a step. Returns: false if a comparison failed, or the sequence was aborted before the last
 * store: read the state again */
bool lttp_step_make(const struct lttp_actor *actor, const struct lttp_step *step);

/* Loads the word at @at, which is mapped while *@guard is @expected. Returns: false if it is not,
 * or the sequence was aborted */
bool lttp_step_load(const struct lttp_actor *actor, const void *guard, uint64_t expected,
		    const uint64_t *at, uint64_t *out);

#endif /* LTTP_STEP_H */
