/* syncing.h - relate the clocks of traces by messages, for a command. */
#ifndef SYNCING_H
#define SYNCING_H

#include <ltt/ltt-sync.h>

/* Shows the progress. @wander_ppm: 0: the default. Returns: (transfer full) (nullable): NULL, with a
 * message printed, on failure */
LttSync *syncing_find(LttTrace *const *traces, guint n_traces, char *const *rules,
		      double wander_ppm);

/* Fails, with a message for each trace, if there is one without a result; otherwise prints how the
 * times of each were converted. Returns: whether all have a result */
gboolean syncing_accept(const LttSync *sync, LttTrace *const *traces, guint n_traces);

/* Returns: (transfer full): "+0.003000012" */
char *syncing_format_offset(gint64 offset_ns);

#endif
