/* text-priv.h - tokens of TSDL, the language of CTF metadata: names, strings, comments. */
#ifndef LTT_FORMATS_CTF_TEXT_PRIV_H
#define LTT_FORMATS_CTF_TEXT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/text-priv.h is private to libltt"
#endif

#include <glib.h>

/* Appends an identifier that readers show as @name. Reserved names and names that begin with an
 * underscore get the prefix "_", which readers remove, so different names stay different. @name: a
 * C identifier */
void ltt_ctf_add_name(GString *out, const char *name);

/* Appends a quoted string. */
void ltt_ctf_add_string(GString *out, const char *text);

/* Appends a comment on one line, with a space in front. @text: (nullable): NULL appends nothing */
void ltt_ctf_add_comment(GString *out, const char *text);

/* Returns: (transfer full): an empty set of names for ltt_ctf_names_add_unique() */
GHashTable *ltt_ctf_names_new(void);

/* Adds the name @base @suffix to @names, with as many underscores at its end as make it unique.
 * Returns: (transfer none): the name, owned by @names */
const char *ltt_ctf_names_add_unique(GHashTable *names, const char *base, const char *suffix);

#endif
