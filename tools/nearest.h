/* nearest.h - suggest a word for a mistyped one. */
#ifndef NEAREST_H
#define NEAREST_H

#include <ltt/ltt-nearest.h>

/* Returns: (nullable): as ltt_nearest() */
static inline const char *nearest(const char *word, const char *const *words)
{
	return ltt_nearest(word, words);
}

#endif
