/* nearest.h - suggest a word for a mistyped one. */
#ifndef NEAREST_H
#define NEAREST_H

/* Returns: (nullable): the word of NULL-terminated @words that is most similar to @word; NULL if
 * none is similar enough */
const char *nearest(const char *word, const char *const *words);

#endif
