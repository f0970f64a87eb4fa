/* function-priv.h - generate the functions that record an event. */
#ifndef LTT_FUNCTION_PRIV_H
#define LTT_FUNCTION_PRIV_H

#ifndef LTT_BUILDING
#error "function-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/ctype-priv.h"
#include "codegen/text-priv.h"

/* Writes trace_F_E(), its variants, and their out-of-line function. */
void ltt_write_function(LttText *text, const LttCFunction *function);

#endif
