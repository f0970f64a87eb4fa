/* sum-priv.h - a sum of numbers of a trace, which a damaged one can make too large. */
#ifndef LTT_SUM_PRIV_H
#define LTT_SUM_PRIV_H

#ifndef LTT_BUILDING
#error "sum-priv.h is private to libltt"
#endif

#include <glib.h>

/* Adds @value to @sum, which remains at most G_MAXUINT64. */
static inline void ltt_sum_add(guint64 *sum, guint64 value)
{
	*sum = value > G_MAXUINT64 - *sum ? G_MAXUINT64 : *sum + value;
}

#endif
