/* metadata-priv.h - the metadata of a CTF trace, in TSDL. */
#ifndef LTT_FORMATS_CTF_METADATA_PRIV_H
#define LTT_FORMATS_CTF_METADATA_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/metadata-priv.h is private to libltt"
#endif

#include "formats/ctf/types-priv.h"

#include <ltt/ltt-system.h>

/* ---- metadata.c ---- */

/* Appends everything but the events: header, byte order, environment, clock, streams.
 * @has_threads: events have a pid and tid */
void ltt_ctf_add_preamble(GString *out, const LttSystem *system, gboolean has_threads);

/* Appends the declaration of an event type, for each class of streams that it is in. */
void ltt_ctf_add_event(GString *out, const LttCtfType *type);

/* ---- fields.c: the layout of a payload ---- */

/* Appends the struct of an event's fields, its inner lines @depth + 1 tabs deep. A payload that
 * is no struct becomes a field called "value". @layout: NULL: the event has no payload */
void ltt_ctf_add_fields(GString *out, const LttLayout *layout, guint depth);

/* ---- text.c: tokens, which are names, strings and comments ---- */

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
