/* merged-priv.h - write a joined trace to a temporary trace, for jobs that copy blocks.
 *
 * A joined trace has blocks of several byte orders, sizes and sets of event ids. A job that copies
 * blocks needs one form for all.
 */
#ifndef LTT_EDIT_MERGED_PRIV_H
#define LTT_EDIT_MERGED_PRIV_H

#ifndef LTT_BUILDING
#error "edit/merged-priv.h is private to libltt"
#endif

#include "base/aside-priv.h"

#include <ltt/ltt-job.h>
#include <ltt/ltt-trace.h>

typedef struct LttMerged {
	LttTrace *trace; /* to read instead of the joined trace */
	LttTrace *owned; /* NULL: the trace was not joined */
	LttAside aside;
} LttMerged;

/* Sets merged->trace to @trace, or, if it is a joined trace, to one trace with the same events and
 * names of tracefiles, in a temporary directory next to @place.
 * @place: must not exist
 * @callbacks: as of ltt_join_write()
 * Returns: FALSE, with nothing left behind, and an error of ltt_join_write() */
gboolean ltt_merged_begin(LttMerged *merged, LttTrace *trace, const char *place,
			  const LttJobCallbacks *callbacks, GError **error);

/* Closes and removes the temporary trace. */
void ltt_merged_end(LttMerged *merged);

#endif
