/* glob-priv.h - the patterns of =~ (ltt-filter.h). */
#ifndef LTT_FILTER_GLOB_PRIV_H
#define LTT_FILTER_GLOB_PRIV_H

#ifndef LTT_BUILDING
#error "filter/glob-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include <glib.h>

typedef struct LttGlob LttGlob;

/* Every text is a valid pattern: a "[" without a "]" is literal. */
LttGlob *ltt_glob_new(const char *pattern, gsize length);
void ltt_glob_free(LttGlob *glob); /* NULL is allowed and ignored */

/* Returns: whether the pattern matches the whole @text. The time is at most proportional to the
 *   product of both lengths */
gboolean ltt_glob_matches(const LttGlob *glob, const char *text, gsize length);

#endif
