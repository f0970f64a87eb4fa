/* next.h - the functions that ours replace.
 *
 * NEXT(read) is the next definition of read() in the order of the dynamic linker: that of libc, or of
 * another preloaded library. All are looked up by the constructor of this library: later, the thread that is
 * in dlopen() has the lock of the dynamic linker, and may wait for the thread that calls read(). What is called
 * before, in the only thread, is looked up at its first call.
 */
#ifndef PRELOAD_NEXT_H
#define PRELOAD_NEXT_H

#include <stddef.h>

/* A replaced function. The section has all of them. */
struct next {
	void *at; /* NULL: not looked up yet */
	const char *name;
};

/* Looks up a function. Returns: its address; NULL while this thread looks up another one, which only
 * allocations have to expect; a function that fails with ENOSYS if there is none */
void *next_find(struct next *function);

/* Looks up all functions. */
void next_find_all(void);

/* Declares a function that is replaced. */
#define NEXT_VARIABLE(NAME)                                                                        \
	static struct next next_##NAME                                                             \
		__attribute__((section("next_functions"), used)) = {NULL, #NAME}

/* The function; see next_find() for NULL. */
#define NEXT(NAME) ((__typeof__(NAME) *)next_get(&next_##NAME))

static inline void *next_get(struct next *function)
{
	void *at = __atomic_load_n(&function->at, __ATOMIC_RELAXED);

	return __builtin_expect(at != NULL, 1) ? at : next_find(function);
}

#endif
