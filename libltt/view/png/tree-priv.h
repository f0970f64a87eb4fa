/* tree-priv.h - the lanes of a picture as a tree of rows, as the page shows them: machines, CPUs, processes
 * and their threads.
 *
 *	machine a
 *	  CPUs
 *	    CPU 0        ▁▂▇▂▁
 *	  server 4711
 *	    worker 4712  [ request ]  [ request ]
 */
#ifndef LTT_VIEW_TREE_PRIV_H
#define LTT_VIEW_TREE_PRIV_H

#ifndef LTT_BUILDING
#error "view/png/tree-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/map-priv.h"

/* Heights, in pixels, as on the page. */
#define LTT_PNG_DEPTH_HEIGHT   16 /* of a span */
#define LTT_PNG_EVENTS_HEIGHT  8
#define LTT_PNG_STATE_HEIGHT   13
#define LTT_PNG_COUNTER_HEIGHT 40
#define LTT_PNG_GROUP_HEIGHT   20

typedef struct LttPngRow {
	const LttLane *lane; /* (nullable): NULL: a group */
	char *label;         /* owned */
	guint level;         /* 0: at the left */
	gboolean has_states;
	guint n_depths; /* of spans that the row has room for */
	guint top;
	guint height;
} LttPngRow;

/* The functions below are called with the lock of the map held, after the map is made. @names: of
 * ltt_view_names_new() */

typedef struct LttPngChoice {
	guint64 from_ns; /* lanes that have something in [from_ns, to_ns) */
	guint64 to_ns;
	const char *search; /* (nullable): and each of these words */
} LttPngChoice;

/* Returns: (transfer full) (element-type LttPngRow): the rows of the chosen lanes from top to bottom,
 *   beginning at 0 */
GArray *ltt_png_tree_new(LttViewMap *map, GHashTable *names, const LttPngChoice *choice);

/* Returns: (transfer full): the label of a lane, "worker 4712" */
char *ltt_png_label_lane(const LttViewMap *map, GHashTable *names, const LttLane *lane);

/* Returns: where the spans of a row begin, from its top */
static inline guint ltt_png_get_spans_top(const LttPngRow *row)
{
	return row->has_states ? LTT_PNG_STATE_HEIGHT : 0;
}

#endif
