/* earlier-priv.h - errors of times that an earlier merge converted.
 *
 *	A ──────────────┐
 *	B ── bound 2 ms ┴► merged ──┐      a time of B in `merged` can be wrong by 2 ms,
 *	C ──────────────────────────┴►     and so can a limit that a message between B and C gives
 *
 * A merged trace has the bounds of its conversions (ltt-conversions.h).
 */
#ifndef LTT_SYNC_EARLIER_PRIV_H
#define LTT_SYNC_EARLIER_PRIV_H

#ifndef LTT_BUILDING
#error "sync/earlier-priv.h is private to libltt; use <ltt/ltt-sync.h>"
#endif

#include <ltt/ltt-trace.h>

/* Returns: (transfer full) (nullable): the greatest error of the times of each tracefile of a trace, in
 *   nanoseconds, in the order of ltt_trace_get_tracefile(); NULL: none was converted. Free it with g_free() */
guint64 *ltt_sync_list_errors(const LttTrace *trace);

/* Returns: the greatest of these; 0: no tracefile was converted */
guint64 ltt_sync_get_greatest_error(const LttTrace *trace);

#endif
