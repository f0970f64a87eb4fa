/* words-priv.h - identifiers that generated code cannot use as names: keywords, macros, names of the
 * library. */
#ifndef LTT_WORDS_PRIV_H
#define LTT_WORDS_PRIV_H

#ifndef LTT_BUILDING
#error "words-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include <glib.h>

/* Returns: whether @name cannot be a tag or an enumerator: a keyword of C or C++, an identifier
 *   reserved by them, a macro or type of the C library, or a name of the probe */
gboolean ltt_word_is_reserved(const char *name);

/* The same for a parameter or member, which also cannot have the names of local variables in
 * generated functions. These begin with "ltt_" and do not end with "_". */
gboolean ltt_word_is_reserved_inside(const char *name);

/* Returns: whether @name is or may be an object-like macro of GLib */
gboolean ltt_word_is_macro_of_glib(const char *name);

#endif
