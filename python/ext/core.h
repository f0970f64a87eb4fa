/* core.h - an open trace, which exists as long as any Python object or Arrow stream needs it.
 *
 * Closing a Trace ends its own use only. References may be dropped in any thread, without the lock
 * of the interpreter, because consumers of Arrow streams do so.
 */
#ifndef CORE_H
#define CORE_H

#include "ext.h"

typedef struct Core Core;

/* @trace: (transfer full) */
Core *core_new(LttTrace *trace);
Core *core_ref(Core *core);
void core_unref(Core *core); /* NULL is allowed and ignored */

LttTrace *core_get_trace(const Core *core);
LttSymbols *core_get_symbols(const Core *core);

/* Returns: the tables of the trace, the same each time */
LttTables *core_need_tables(Core *core);

/* Adds a problem to those of the trace, unless it is known. In any thread, also without the lock of
 * the interpreter. An LttProblemFunc; @data: the Core */
void core_note(const LttProblem *problem, gpointer data);

/* No function of the trace issues warnings from here on: for a caller that reads the list of problems. */
void core_silence(Core *core);
gboolean core_is_quiet(Core *core);

/* Issues a warning for each problem that has had none. Needs the lock of the interpreter. Returns:
 * FALSE with an exception */
gboolean core_warn(Core *core);

/* Makes a warning of damage, and an exception of any other error. @error: (transfer full). Needs the lock
 * of the interpreter. Returns: FALSE with an exception */
gboolean core_pass_error(Core *core, GError *error);

/* Has the main thread call core_warn() soon. For threads without the lock of the interpreter. */
void core_warn_later(Core *core);

/* Returns: (transfer full) (nullable): a list of (tracefile, block, byte, message, text), NULL with
 * an exception */
PyObject *core_list_problems(Core *core);

#endif
