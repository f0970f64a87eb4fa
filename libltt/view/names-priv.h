/* names-priv.h - the names of processes and threads, from the counts of the trace. */
#ifndef LTT_VIEW_NAMES_PRIV_H
#define LTT_VIEW_NAMES_PRIV_H

#ifndef LTT_BUILDING
#error "view/names-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/map-priv.h"

/* Returns: (transfer full): names, which belong to @stat */
GHashTable *ltt_view_names_new(const LttStatSummary *stat);

/* Returns: (nullable): NULL: the name is unknown */
const char *ltt_view_names_process(GHashTable *names, guint host, guint32 pid);

/* Returns: (transfer full) (nullable): the name of the thread of a lane, which may have no events */
char *ltt_view_names_lane(GHashTable *names, const LttViewMap *map, const LttLane *lane);

#endif
