/* slips.c - see slips.h.
 *
 * Looks at the event types, the tracefiles and the span of the trace; reads no events.
 */
#include "slips.h"

#include "nearest.h"

#include <ltt/ltt-facility.h>
#include <ltt/ltt-time.h>

#include <string.h>
#include <unistd.h>

/* ---- names ---- */

static void add_fields(GPtrArray *names, const LttEventType *type)
{
	const LttType *payload = type->type != NULL ? ltt_type_resolve(type->type) : NULL;

	if (payload == NULL ||
	    (ltt_type_get_kind(payload) != LTT_STRUCT && ltt_type_get_kind(payload) != LTT_UNION))
		return;
	for (guint i = 0; i < ltt_type_get_n_fields(payload); i++)
		g_ptr_array_add(names, (gpointer)ltt_type_get_field(payload, i)->name);
}

static void add_event(GPtrArray *names, const LttEventType *type)
{
	g_ptr_array_add(names, type->full_name);
}

/* Returns: (nullable): the name most similar to @word. @add: adds the names of an event type */
static const char *nearest_name(const LttTrace *trace, const char *word,
				void (*add)(GPtrArray *, const LttEventType *))
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < ltt_trace_get_n_loads(trace); i++) {
		const LttFacility *facility = ltt_trace_get_load(trace, i)->facility;

		for (guint j = 0; j < ltt_facility_get_n_events(facility); j++)
			add(names, ltt_facility_get_event(facility, j));
	}
	g_ptr_array_add(names, NULL);
	return nearest(word, (const char *const *)names->pdata);
}

static void report_name(const char *option, const char *word, const char *what, const char *near)
{
	if (near != NULL)
		tool_note("%s: %s: the trace has no such %s; did you mean %s?", option, word, what,
			  near);
	else
		tool_note("%s: %s: the trace has no such %s; `ltt info --events` lists those that "
			  "it has",
			  option, word, what);
}

static void report_names(const Reading *reading)
{
	g_autoptr(GPtrArray) events =
		ltt_select_list_strange_names(reading->select, reading->trace);
	g_autoptr(GPtrArray) fields =
		ltt_select_list_strange_fields(reading->select, reading->trace);

	for (guint i = 0; i < events->len; i++)
		report_name("--event", events->pdata[i], "event",
			    nearest_name(reading->trace, events->pdata[i], add_event));
	for (guint i = 0; i < fields->len; i++)
		report_name("--filter", fields->pdata[i], "field",
			    nearest_name(reading->trace, fields->pdata[i], add_fields));
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

static void report_time(const char *option, const char *text, const char *where, guint64 edge_ns,
			gboolean needs_plus)
{
	char edge[LTT_TIME_TEXT_BYTES];

	ltt_time_format(edge_ns, edge);
	tool_note("%s: %s is %s, %s%s%s%s", option, text, where, edge,
		  needs_plus ? "; did you mean +" : "", needs_plus ? text : "",
		  needs_plus ? "?" : "");
}

static void report_window(const Reading *reading, const SlipsAsked *asked)
{
	guint64 from_ns, to_ns, start_ns, end_ns;

	if (!ltt_select_get_window(reading->select, &from_ns, &to_ns) ||
	    !ltt_trace_get_span(reading->trace, &start_ns, &end_ns))
		return;
	if (asked->from != NULL && asked->to != NULL && from_ns >= to_ns)
		tool_note("--from: %s is not before --to, %s: no event can be selected",
			  asked->from, asked->to);
	else if (asked->from != NULL && from_ns > end_ns)
		report_time("--from", asked->from, "after the end of the trace", end_ns, FALSE);
	else if (asked->to != NULL && to_ns <= start_ns)
		report_time("--to", asked->to, "not after the start of the trace", start_ns,
			    lacks_plus(asked->to, start_ns, end_ns));
	else if (lacks_plus(asked->from, start_ns, end_ns))
		report_time("--from", asked->from, "before the start of the trace", start_ns, TRUE);
}

/* ---- CPUs ---- */

static void report_cpus(const Reading *reading, const SlipsAsked *asked)
{
	g_autoptr(GString) numbers = g_string_new(NULL);

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(reading->trace); i++) {
		const LttTracefile *tracefile = ltt_trace_get_tracefile(reading->trace, i);
		const gint cpu = ltt_tracefile_get_cpu(tracefile);

		if (ltt_select_wants_tracefile(reading->select, tracefile))
			return;
		if (cpu >= 0)
			g_string_append_printf(numbers, "%s%d", numbers->len > 0 ? "," : "", cpu);
	}
	tool_note("--cpu: %s: the trace has no events of these CPUs; it has %s", asked->cpus,
		  numbers->len > 0 ? numbers->str : "no cpu files");
}

void slips_report(const Reading *reading, const SlipsAsked *asked)
{
	if (!isatty(STDERR_FILENO))
		return;
	report_names(reading);
	report_window(reading, asked);
	if (asked->cpus != NULL)
		report_cpus(reading, asked);
}
