/* line-priv.h - a map of clocks with a bound: a relation in whole nanoseconds.
 *
 * Lines of two pairs of clocks, A to B and B to C, make one from A to C, whose bounds add up.
 */
#ifndef LTT_SYNC_LINE_PRIV_H
#define LTT_SYNC_LINE_PRIV_H

#ifndef LTT_BUILDING
#error "sync/line-priv.h is private to libltt; use <ltt/ltt-sync.h>"
#endif

#include "sync/relation-priv.h"

#include <ltt/ltt-clock-map.h>

typedef struct LttSyncLine {
	LttClockMap *map;
	GArray *bounds_ns;  /* of double: for each point of the map, to both neighbours */
	double first_drift; /* ns per ns: how fast the bound grows before the first point */
	double last_drift;  /* and after the last one */
	double wander;
} LttSyncLine;

/* Returns: (transfer full) (nullable): the relation as a line from the first clock to the second; NULL
 *   with LTT_ERROR_INVALID if a time is out of range */
LttSyncLine *ltt_sync_line_new(const LttSyncPoints *points, const LttSyncRelation *relation,
			       GError **error);
LttSyncLine *ltt_sync_line_dup(const LttSyncLine *line);
void ltt_sync_line_free(LttSyncLine *line); /* NULL is allowed and ignored */

/* Returns: (transfer full): from the second clock to the first */
LttSyncLine *ltt_sync_line_invert(const LttSyncLine *line);

/* Returns: (transfer full) (nullable): from the clock of @line to that of @next, over the one between;
 *   NULL as ltt_sync_line_new() */
LttSyncLine *ltt_sync_line_chain(const LttSyncLine *line, const LttSyncLine *next, GError **error);

/* Returns: the error is at most this at any time from @from_ns to @to_ns */
double ltt_sync_line_get_bound(const LttSyncLine *line, guint64 from_ns, guint64 to_ns);

#endif
