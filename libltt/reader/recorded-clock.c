/* recorded-clock.c - how far the clock of an imported recording is from the wall's. See ltt-join.h.
 *
 * Of the tools whose recordings are imported, perf can say so: in the feature clock_data, which is
 * an event in a control file.
 */
#include "reader/tracefile-priv.h"

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-value.h>

/* Of the clocks of the kernel. */
#define MONOTONIC 1

/* What the event says. */
typedef struct ClockData {
	guint64 clockid;
	guint64 wall_ns;
	guint64 clock_ns;
} ClockData;

static gboolean get_number(const LttEvent *event, const char *name, guint64 *number)
{
	LttValue payload;
	LttValue field;

	if (!ltt_event_get_value(event, &payload) || !ltt_value_find(&payload, name, &field) ||
	    field.layout->kind != LTT_UINT)
		return FALSE;
	*number = ltt_value_get_uint(&field);
	return *number <= LTT_TIME_MAX;
}

static gboolean find_clock_data(LttTracefile *tracefile, ClockData *data)
{
	g_autoptr(LttCursor) cursor = ltt_cursor_new(tracefile);
	const LttEvent *event;

	while (ltt_cursor_next(cursor, &event, NULL) == LTT_STEP_EVENT)
		if (g_str_equal(event->type->full_name, "perf_file.clock_data"))
			return get_number(event, "clockid", &data->clockid) &&
			       get_number(event, "wall_clock", &data->wall_ns) &&
			       get_number(event, "clock", &data->clock_ns);
	return FALSE;
}

static guint64 get_distance(guint64 a, guint64 b)
{
	return a > b ? a - b : b - a;
}

/* Returns: whether the times of @trace are of a clock that @data tells of */
static gboolean find_own_clock(LttTrace *trace, ClockData *data)
{
	guint64 start_ns;
	guint64 end_ns;

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);

		if (!g_str_has_prefix(tracefile->name, "control/perf_file") ||
		    !find_clock_data(tracefile, data) ||
		    !ltt_trace_get_span(trace, &start_ns, &end_ns))
			continue;
		/* Not if they have been moved, as in a trace that was merged. */
		return get_distance(start_ns, data->clock_ns) <
		       get_distance(start_ns, data->wall_ns);
	}
	return FALSE;
}

gboolean ltt_trace_find_clock_offset(LttTrace *trace, gint64 *offset_ns)
{
	ClockData data;

	if (!find_own_clock(trace, &data))
		return FALSE;
	*offset_ns = (gint64)data.wall_ns - (gint64)data.clock_ns;
	return TRUE;
}

gboolean ltt_trace_find_clock_offset_beside(LttTrace *trace, LttTrace *beside, gint64 *offset_ns)
{
	const char *text = ltt_system_get(ltt_trace_get_system(beside), "monotonic_zero");
	guint64 zero_ns;
	ClockData data;

	if (text == NULL ||
	    !g_ascii_string_to_unsigned(text, 10, 0, LTT_TIME_MAX, &zero_ns, NULL) ||
	    !find_own_clock(trace, &data) || data.clockid != MONOTONIC ||
	    data.wall_ns < data.clock_ns ||
	    get_distance(data.wall_ns - data.clock_ns, zero_ns) >= LTT_NS_PER_S)
		return FALSE;
	*offset_ns = (gint64)zero_ns;
	return TRUE;
}
