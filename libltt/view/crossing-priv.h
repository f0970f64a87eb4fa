/* crossing-priv.h - the stretches that began before a point and were known only after it
 * (states-priv.h).
 *
 * They are in the order of the events that ended them, packed, in chunks. Each chunk has the begin of
 * its earliest stretch, so a search for the stretches of a window skips most chunks.
 */
#ifndef LTT_VIEW_CROSSING_PRIV_H
#define LTT_VIEW_CROSSING_PRIV_H

#ifndef LTT_BUILDING
#error "view/crossing-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include <ltt/ltt-states.h>

typedef struct LttViewCrossing {
	guint lane;
	guint32 padding;
	LttStretch stretch; /* names of system calls belong to the owner of the list */
	guint64 given_ns;   /* time of the event that ended it */
} LttViewCrossing;

/* Returns: (transfer full): an empty list; free it with g_ptr_array_unref() */
GPtrArray *ltt_view_crossings_new(void);

/* Appends a copy. `given_ns` does not decrease. */
void ltt_view_crossings_append(GPtrArray *list, const LttViewCrossing *crossing);

gsize ltt_view_crossings_get_size(const GPtrArray *list);

/* @func: called with the stretches that end after @from_ns and begin before @to_ns, and were ended by an
 *   event at @given_ns or later */
void ltt_view_crossings_visit(const GPtrArray *list, guint64 from_ns, guint64 to_ns,
			      guint64 given_ns,
			      void (*func)(const LttViewCrossing *crossing, gpointer user_data),
			      gpointer user_data);

/* @is_kept: whether a stretch stays in the list. Returns: (transfer full): the new list, for @list, which
 * is freed */
GPtrArray *ltt_view_crossings_filter(GPtrArray *list,
				     gboolean (*is_kept)(const LttViewCrossing *crossing,
							 gpointer user_data),
				     gpointer user_data);

#endif
