/* slips.c - see slips.h.
 *
 * Looks at the event types, the tracefiles and the span of the trace; reads no events.
 */
#include "slips.h"

#include <ltt/ltt-join.h>
#include <ltt/ltt-time.h>

#include <string.h>

/* ---- names ---- */

/* Returns: (transfer full): the end of a message about a name */
static char *suggest(const LttDoubt *doubt)
{
	if (doubt->nearest != NULL)
		return g_strdup_printf("; did you mean %s?", doubt->nearest);
	switch (doubt->kind) {
	case LTT_DOUBT_KIND:
	case LTT_DOUBT_THREAD:
	case LTT_DOUBT_CPU:
	case LTT_DOUBT_HOST:
		return g_strdup("");
	default:
		return g_strdup("; see `ltt info --events`");
	}
}

static void report_doubt(const char *option, const LttDoubt *doubt, gboolean is_final)
{
	g_autofree char *end = suggest(doubt);

	if (is_final)
		tool_warn("%s: %s%s", option, doubt->message, end);
	else
		tool_note("%s: %s so far%s", option, doubt->message, end);
}

static gboolean is_same_doubt(gconstpointer left, gconstpointer right)
{
	const LttDoubt *a = left;
	const LttDoubt *b = right;

	return a->kind == b->kind && a->byte == b->byte && g_str_equal(a->name, b->name);
}

/* Returns: (nullable): the doubt about the same name in a list */
static const LttDoubt *find_doubt(GPtrArray *doubts, const LttDoubt *doubt)
{
	guint i;

	return g_ptr_array_find_with_equal_func(doubts, doubt, is_same_doubt, &i) ? doubts->pdata[i]
										  : NULL;
}

/* Reports the doubts that all readings have. A suggestion may come from any of them. */
static void report_doubts(const char *option, const Reading *readings, guint n, gboolean is_final,
			  GPtrArray *(*check)(const Reading *))
{
	g_autoptr(GPtrArray) lists =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	const GPtrArray *first;

	for (guint i = 0; i < n; i++)
		g_ptr_array_add(lists, check(&readings[i]));
	first = lists->pdata[0];
	for (guint i = 0; i < first->len; i++) {
		const LttDoubt *best = first->pdata[i];

		for (guint j = 1; j < n && best != NULL; j++) {
			const LttDoubt *other = find_doubt(lists->pdata[j], best);

			best = other == NULL || best->nearest == NULL ? other : best;
		}
		if (best != NULL)
			report_doubt(option, best, is_final);
	}
}

static GPtrArray *check_events(const Reading *reading)
{
	return ltt_select_check_events(reading->select, reading->trace);
}

static GPtrArray *check_filter(const Reading *reading)
{
	return ltt_select_check_filter(reading->select, reading->trace);
}

static GPtrArray *check_cpus(const Reading *reading)
{
	return ltt_select_check_cpus(reading->select, reading->trace);
}

void slips_report_names(const Reading *readings, guint n, gboolean is_final)
{
	report_doubts("--event", readings, n, is_final, check_events);
	report_doubts("--filter", readings, n, is_final, check_filter);
	report_doubts("--cpu", readings, n, is_final, check_cpus);
}

void slips_report_fields(const Reading *reading, const char *option, const char *const *globs)
{
	g_autoptr(GPtrArray) doubts =
		ltt_select_check_fields(reading->select, reading->trace, globs);

	for (guint i = 0; i < doubts->len; i++)
		report_doubt(option, doubts->pdata[i], TRUE);
}

/* ---- times ---- */

/* Whether @text lacks "+": as an absolute time it is before the trace, and after its start it is in
 * the trace. */
static gboolean lacks_plus(const char *text, guint64 start_ns, guint64 end_ns)
{
	LttTimeBase base;
	guint64 time_ns;

	return text != NULL && ltt_time_parse(text, &base, &time_ns, NULL) &&
	       base == LTT_TIME_ABSOLUTE && time_ns < start_ns && time_ns <= end_ns - start_ns;
}

/* @place: such as "after the end of" */
static void report_time(LttTrace *trace, const char *option, const char *text, const char *place,
			gboolean needs_plus)
{
	const gboolean is_one = ltt_trace_get_n_members(trace) == 1;
	char start[LTT_TIME_TEXT_BYTES];
	char end[LTT_TIME_TEXT_BYTES];
	guint64 start_ns, end_ns;

	ltt_trace_get_span(trace, &start_ns, &end_ns);
	ltt_time_format(start_ns, start);
	ltt_time_format(end_ns, end);
	tool_note("%s: %s is %s %s, which begin%s at %s and end%s at %s%s%s%s", option, text, place,
		  is_one ? ltt_trace_get_path(trace) : "the traces", is_one ? "s" : "", start,
		  is_one ? "s" : "", end, needs_plus ? "; did you mean +" : "",
		  needs_plus ? text : "", needs_plus ? "?" : "");
}

static void report_around(const Reading *reading, const char *text, guint64 start_ns,
			  guint64 end_ns)
{
	g_autofree char *time = g_strndup(text, strcspn(text, ","));
	guint64 from_ns, to_ns;

	ltt_select_get_window(reading->select, &from_ns, &to_ns);
	if (from_ns > end_ns)
		report_time(reading->trace, "--around", text, "after the end of", FALSE);
	else if (to_ns <= start_ns)
		report_time(reading->trace, "--around", text, "before the start of",
			    lacks_plus(time, start_ns, end_ns));
}

void slips_report_times(const Reading *reading, const SlipsAsked *asked)
{
	guint64 from_ns, to_ns, start_ns, end_ns;

	if (!ltt_select_get_window(reading->select, &from_ns, &to_ns) ||
	    !ltt_trace_get_span(reading->trace, &start_ns, &end_ns))
		return;
	if (asked->around != NULL)
		report_around(reading, asked->around, start_ns, end_ns);
	else if (asked->from != NULL && asked->to != NULL && from_ns >= to_ns)
		tool_note("--from: %s is not before --to, %s: no event can be selected",
			  asked->from, asked->to);
	else if (asked->from != NULL && from_ns > end_ns)
		report_time(reading->trace, "--from", asked->from, "after the end of", FALSE);
	else if (asked->to != NULL && to_ns <= start_ns)
		report_time(reading->trace, "--to", asked->to, "not after the start of",
			    lacks_plus(asked->to, start_ns, end_ns));
	else if (lacks_plus(asked->from, start_ns, end_ns))
		report_time(reading->trace, "--from", asked->from, "before the start of", TRUE);
}
