/* nearest.h - what somebody who mistyped a word may have meant. */
#ifndef NEAREST_H
#define NEAREST_H

/* Returns: (nullable): the word of NULL-terminated @words that is like @word; NULL: none is */
const char *nearest(const char *word, const char *const *words);

#endif
