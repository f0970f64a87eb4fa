/* errno-names-priv.h - the names of error numbers of Linux.
 *
 * Most machines have the generic numbers of the kernel. Those of Alpha, MIPS, PA-RISC and SPARC
 * differ, and get no names.
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

/* @machine: (nullable): attribute "machine" of the trace. Returns: @n_names names, ascending by
 *   number */
const LttErrnoName *ltt_errno_names(const char *machine, guint *n_names);

#endif
