/* reading.c - see reading.h. */
#include "reading.h"

#include "following.h"
#include "opening.h"
#include "slips.h"

#include <ltt/ltt-time.h>

#include <string.h>

static char *from_text;
static char *to_text;
static char *around_text;
static char *cpu_list;
static char *event_globs;
static char *filter_text;
static gboolean all_events;
static gboolean is_growing;
static guint growth_delay_ms;

const char reading_heading[] = "Selecting events:";

const GOptionEntry reading_options[] = {
	{"from", 0, 0, G_OPTION_ARG_FILENAME, &from_text, "only events from time T on", "T"},
	{"to", 0, 0, G_OPTION_ARG_FILENAME, &to_text,
	 "only events before time T. T is a time in seconds since 1970, a\n"
	 "date as --time date prints it, HH:MM:SS of the trace's day,\n"
	 "+S after its start, or -S before its end. S is in seconds, or\n"
	 "has a unit: ns us ms s m h",
	 "T"},
	{"around", 0, 0, G_OPTION_ARG_FILENAME, &around_text,
	 "only events at most half of WIDTH before or after time T; the\n"
	 "default is 1ms",
	 "T[,WIDTH]"},
	{"cpu", 0, 0, G_OPTION_ARG_FILENAME, &cpu_list, "only events of these CPUs, such as 0,2-5",
	 "LIST"},
	{"event", 0, 0, G_OPTION_ARG_FILENAME, &event_globs,
	 "only events with matching names, such as core.irq_*,net.rx", "GLOB[,GLOB]"},
	{"filter", 0, 0, G_OPTION_ARG_FILENAME, &filter_text,
	 "only events that satisfy a condition on fields, event,\n"
	 "facility, time, cpu, pid and tid, such as\n"
	 "'in == 12 || path =~ \"*.so\"'",
	 "EXPR"},
	{"all", 0, 0, G_OPTION_ARG_NONE, &all_events,
	 "also builtin and tracer events, and events that describe the\n"
	 "processes and interrupts at the start of the recording",
	 NULL},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

const GOptionEntry *reading_options_but(const char *name)
{
	static GOptionEntry others[G_N_ELEMENTS(reading_options)];
	guint n_others = 0;

	for (const GOptionEntry *entry = reading_options; entry->long_name != NULL; entry++) {
		if (!g_str_equal(entry->long_name, name))
			others[n_others++] = *entry;
	}
	return others;
}

gboolean reading_wants_all(void)
{
	return all_events;
}

void reading_set_to(const char *time)
{
	g_free(to_text);
	to_text = g_strdup(time);
}

static gboolean check_time(const char *option, const char *text, GError **error)
{
	LttTimeBase base;
	guint64 time_ns;

	if (text == NULL || ltt_time_parse(text, &base, &time_ns, error))
		return TRUE;
	g_prefix_error(error, "%s: ", option);
	return FALSE;
}

static gboolean apply_around(Reading *reading, GError **error)
{
	if (ltt_select_set_around_text(reading->select, around_text, reading->trace, error))
		return TRUE;
	g_prefix_error(error, "--around: ");
	return FALSE;
}

static gboolean apply_window(Reading *reading, GError **error)
{
	if (around_text != NULL && from_text == NULL && to_text == NULL)
		return apply_around(reading, error);
	if (around_text != NULL) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
			    "--around cannot be combined with --from and --to");
		return FALSE;
	}
	return check_time("--from", from_text, error) && check_time("--to", to_text, error) &&
	       ltt_select_set_window_text(reading->select, from_text, to_text, reading->trace,
					  error);
}

/* Returns: whether a time counts from the start of the trace */
static gboolean counts_from_start(void)
{
	const char *const texts[] = {from_text, to_text, around_text};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		if (texts[i] != NULL && texts[i][0] == '+')
			return TRUE;
	}
	return FALSE;
}

/* The start of a trace that is followed is unknown until its first event of a program. */
static gboolean apply_window_from_start(Reading *reading, GError **error)
{
	if (!apply_window(reading, error))
		return FALSE;
	if (!is_growing || !counts_from_start())
		return TRUE;
	following_await_start(reading->trace, growth_delay_ms);
	return apply_window(reading, error);
}

static gboolean apply_options(Reading *reading, GError **error)
{
	reading->select = ltt_select_new();
	ltt_select_set_all(reading->select, all_events);
	if (cpu_list != NULL && !ltt_select_set_cpus(reading->select, cpu_list, error)) {
		g_prefix_error(error, "--cpu: ");
		return FALSE;
	}
	if (event_globs != NULL && !ltt_select_set_events(reading->select, event_globs, error)) {
		g_prefix_error(error, "--event: ");
		return FALSE;
	}
	return apply_window_from_start(reading, error);
}

/* Parses --filter and points at the position of a mistake. */
static gboolean apply_filter(Reading *reading)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LttFilter) filter = NULL;
	g_autofree char *point = NULL;

	if (filter_text == NULL)
		return TRUE;
	filter = ltt_filter_new(filter_text, &error);
	if (filter != NULL) {
		ltt_select_set_filter(reading->select, filter);
		return TRUE;
	}
	point = ltt_filter_point(filter_text, error);
	tool_fail("--filter: %s", error->message);
	tool_show(point);
	return FALSE;
}

static gboolean take(LttTrace *trace, Reading *reading)
{
	g_autoptr(GError) error = NULL;

	*reading = (Reading){.trace = trace};
	if (trace == NULL)
		return FALSE;
	reading_report_problems(reading);
	if (!apply_options(reading, &error)) {
		tool_fail_error(error);
		return FALSE;
	}
	return apply_filter(reading);
}

gboolean reading_take(LttTrace *trace, Reading *reading)
{
	if (!take(trace, reading))
		return FALSE;
	slips_report_names(reading, 1, !is_growing);
	return TRUE;
}

gboolean reading_open(const char *path, Reading *reading)
{
	return reading_take(opening_open(path), reading);
}

gboolean reading_open_all(char *const *paths, guint n, Reading *readings)
{
	memset(readings, 0, sizeof(*readings) * n);
	for (guint i = 0; i < n; i++)
		if (!take(opening_open(paths[i]), &readings[i]))
			return FALSE;
	slips_report_names(readings, n, TRUE);
	return TRUE;
}

void reading_expect_growth(guint delay_ms)
{
	is_growing = TRUE;
	growth_delay_ms = delay_ms;
}

void reading_close(Reading *reading)
{
	if (reading->trace != NULL)
		reading_report_problems(reading);
	if (reading->select != NULL && tool_status() != TOOL_FAILED && is_growing)
		slips_report_names(reading, 1, TRUE);
	if (reading->select != NULL && tool_status() != TOOL_FAILED)
		slips_report_times(reading, &(SlipsAsked){from_text, to_text, around_text});
	g_clear_pointer(&reading->select, ltt_select_free);
	g_clear_pointer(&reading->trace, ltt_trace_free);
}

void reading_report_problems(Reading *reading)
{
	for (; reading->n_reported < ltt_trace_get_n_problems(reading->trace);
	     reading->n_reported++)
		tool_problem(ltt_trace_get_problem(reading->trace, reading->n_reported), NULL);
}

void reading_report_error(const GError *error)
{
	LttProblem problem;

	if (!g_error_matches(error, LTT_ERROR, LTT_ERROR_CORRUPT)) {
		tool_fail_error(error);
		return;
	}
	ltt_problem_from_error(error, &problem);
	tool_problem(&problem, NULL);
}
