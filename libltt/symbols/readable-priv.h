/* readable-priv.h - names of C++ as in the source, also of strangers.
 *
 * A part of a mangled name can stand for an earlier one, which again has such parts:
 * a<S_<S0_, S0_>, S_<S1_, S1_>...> doubles with each of them. The demangler of the C++ runtime has no
 * limit, so a name whose text could be too long is found by its references, and remains as it is. The same
 * holds for names that it may not return from.
 */
#ifndef LTT_SYMBOLS_READABLE_PRIV_H
#define LTT_SYMBOLS_READABLE_PRIV_H

#ifndef LTT_BUILDING
#error "symbols/readable-priv.h is private to libltt; use <ltt/ltt-symbols.h>"
#endif

#include <glib.h>

/* Returns: how many parts the text of a mangled name has at most, as far as the references tell;
 * G_MAXUINT64 for a name that is no mangled one, too long, or that the demangler may not return from */
guint64 ltt_readable_estimate(const char *mangled);

/* Returns: (transfer full) (nullable): the name as in the source; NULL if it is no name of C++ or too long;
 * to be freed with free() */
char *ltt_readable_new(const char *mangled);

#endif
