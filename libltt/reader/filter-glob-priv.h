/* filter-glob-priv.h - the patterns of =~ (ltt-filter.h). */
#ifndef LTT_FILTER_GLOB_PRIV_H
#define LTT_FILTER_GLOB_PRIV_H

#ifndef LTT_BUILDING
#error "filter-glob-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include <glib.h>

typedef struct LttGlob LttGlob;

/* Every text is a pattern: a [ without ] stands for itself. */
LttGlob *ltt_glob_new(const char *pattern, gsize length);
void ltt_glob_free(LttGlob *glob); /* NULL is allowed and ignored */

/* Returns: whether all of @text is as the pattern says. Takes at most about the product of both
 * lengths in steps. */
gboolean ltt_glob_matches(const LttGlob *glob, const char *text, gsize length);

#endif
