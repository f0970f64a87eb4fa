/* function-priv.h - the functions of a header: one for each event. */
#ifndef LTT_FUNCTION_PRIV_H
#define LTT_FUNCTION_PRIV_H

#ifndef LTT_BUILDING
#error "function-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/ctype-priv.h"
#include "codegen/text-priv.h"

/* Writes what @function needs beside the types: its comment, itself, and what it calls. */
void ltt_write_function(LttText *text, const LttCFunction *function);

#endif
