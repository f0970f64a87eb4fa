/* errno-names-priv.h - the names of error numbers of Linux.
 *
 * Most machines have the generic numbers of the kernel. Those of Alpha, MIPS, PA-RISC and SPARC
 * differ, and get no names. Nor do the numbers of a trace that was merged from several machines, one
 * of which is such a machine, because an event type has the same text on all of them.
 */
#ifndef LTT_PRINT_ERRNO_NAMES_PRIV_H
#define LTT_PRINT_ERRNO_NAMES_PRIV_H

#ifndef LTT_BUILDING
#error "print/errno-names-priv.h is private to libltt"
#endif

#include <glib.h>

typedef struct LttErrnoName {
	gint32 number;
	const char *name;
} LttErrnoName;

/* @machine: (nullable): attribute "machine" of the trace, the names of one machine or of several.
 * Returns: @n_names names, ascending by
 *   number */
const LttErrnoName *ltt_errno_names(const char *machine, guint *n_names);

#endif
