/* functions.c - records the functions of programs that were compiled with -finstrument-functions.
 *
 * The compiler inserts calls of these two functions, of which libc has empty ones.
 */
#include "code.h"
#include "function-trace.h"

PRELOAD_EXPORT void __cyg_profile_func_enter(void *function, void *caller);
PRELOAD_EXPORT void __cyg_profile_func_exit(void *function, void *caller);

PRELOAD_EXPORT void __cyg_profile_func_enter(void *function, void *caller)
{
	if (!trace_function_entry_enabled())
		return;
	code_note((uintptr_t)function);
	code_note((uintptr_t)caller);
	trace_function_entry((uintptr_t)function, (uintptr_t)caller);
}

PRELOAD_EXPORT void __cyg_profile_func_exit(void *function, void *caller)
{
	trace_function_exit((uintptr_t)function, (uintptr_t)caller);
}
