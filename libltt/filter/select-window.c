/* select-window.c - windows of time as users write them. */
#include "base/error-priv.h"
#include "base/zone-priv.h"

#include <ltt/ltt-select.h>
#include <ltt/ltt-time.h>

#include <string.h>

#define DEFAULT_WIDTH_NS (LTT_NS_PER_S / 1000)

/* Returns: the time @clock_ns after midnight, @n_days after the day of @start_ns, in the local zone */
static guint64 time_of_day(guint64 start_ns, guint n_days, guint64 clock_ns)
{
	const gint clock_s = (gint)(clock_ns / LTT_NS_PER_S);
	g_autoptr(GTimeZone) zone = ltt_zone_new_local();
	g_autoptr(GDateTime) start = ltt_zone_date(zone, (gint64)(start_ns / LTT_NS_PER_S));
	g_autoptr(GDateTime) day = g_date_time_add_days(start, (gint)n_days);
	g_autoptr(GDateTime) found = g_date_time_new(
		zone, g_date_time_get_year(day), g_date_time_get_month(day),
		g_date_time_get_day_of_month(day), clock_s / 3600, clock_s / 60 % 60, clock_s % 60);

	return (guint64)MAX(0, g_date_time_to_unix(found)) * LTT_NS_PER_S + clock_ns % LTT_NS_PER_S;
}

/* Finds a time of a day: if it is not in the trace on the day of the start, then on the next day if
 * it is in the trace there. */
static guint64 find_in_days(guint64 start_ns, guint64 end_ns, guint64 clock_ns)
{
	const guint64 first_ns = time_of_day(start_ns, 0, clock_ns);
	const guint64 next_ns = time_of_day(start_ns, 1, clock_ns);

	return first_ns < start_ns && next_ns <= end_ns ? next_ns : first_ns;
}

/* Finds the time of a trace that @text, in a form of ltt-time.h, means. A time of a day is on the day
 * of the start of the trace in the local zone, or on the next day if only that is in the trace. */
static gboolean resolve_time(const char *text, LttTrace *trace, guint64 *time_ns, GError **error)
{
	guint64 start_ns = 0;
	guint64 end_ns = 0;
	guint64 given_ns;
	LttTimeBase base;

	if (!ltt_time_parse(text, &base, &given_ns, error))
		return FALSE;
	if (base != LTT_TIME_ABSOLUTE)
		ltt_trace_get_span(trace, &start_ns, &end_ns);
	switch (base) {
	case LTT_TIME_FROM_START:
		*time_ns = MIN(start_ns + given_ns, LTT_MAX_TIME_NS);
		break;
	case LTT_TIME_BEFORE_END:
		*time_ns = end_ns - MIN(given_ns, end_ns);
		break;
	case LTT_TIME_OF_DAY:
		*time_ns = find_in_days(start_ns, end_ns, given_ns);
		break;
	default:
		*time_ns = given_ns;
		break;
	}
	return TRUE;
}

gboolean ltt_select_set_window_text(LttSelect *select, const char *from, const char *to,
				    LttTrace *trace, GError **error)
{
	guint64 from_ns = 0;
	guint64 to_ns = G_MAXUINT64;

	if (from == NULL && to == NULL)
		return TRUE;
	if ((from != NULL && !resolve_time(from, trace, &from_ns, error)) ||
	    (to != NULL && !resolve_time(to, trace, &to_ns, error)))
		return FALSE;
	ltt_select_set_window(select, from_ns, to_ns);
	return TRUE;
}

gboolean ltt_select_set_around_text(LttSelect *select, const char *text, LttTrace *trace,
				    GError **error)
{
	const char *comma = strrchr(text, ',');
	g_autofree char *middle =
		comma != NULL ? g_strndup(text, (gsize)(comma - text)) : g_strdup(text);
	guint64 width_ns = DEFAULT_WIDTH_NS;
	guint64 time_ns;

	if ((comma != NULL && !ltt_duration_parse(comma + 1, 0, &width_ns, error)) ||
	    !resolve_time(middle, trace, &time_ns, error))
		return FALSE;
	ltt_select_set_window(select, time_ns - MIN(width_ns / 2, time_ns),
			      time_ns + width_ns / 2 + 1);
	return TRUE;
}
