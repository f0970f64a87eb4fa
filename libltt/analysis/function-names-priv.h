/* function-names-priv.h - the names of functions at the addresses of events, each once. */
#ifndef LTT_ANALYSIS_FUNCTION_NAMES_PRIV_H
#define LTT_ANALYSIS_FUNCTION_NAMES_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/function-names-priv.h is private to libltt; use <ltt/ltt-symbols.h>"
#endif

#include <ltt/ltt-symbols.h>

typedef struct LttFunctionNames LttFunctionNames;

/* Returns: (transfer full): names in one form, without symbols */
LttFunctionNames *ltt_function_names_new(LttSymbolForm form);
void ltt_function_names_free(LttFunctionNames *names); /* NULL is allowed and ignored */

/* @symbols: (transfer none) (nullable): NULL: no address has a name */
void ltt_function_names_set_symbols(LttFunctionNames *names, LttSymbols *symbols);

/* Returns: (nullable): the name of the function at an address, or where the code is; valid as long as
 *   @names. NULL: it is unknown */
const char *ltt_function_names_find(LttFunctionNames *names, const LttEvent *event,
				    guint64 address);

#endif
