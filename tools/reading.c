/* reading.c - see reading.h. */
#include "reading.h"

#include "nearest.h"
#include "whereabouts.h"

#include <ltt/ltt-facility.h>
#include <ltt/ltt-time.h>

#include <unistd.h>

static char *from_text;
static char *to_text;
static char *cpu_list;
static char *event_globs;
static char *filter_text;
static gboolean all_events;

const char reading_heading[] = "Which events:";

const GOptionEntry reading_options[] = {
	{"from", 0, 0, G_OPTION_ARG_FILENAME, &from_text, "from time T on", "T"},
	{"to", 0, 0, G_OPTION_ARG_FILENAME, &to_text,
	 "before time T. T is seconds with up to nine decimals: as\n"
	 "they are in the trace, +S after its start, -S before its end",
	 "T"},
	{"cpu", 0, 0, G_OPTION_ARG_FILENAME, &cpu_list, "of these CPUs only, such as 0,2-5",
	 "LIST"},
	{"event", 0, 0, G_OPTION_ARG_FILENAME, &event_globs,
	 "with such names only, such as core.irq_*,net.rx", "GLOB[,GLOB]"},
	{"filter", 0, 0, G_OPTION_ARG_FILENAME, &filter_text,
	 "that fulfil a condition on fields, event, facility, time,\n"
	 "cpu, pid and tid, such as 'in == 12 || path =~ \"*.so\"'",
	 "EXPR"},
	{"all", 0, 0, G_OPTION_ARG_NONE, &all_events, "also builtin and tracer events", NULL},
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

static gboolean apply_window(Reading *reading, GError **error)
{
	return check_time("--from", from_text, error) && check_time("--to", to_text, error) &&
	       ltt_select_set_window_text(reading->select, from_text, to_text, reading->trace,
					  error);
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
	return apply_window(reading, error);
}

/* Shows where a filter is wrong. */
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

gboolean reading_open(const char *path, Reading *reading)
{
	g_autoptr(GError) error = NULL;
	LttTrace *trace = ltt_trace_open(path, &error);

	if (trace == NULL)
		tool_fail_to_open(path, error);
	return reading_take(trace, reading);
}

gboolean reading_take(LttTrace *trace, Reading *reading)
{
	g_autoptr(GError) error = NULL;

	*reading = (Reading){.trace = trace};
	if (trace == NULL)
		return FALSE;
	reading_tell_problems(reading);
	if (!apply_options(reading, &error)) {
		tool_fail_error(error);
		return FALSE;
	}
	return apply_filter(reading);
}

/* Returns: (nullable): the name of an event type of the trace that is like @word */
static const char *nearest_event(const LttTrace *trace, const char *word)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < ltt_trace_get_n_loads(trace); i++) {
		const LttFacility *facility = ltt_trace_get_load(trace, i)->facility;

		for (guint j = 0; j < ltt_facility_get_n_events(facility); j++)
			g_ptr_array_add(names,
					(gpointer)ltt_facility_get_event(facility, j)->full_name);
	}
	g_ptr_array_add(names, NULL);
	return nearest(word, (const char *const *)names->pdata);
}

/* A name that no event can have is a slip of who types it, and would look like an empty trace. To
 * a program it is a question like others. */
static void tell_strange_names(const Reading *reading)
{
	g_autoptr(GPtrArray) strange =
		ltt_select_list_strange_names(reading->select, reading->trace);

	if (!isatty(STDERR_FILENO))
		return;
	for (guint i = 0; i < strange->len; i++) {
		const char *word = strange->pdata[i];
		const char *near = nearest_event(reading->trace, word);

		if (near != NULL)
			tool_note("--event: %s: the trace has no such event; did you mean %s?",
				  word, near);
		else
			tool_note("--event: %s: the trace has no such event; "
				  "`ltt info --events` lists those that it has",
				  word);
	}
}

void reading_close(Reading *reading)
{
	if (reading->trace != NULL)
		reading_tell_problems(reading);
	if (reading->select != NULL && tool_status() != TOOL_FAILED)
		tell_strange_names(reading);
	g_clear_pointer(&reading->select, ltt_select_free);
	g_clear_pointer(&reading->trace, ltt_trace_free);
}

void reading_tell_problems(Reading *reading)
{
	for (; reading->n_told < ltt_trace_get_n_problems(reading->trace); reading->n_told++)
		tool_problem(ltt_trace_get_problem(reading->trace, reading->n_told), NULL);
}

void reading_tell_error(const GError *error)
{
	LttProblem problem;

	if (!g_error_matches(error, LTT_ERROR, LTT_ERROR_CORRUPT)) {
		tool_fail_error(error);
		return;
	}
	ltt_problem_from_error(error, &problem);
	tool_problem(&problem, NULL);
}
