/* cmd-stat.c - `ltt stat`: count events by type, tracefile, process, thread and time window. */
#include "commands.h"
#include "progress.h"
#include "reading.h"
#include "several.h"
#include "stat.h"
#include "states.h"

#include <ltt/ltt-time.h>

static gboolean wants_json;
static gboolean wants_states;
static char *interval_text;
static gint n_threads = -1;
static SeveralClocks clocks;
static gint n_top = G_MAXINT;

static const GOptionEntry options[] = {
	{"interval", 'i', 0, G_OPTION_ARG_FILENAME, &interval_text,
	 "also count in windows of S seconds, or such as 10ms; the first\n"
	 "starts at --from or at the start of the trace",
	 "S"},
	{"jobs", 'j', 0, G_OPTION_ARG_INT, &n_threads,
	 "read with N threads; the default is the number of CPUs. The\n"
	 "result does not depend on N",
	 "N"},
	{"top", 'n', 0, G_OPTION_ARG_INT, &n_top,
	 "print only the N event types, processes and threads with the\n"
	 "most events, and the sum of the others",
	 "N"},
	{"json", 0, 0, G_OPTION_ARG_NONE, &wants_json, "print one JSON object", NULL},
	{"states", 0, 0, G_OPTION_ARG_NONE, &wants_states,
	 "print the time of each thread in each state, the causes of its\n"
	 "waits, and the use of each CPU, from events of the kernel",
	 NULL},
	SEVERAL_OPTIONS(clocks),
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE...",
	.about = "Count the events of a trace by event type, tracefile, process and thread, with "
		 "their\n"
		 "rates and sizes, the longest gap without events, and the number of lost events. "
		 "Damaged\n"
		 "blocks are reported, and their readable events counted.\n",
	.options = options,
	.shared = reading_options,
	.shared_heading = reading_heading,
	.notes = "  ltt stat -n 10 TRACE\n"
		 "  ltt stat --interval 0.1 --event 'net.*' TRACE\n"
		 "  ltt stat --states --event 'http.*' TRACE\n"
		 "  ltt stat --json --filter 'in == 12' TRACE\n",
	.min_arguments = 1,
	.max_arguments = -1,
};

static gboolean settle_request(LttStatRequest *request)
{
	if (n_threads == 0 || n_threads < -1) {
		tool_fail("--jobs: %d: expected a number of threads, 1 or more", n_threads);
		return FALSE;
	}
	if (n_top < 1) {
		tool_fail("--top: %d: expected a number of lines, 1 or more", n_top);
		return FALSE;
	}
	request->n_threads = n_threads > 0 ? (guint)n_threads : 0;
	if (interval_text != NULL &&
	    (!ltt_duration_parse(interval_text, LTT_NS_PER_S, &request->interval_ns, NULL) ||
	     request->interval_ns == 0)) {
		tool_fail("--interval: \"%s\": expected seconds above 0, or a number with a unit, "
			  "such as 10ms",
			  interval_text);
		return FALSE;
	}
	return TRUE;
}

static void count(Reading *reading, LttStatRequest *request)
{
	StatView view = {.trace = reading->trace,
			 .has_threads = ltt_trace_has_threads(reading->trace),
			 .interval_ns = request->interval_ns,
			 .n_top = (guint)n_top};
	g_autoptr(GError) error = NULL;
	g_auto(LttStatSummary) stat = {0};
	gboolean ok;

	request->trace = reading->trace;
	request->select = reading->select;
	progress_start("ltt stat", FALSE);
	ok = ltt_stat(request, &stat, &error);
	progress_end();
	view.has_span = ltt_trace_get_span(reading->trace, &view.start_ns, &view.end_ns);
	if (!ok && interval_text != NULL && g_error_matches(error, LTT_ERROR, LTT_ERROR_LIMIT))
		tool_fail("--interval: %s", error->message);
	else if (!ok)
		tool_fail_error(error);
	else if (wants_json)
		stat_print_json(&stat, &view);
	else
		stat_print_text(&stat, &view);
}

/* Sums up the states of threads and CPUs. */
static void add_up_states(Reading *reading)
{
	const LttStateSumsRequest request = {.trace = reading->trace,
					     .select = reading->select,
					     .callbacks = PROGRESS_CALLBACKS};
	g_autoptr(GError) error = NULL;
	g_auto(LttStateSums) sums = {0};
	gboolean ok;

	progress_start("ltt stat", FALSE);
	ok = ltt_state_sums(&request, &sums, &error);
	progress_end();
	if (!ok)
		tool_fail_error(error);
	else if (wants_json)
		states_print_json(&sums);
	else
		states_print_text(&sums, (guint)n_top);
	if (ok && sums.n_events == 0)
		tool_warn("--states: the trace has no events that determine the states of threads; "
			  "expected a "
			  "trace of `ltt record --kernel`, or an imported one with events of the "
			  "scheduler");
}

int cmd_stat(int argc, char **argv)
{
	LttStatRequest request = {.callbacks = PROGRESS_CALLBACKS};
	Reading reading;

	if (!tool_parse(&usage, &argc, &argv) || !settle_request(&request))
		return tool_end();
	if (wants_states && interval_text != NULL) {
		tool_fail("--states: has no windows of time; expected it without --interval");
		return tool_end();
	}
	if (several_read(argv + 1, (guint)(argc - 1), &clocks, &reading)) {
		if (wants_states)
			add_up_states(&reading);
		else
			count(&reading, &request);
	}
	reading_close(&reading);
	return tool_end();
}
