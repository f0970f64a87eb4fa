/* selection.h - which events: the argument `selection` of the functions of this module.
 *
 * A tuple (globs, start, end, filter, cpus, all): five of str or None, in the form of the options of
 * the command, and a bool.
 */
#ifndef SELECTION_H
#define SELECTION_H

#include "core.h"

/* Returns: (transfer full) (nullable): NULL with an exception */
LttSelect *selection_new(Core *core, PyObject *selection);

/* Warns of names in an argument that the trace does not have, unless it is quiet. @doubts: (transfer full). Returns: FALSE with an
 * exception, if warnings are errors */
gboolean selection_warn_of(Core *core, const char *argument, GPtrArray *doubts);

#endif
