/* gather-priv.h - the statements that hand over a payload of more than some words: as a list of
 * parts, or gathered in a stage. */
#ifndef LTT_GATHER_PRIV_H
#define LTT_GATHER_PRIV_H

#ifndef LTT_BUILDING
#error "gather-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/ctype-priv.h"
#include "codegen/text-priv.h"

/* Values of constant size up to so many bytes are put side by side in a struct, and then into the
 * trace at once; what is longer is taken from where it lies. */
#define LTT_PACKED_MAX_BYTES 256

/* Payloads of constant size up to so many bytes are handed over in registers. */
#define LTT_WORDS_MAX_BYTES 32

/* Returns: whether the parameter is a pointer to a struct: of a struct or a union */
gboolean ltt_parameter_is_pointer(const LttCMember *parameter);

/* Returns: whether the payload is a fixed list of parts, as <ltt/ltt-probe.h> has it */
gboolean ltt_is_list_of_parts(const GArray *parameters);

/* Writes them; they append what @parameters say, in order, to a struct ltt_probe_parts called
 * ltt_parts, or to a struct ltt_probe_stage called ltt_stage. */
void ltt_write_parts(LttText *text, const GArray *parameters);
void ltt_write_gathering(LttText *text, const GArray *parameters);

#endif
