/* metadata-priv.h - the metadata of a CTF trace, in TSDL. */
#ifndef LTT_FORMATS_CTF_METADATA_PRIV_H
#define LTT_FORMATS_CTF_METADATA_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/metadata-priv.h is private to libltt"
#endif

#include "formats/ctf/types-priv.h"

#include <ltt/ltt-system.h>

/* ---- metadata.c ---- */

/* Appends the metadata except the events: header, byte order, environment, clock, streams.
 * @has_threads: events have a pid and a tid */
void ltt_ctf_add_preamble(GString *out, const LttSystem *system, gboolean has_threads);

/* Appends the declaration of an event type, once for each class of streams in which it occurs. */
void ltt_ctf_add_event(GString *out, const LttCtfType *type);

/* ---- fields.c: the layout of a payload ---- */

/* Appends a struct with the fields of an event. A payload that is not a struct becomes a field with
 * the name "value".
 * @layout: (nullable): NULL: the event has no payload
 * @depth: number of tabs before the last line; the inner lines have one more */
void ltt_ctf_add_fields(GString *out, const LttLayout *layout, guint depth);

/* ---- text.c: tokens, which are names, strings and comments ---- */

/* Appends an identifier that readers show as @name, which is a C identifier. Reserved names and
 * names that begin with an underscore get the prefix "_". Readers remove one "_", so different
 * names remain different. */
void ltt_ctf_add_name(GString *out, const char *name);

/* Appends a quoted string. */
void ltt_ctf_add_string(GString *out, const char *text);

/* Appends a space and a comment on one line. @text: (nullable): NULL: append nothing */
void ltt_ctf_add_comment(GString *out, const char *text);

/* Returns: (transfer full): an empty set of names for ltt_ctf_names_add_unique() */
GHashTable *ltt_ctf_names_new(void);

/* Concatenates @base and @suffix, appends underscores until the name is not in @names, and adds it.
 * Returns: (transfer none): the name, owned by @names */
const char *ltt_ctf_names_add_unique(GHashTable *names, const char *base, const char *suffix);

#endif
