/* atomic.h - atomic operations on the session state. */
#ifndef LTTP_ATOMIC_H
#define LTTP_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#define lttp_load(AT)         __atomic_load_n(AT, __ATOMIC_ACQUIRE)
#define lttp_store(AT, VALUE) __atomic_store_n(AT, VALUE, __ATOMIC_RELEASE)
#define lttp_add(AT, VALUE)   __atomic_fetch_add(AT, VALUE, __ATOMIC_SEQ_CST)
#define lttp_swap(AT, VALUE)  __atomic_exchange_n(AT, VALUE, __ATOMIC_SEQ_CST)
#define lttp_fence()          __atomic_thread_fence(__ATOMIC_SEQ_CST)

/* Replaces @expected by @value. Returns: whether *@at was @expected */
static inline bool lttp_replace(uint64_t *at, uint64_t expected, uint64_t value)
{
	return __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

static inline bool lttp_replace32(uint32_t *at, uint32_t expected, uint32_t value)
{
	return __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

/* Raises a value that only grows. */
static inline void lttp_raise(uint64_t *at, uint64_t value)
{
	uint64_t seen = lttp_load(at);

	while (seen < value && !lttp_replace(at, seen, value))
		seen = lttp_load(at);
}

#endif /* LTTP_ATOMIC_H */
