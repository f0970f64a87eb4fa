/* counts-priv.h - numbers of events of a window. */
#ifndef LTT_VIEW_COUNTS_PRIV_H
#define LTT_VIEW_COUNTS_PRIV_H

#ifndef LTT_BUILDING
#error "view/counts-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/blocks-priv.h"
#include "view/request-priv.h"

/* How far counts of bins can be wrong. */
typedef struct LttViewAccuracy {
	gboolean is_counted; /* FALSE: they are estimated from the blocks */
	guint64 within_ns; /* an event so far, or less, from the edge of a bin may be in the next one */
} LttViewAccuracy;

/* Counts the events of each bin that the parameter `filter` of the URL selects. @accuracy: (out) */
gboolean ltt_view_count_bins(LttViewCall *call, LttViewBins *bins, LttViewAccuracy *accuracy,
			     GError **error);

/* Counts the events of a window that the parameter `filter` of the URL selects. */
gboolean ltt_view_count_window(LttViewCall *call, guint64 from_ns, guint64 to_ns,
			       guint64 interval_ns, LttStatSummary *stat, GError **error);

#endif
