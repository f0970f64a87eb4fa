/* event-names-priv.h - texts of the header, and the names of the events. */
#ifndef LTT_FORMATS_PERF_FILE_EVENT_NAMES_PRIV_H
#define LTT_FORMATS_PERF_FILE_EVENT_NAMES_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/event-names-priv.h is private to libltt"
#endif

#include "formats/perf/file/meta-priv.h"

/* Gives @meta its texts and its attrs their names: those of the feature EVENT_DESC, of the event
 * types of old files, of the formats of tracepoints, or else those that perf knows by heart.
 * Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_names_find(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
			     GError **error);

#endif
