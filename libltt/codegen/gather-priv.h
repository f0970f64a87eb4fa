/* gather-priv.h - generate the statements that pass a large payload to the probe: as a list of
 * parts, or gathered in a buffer, the stage. */
#ifndef LTT_GATHER_PRIV_H
#define LTT_GATHER_PRIV_H

#ifndef LTT_BUILDING
#error "gather-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/ctype-priv.h"
#include "codegen/text-priv.h"

/* Adjacent values of constant size, up to this many bytes, are packed in a struct and copied at
 * once. Longer ones are copied from where they are. */
#define LTT_PACKED_MAX_BYTES 256

/* Payloads of constant size up to this many bytes are passed in registers. */
#define LTT_WORDS_MAX_BYTES 32

/* Returns: whether the parameter is a pointer to the struct of a struct or union */
gboolean ltt_parameter_is_pointer(const LttCMember *parameter);

/* Returns: whether the payload fits a struct ltt_probe_parts, a fixed list of parts */
gboolean ltt_is_list_of_parts(const GArray *parameters);

/* Writes the statements. They append the values of @parameters, in order, to a struct
 * ltt_probe_parts called ltt_parts, or to a struct ltt_probe_stage called ltt_stage. */
void ltt_write_parts(LttText *text, const GArray *parameters);
void ltt_write_gathering(LttText *text, const GArray *parameters);

#endif
