/* ltt-nearest.h - suggest a word for a mistyped one. */
#ifndef LTT_NEAREST_H
#define LTT_NEAREST_H

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (nullable): the word of NULL-terminated @words that is most similar to @word; NULL if
 *   none is similar enough */
const char *ltt_nearest(const char *word, const char *const *words);

G_END_DECLS

#endif /* LTT_NEAREST_H */
