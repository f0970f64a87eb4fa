/* sets-priv.h - named sets of tracepoints. */
#ifndef LTT_RECORD_KERNEL_SETS_PRIV_H
#define LTT_RECORD_KERNEL_SETS_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/sets-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include <glib.h>

/* A glob of "SYSTEM:NAME". */
typedef struct LttKernelGlob {
	char *text; /* as given: "sched", "net:*" */
	GPatternSpec *spec;
	gboolean is_matched;
} LttKernelGlob;

/* @selection: names of sets, "SYSTEM" and "SYSTEM:NAME", separated by commas.
 *
 * Returns: (transfer full) (element-type LttKernelGlob): the globs of the selection and of the
 *   tracepoints that every recording has; frees its elements */
GPtrArray *ltt_kernel_sets_parse(const char *selection);

/* Marks the globs that match. Returns: whether one does */
gboolean ltt_kernel_sets_match(GPtrArray *globs, const char *system, const char *name);

#endif
