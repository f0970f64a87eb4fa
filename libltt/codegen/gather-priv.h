/* gather-priv.h - the statements that gather a payload of varying size in a stage. */
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

/* Returns: whether the parameter is a pointer to a struct: of a struct or a union */
gboolean ltt_parameter_is_pointer(const LttCMember *parameter);

/* Writes them; they append what @parameters say, in order, to a stage called ltt_stage. */
void ltt_write_gathering(LttText *text, const GArray *parameters);

#endif
