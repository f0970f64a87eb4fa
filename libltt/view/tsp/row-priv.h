/* row-priv.h - the states of the rows of a time graph. */
#ifndef LTT_VIEW_TSP_ROW_PRIV_H
#define LTT_VIEW_TSP_ROW_PRIV_H

#ifndef LTT_BUILDING
#error "view/tsp/row-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/tsp/call-priv.h"

typedef struct LttTspState {
	guint64 start_ns;
	guint64 end_ns;
	gboolean is_pixel; /* gives way to states that are none */
	char *label;
	char *style; /* its key */
} LttTspState;

typedef struct LttTspRows {
	GHashTable *by_entry; /* GArray of LttTspState */
	GArray *lanes;        /* of guint: the lanes of the entries */
} LttTspRows;

/* Sets @rows to an empty row for each of the items that is one. @items: (element-type gint64) */
void ltt_tsp_rows_init(LttTspRows *rows, const GArray *items);
void ltt_tsp_rows_clear(LttTspRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttTspRows, ltt_tsp_rows_clear)

/* Adds a state to a row if it is requested. @label, @style: (transfer full) */
void ltt_tsp_rows_add(const LttTspRows *rows, guint lane, guint16 depth, const LttTspState *state);

/* Appends the rows in the order of @items. */
void ltt_tsp_rows_append(const LttTspRows *rows, const GArray *items, GString *out);

#endif
