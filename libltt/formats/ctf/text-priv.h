/* text-priv.h - the words of TSDL, the language of CTF metadata: names, strings, comments. */
#ifndef LTT_FORMATS_CTF_TEXT_PRIV_H
#define LTT_FORMATS_CTF_TEXT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/text-priv.h is private to libltt"
#endif

#include <glib.h>

/* Appends a name that readers see as @name. What TSDL keeps for itself, and what begins with an
 * underscore, gets an underscore in front, which readers take off again; so different names stay
 * different. @name: a C identifier */
void ltt_ctf_add_name(GString *out, const char *name);

/* Appends a string in quotes. */
void ltt_ctf_add_string(GString *out, const char *text);

/* Appends a comment, on one line, with a blank in front; nothing if there is no text (NULL). */
void ltt_ctf_add_comment(GString *out, const char *text);

/* Returns: (transfer full): a set of names, for the one below */
GHashTable *ltt_ctf_names_new(void);

/* Makes @base followed by @suffix different from all of @names by further underscores, and adds it
 * to them. Returns: (transfer none): the name, the set's */
const char *ltt_ctf_names_add_unique(GHashTable *names, const char *base, const char *suffix);

#endif
