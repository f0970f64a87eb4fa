/* prefetch-priv.h - memory that is about to be written, brought near in time.
 *
 * An array that is filled from front to back, and is larger than the first cache, otherwise costs
 * the processor a wait for each line of it.
 */
#ifndef LTT_PREFETCH_PRIV_H
#define LTT_PREFETCH_PRIV_H

#ifndef LTT_BUILDING
#error "prefetch-priv.h is private to libltt"
#endif

#include <glib.h>

/* How far ahead of what is written now. */
#define LTT_PREFETCH_BYTES 512

/* Says that what lies behind @at will be written soon. It may be anything: what cannot be written
 * is left alone. */
static inline void ltt_prefetch_behind(const void *at)
{
	/* A number, for there need not be an object so far behind. */
	__builtin_prefetch((const void *)((guintptr)at + LTT_PREFETCH_BYTES), 1);
}

#endif
