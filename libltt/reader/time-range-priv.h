/* time-range-priv.h - the range of the time values of a trace, and whether it can be moved.
 *
 * A time value that is moved below 0, or above what a reader or a writer can represent, is an error
 * of the user, or of a map of clocks. The range shows it without reading all events. Events after the
 * last time value of a block do not count: damage can give them any time.
 */
#ifndef LTT_READER_TIME_RANGE_PRIV_H
#define LTT_READER_TIME_RANGE_PRIV_H

#ifndef LTT_BUILDING
#error "reader/time-range-priv.h is private to libltt"
#endif

#include <ltt/ltt-trace.h>

typedef struct LttTimeRange {
	gboolean has_values;
	guint64 first_ns; /* the least */
	guint64 last_ns;
} LttTimeRange;

/* Sets the range of a trace that is not moved yet. */
void ltt_trace_find_values(LttTrace *trace);

/* Returns: whether the offset or the map of a member moves its time values to 0 ... @most_ns; FALSE with
 *   LTT_ERROR_INVALID, and a message that names the least and the greatest possible offset */
gboolean ltt_trace_check_values(const LttTrace *member, guint64 most_ns, GError **error);

#endif
