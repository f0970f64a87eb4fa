/* words-priv.h - words that cannot be used as a name in C or C++, or only until a macro meets
 * them. */
#ifndef LTT_WORDS_PRIV_H
#define LTT_WORDS_PRIV_H

#ifndef LTT_BUILDING
#error "words-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include <glib.h>

/* Returns: whether @name may not be a tag or an enumerator of a generated header: a word of C or
 * C++, a name that these keep for themselves, a macro or type of the C library, or a name of the
 * probe */
gboolean ltt_word_is_reserved(const char *name);

/* The same for a parameter or member; also the names that generated functions have for
 * themselves, which all begin with "ltt_" and do not end with "_". */
gboolean ltt_word_is_reserved_inside(const char *name);

/* Returns: whether @name is or may be an object-like macro of GLib */
gboolean ltt_word_is_macro_of_glib(const char *name);

#endif
