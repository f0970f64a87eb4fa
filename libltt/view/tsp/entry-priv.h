/* entry-priv.h - the numbers of the entries of the time graph.
 *
 *	trace ──┬── CPU 0 ────────────── row of events
 *	        └── process ── thread ──┬── row of depth 0
 *	                                ├── row of depth 1
 *	                                └── row of events
 *
 * A trace that was merged from several machines has an entry for each of them above CPUs and processes.
 *
 * A number tells what the entry is. All are below 2^53, so that they are exact in JavaScript:
 *
 *	bits 48 to 50: kind | bits 0 to 47: lane and depth, or trace and process, or ...
 */
#ifndef LTT_VIEW_TSP_ENTRY_PRIV_H
#define LTT_VIEW_TSP_ENTRY_PRIV_H

#ifndef LTT_BUILDING
#error "view/tsp/entry-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include <glib.h>

typedef enum LttTspEntryKind {
	LTT_TSP_ROW,   /* of a lane: has states */
	LTT_TSP_TRACE, /* or a machine of it, from 1 on in the lower bits */
	LTT_TSP_PROCESS,
	LTT_TSP_LANE,
} LttTspEntryKind;

static inline guint64 ltt_tsp_entry(LttTspEntryKind kind, guint64 high, guint16 low)
{
	return (guint64)kind << 48 | (high & 0xffffffff) << 16 | low;
}

/* Returns: whether @entry is a row */
static inline gboolean ltt_tsp_entry_is_row(guint64 entry, guint *lane, guint16 *depth)
{
	*lane = (guint)(entry >> 16);
	*depth = (guint16)entry;
	return entry >> 48 == LTT_TSP_ROW;
}

#endif
