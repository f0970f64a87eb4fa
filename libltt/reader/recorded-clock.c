/* recorded-clock.c - the offset between the clock of an imported recording and the wall clock. See
 * ltt-join.h.
 *
 * The importer has written the clock of the times, and the wall time of its zero, into system.xml.
 */
#include "reader/trace-priv.h"

#include <ltt/ltt-join.h>

/* 1991-01-01: earlier times are not those of a wall clock, because there was no Linux to trace. */
#define LEAST_WALL_NS (G_GUINT64_CONSTANT(662688000) * LTT_NS_PER_S)

static gboolean get_number(const LttTrace *trace, const char *attribute, guint64 *number)
{
	const char *text = ltt_system_get(ltt_trace_get_system(trace), attribute);

	return text != NULL &&
	       g_ascii_string_to_unsigned(text, 10, 0, LTT_MAX_TIME_NS, number, NULL);
}

static guint64 get_distance(guint64 a, guint64 b)
{
	return a > b ? a - b : b - a;
}

gboolean ltt_trace_has_wall_times(LttTrace *trace)
{
	const char *clock = ltt_system_get(trace->system, LTT_SYSTEM_CLOCK);
	guint64 start_ns;
	guint64 end_ns;

	if (clock != NULL)
		return g_str_equal(clock, LTT_CLOCK_WALL);
	return !ltt_trace_get_span(trace, &start_ns, &end_ns) || start_ns >= LEAST_WALL_NS;
}

gboolean ltt_trace_find_clock_offset(LttTrace *trace, gint64 *offset_ns)
{
	guint64 zero_ns;

	if (ltt_trace_has_wall_times(trace) || !get_number(trace, LTT_SYSTEM_CLOCK_ZERO, &zero_ns))
		return FALSE;
	*offset_ns = (gint64)zero_ns;
	return TRUE;
}

gboolean ltt_trace_find_clock_offset_beside(LttTrace *trace, LttTrace *beside, gint64 *offset_ns)
{
	const char *clock = ltt_system_get(trace->system, LTT_SYSTEM_CLOCK);
	guint64 zero_ns;
	guint64 beside_ns;

	if (g_strcmp0(clock, LTT_CLOCK_MONOTONIC) != 0 ||
	    !get_number(trace, LTT_SYSTEM_CLOCK_ZERO, &zero_ns) ||
	    !get_number(beside, "monotonic_zero", &beside_ns) ||
	    get_distance(zero_ns, beside_ns) >= LTT_NS_PER_S)
		return FALSE;
	*offset_ns = (gint64)beside_ns;
	return TRUE;
}
