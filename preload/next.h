/* next.h - the functions that ours replace.
 *
 * NEXT(read) is the next definition of read() in the order of the dynamic linker: that of libc, or of
 * another preloaded library. It is looked up at the first call, which may be earlier than any
 * constructor.
 */
#ifndef PRELOAD_NEXT_H
#define PRELOAD_NEXT_H

#include <stddef.h>

/* Looks up a function. Returns: its address; NULL while this thread looks up another one, which only
 * allocations have to expect; a function that fails with ENOSYS if there is none */
void *next_find(void **found, const char *name);

/* Declares the variable with the address of a function. */
#define NEXT_VARIABLE(NAME) static void *next_##NAME

/* The function; see next_find() for NULL. */
#define NEXT(NAME) ((__typeof__(NAME) *)next_get(&next_##NAME, #NAME))

static inline void *next_get(void **found, const char *name)
{
	void *at = __atomic_load_n(found, __ATOMIC_RELAXED);

	return __builtin_expect(at != NULL, 1) ? at : next_find(found, name);
}

#endif
