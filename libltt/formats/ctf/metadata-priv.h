/* metadata-priv.h - the metadata of a CTF trace, in TSDL. */
#ifndef LTT_FORMATS_CTF_METADATA_PRIV_H
#define LTT_FORMATS_CTF_METADATA_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/metadata-priv.h is private to libltt"
#endif

#include "formats/ctf/types-priv.h"

#include <ltt/ltt-system.h>

/* Appends everything but the events: header, byte order, environment, clock, streams.
 * @has_threads: events have a pid and tid */
void ltt_ctf_add_preamble(GString *out, const LttSystem *system, gboolean has_threads);

/* Appends the declaration of an event type, for each class of streams that it is in. */
void ltt_ctf_add_event(GString *out, const LttCtfType *type);

#endif
