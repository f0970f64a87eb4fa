/* counters-priv.h - the values of counters: fields that descriptions of events declare as such
 * (doc/format.md, 8.9).
 *
 * Each counter of each process has a lane. A track keeps its values by bins of the time:
 *
 *	events    3   5  2       4              9
 *	bins    |  100      |  101  |  102  |  103  |
 *	cells     n 3            n 1           n 1
 *	          2 to 5, last 2    4             9
 */
#ifndef LTT_VIEW_COUNTERS_PRIV_H
#define LTT_VIEW_COUNTERS_PRIV_H

#ifndef LTT_BUILDING
#error "view/counters-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/window-priv.h"

typedef struct LttViewNumber {
	LttTypeKind kind; /* INT, UINT or FLOAT */
	union {
		gint64 i;
		guint64 u;
		double f;
	};
} LttViewNumber;

/* The values of a bin, or of a pixel. */
typedef struct LttCounterCell {
	guint lane;
	guint32 bin;
	guint32 n;
	LttViewNumber min;
	LttViewNumber max;
	LttViewNumber last;
} LttCounterCell;

struct LttViewCounters {
	GHashTable *types;  /* by LttEventType: GArray of fields */
	GPtrArray *names;   /* of char: full names of event types with counters */
	GHashTable *tracks; /* by lane: GArray of LttCounterCell, by bin */
	LttViewAxis axis;
	guint64 n_cells;
};

LttViewCounters *ltt_view_counters_new(const LttViewAxis *axis);
void ltt_view_counters_free(LttViewCounters *counters);

/* Copies the values of the counters of an earlier moment. @counters: empty, with a longer axis */
void ltt_view_counters_copy(LttViewCounters *counters, const LttViewCounters *before);

/* The functions below are called with the lock of the map held. */

/* Adds the values of an event; events are taken in order. */
void ltt_view_counters_take(LttViewMap *map, const LttEvent *event);

/* ---- windows ---- */

typedef struct LttCounterPicture {
	GArray *before; /* of LttCounterCell: the value of each lane at the begin of the window */
	GArray *cells;  /* of LttCounterCell; the bins are pixels; by lane and pixel */
	gboolean is_exact; /* from all events of the window */
} LttCounterPicture;

/* Returns: as ltt_view_draw(), which draws the spans of lanes. Takes the lock. */
gboolean ltt_view_draw_counters(LttViewMap *map, const LttViewWindow *window, const guint *lanes,
				guint n_lanes, const LttJobCallbacks *callbacks,
				LttCounterPicture *picture, GError **error);

void ltt_counter_picture_clear(LttCounterPicture *picture);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttCounterPicture, ltt_counter_picture_clear)

/* Calls @func for each value of a counter that an event has. */
typedef void (*LttViewNumberFunc)(guint lane, const LttViewNumber *number, gpointer user_data);
void ltt_view_counters_visit(LttViewMap *map, const LttEvent *event, LttViewNumberFunc func,
			     gpointer user_data);

/* Adds a value to the last cell, or a cell after it. */
void ltt_view_counters_add(GArray *cells, const LttCounterCell *added);

/* Appends the number as JSON; NaN and infinity are null. */
void ltt_view_number_append(GString *out, const LttViewNumber *number);

#endif
