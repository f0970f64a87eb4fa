/* prefetch-priv.h - prefetch memory that is about to be written.
 *
 * Filling an array that is larger than the L1 cache from front to back otherwise stalls the
 * processor on each cache line.
 */
#ifndef LTT_PREFETCH_PRIV_H
#define LTT_PREFETCH_PRIV_H

#ifndef LTT_BUILDING
#error "prefetch-priv.h is private to libltt"
#endif

#include <glib.h>

/* Distance from the current write position. */
#define LTT_PREFETCH_BYTES 512

/* Hints that the memory after @at will be written soon. The address need not be valid. */
static inline void ltt_prefetch_behind(const void *at)
{
	/* Integer arithmetic, because the object may end before that address. */
	__builtin_prefetch((const void *)((guintptr)at + LTT_PREFETCH_BYTES), 1);
}

#endif
