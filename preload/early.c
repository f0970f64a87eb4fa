/* early.c - see early.h. */
#include "early.h"

#include <errno.h>
#include <stdint.h>

enum { EARLY_BYTES = 16384, EARLY_ALIGN = 16 };

static char room[EARLY_BYTES] __attribute__((aligned(EARLY_ALIGN)));
static size_t used;

void *early_alloc(size_t size)
{
	const size_t needed = (size + EARLY_ALIGN) & ~(size_t)(EARLY_ALIGN - 1);
	size_t at;

	if (size > EARLY_BYTES) {
		errno = ENOMEM;
		return NULL;
	}
	at = __atomic_fetch_add(&used, needed, __ATOMIC_RELAXED);
	if (at + needed <= EARLY_BYTES)
		return room + at;
	errno = ENOMEM;
	return NULL;
}

bool early_is(const void *memory)
{
	return (uintptr_t)memory >= (uintptr_t)room &&
	       (uintptr_t)memory < (uintptr_t)room + EARLY_BYTES;
}

size_t early_rest(const void *memory)
{
	return (size_t)(room + EARLY_BYTES - (const char *)memory);
}
