/* selection-priv.h - the selection interface that the reader uses.
 *
 * The level above, filter/, implements selections by names, fields and filters. The merge needs
 * their results only: each LttSelect begins with this struct.
 */
#ifndef LTT_READER_SELECTION_PRIV_H
#define LTT_READER_SELECTION_PRIV_H

#ifndef LTT_BUILDING
#error "reader/selection-priv.h is private to libltt; use <ltt/ltt-select.h>"
#endif

#include <ltt/ltt-select.h>

/* How far a selection must examine an event. */
typedef enum LttSelectDepth {
	LTT_SELECT_ALL,      /* not at all: every event is selected */
	LTT_SELECT_ORDINARY, /* only whether it is an ordinary event */
	LTT_SELECT_BY_EVENT, /* call matches() */
} LttSelectDepth;

typedef struct LttSelection {
	gboolean has_window;
	guint64 from_ns;
	guint64 to_ns; /* exclusive */
	LttSelectDepth (*get_depth)(const LttSelect *select);
	gboolean (*wants_tracefile)(const LttSelect *select, const LttTracefile *tracefile);
	gboolean (*matches)(LttSelect *select, const LttEvent *event);
} LttSelection;

/* In all functions, @select NULL selects every event. */

static inline const LttSelection *ltt_selection_of(const LttSelect *select)
{
	return (const LttSelection *)(gconstpointer)select;
}

/* Returns: NULL if there is no window */
static inline const LttSelection *ltt_selection_with_window(const LttSelect *select)
{
	return select != NULL && ltt_selection_of(select)->has_window ? ltt_selection_of(select)
								      : NULL;
}

static inline LttSelectDepth ltt_selection_get_depth(const LttSelect *select)
{
	return select != NULL ? ltt_selection_of(select)->get_depth(select) : LTT_SELECT_ALL;
}

static inline gboolean ltt_selection_wants_tracefile(const LttSelect *select,
						     const LttTracefile *tracefile)
{
	return select == NULL || ltt_selection_of(select)->wants_tracefile(select, tracefile);
}

/* @depth: of @select */
static inline gboolean ltt_selection_matches(LttSelect *select, LttSelectDepth depth,
					     const LttEvent *event)
{
	if (depth == LTT_SELECT_BY_EVENT)
		return ltt_selection_of(select)->matches(select, event);
	return depth == LTT_SELECT_ALL || event->role == LTT_ROLE_ORDINARY;
}

#endif
