/* cmd-latency.c - `ltt latency`: the time from one event to another. */
#include "commands.h"
#include "latency.h"
#include "opening.h"
#include "progress.h"
#include "reading.h"
#include "several.h"
#include "states.h"

#include <string.h>

static char *by;
static char *group;
static char *diff;
static SeveralClocks clocks;
static gint n_longest;
static gint n_top = 20;
static gboolean wants_json;
static gboolean wants_states;

static const GOptionEntry options[] = {
	{"by", 0, 0, G_OPTION_ARG_FILENAME, &by,
	 "pair events with the same value of a field, or of a field of\n"
	 "BEGIN and another one of END; or of the same thread, pid, tid,\n"
	 "cpu or host. The default is the key that the description of END\n"
	 "declares, or else the thread",
	 "FIELD[=FIELD]"},
	{"group", 'g', 0, G_OPTION_ARG_FILENAME, &group,
	 "also print the latencies for each value of a field of BEGIN\n"
	 "or END, or for each pid, tid, cpu or host",
	 "FIELD"},
	{"longest", 0, 0, G_OPTION_ARG_INT, &n_longest,
	 "also list the N longest pairs, each with a command that\n"
	 "prints the events from its begin to its end",
	 "N"},
	{"diff", 0, 0, G_OPTION_ARG_FILENAME, &diff,
	 "compare the traces with a later TRACE, by the Mann-Whitney U\n"
	 "test",
	 "TRACE"},
	{"states", 0, 0, G_OPTION_ARG_NONE, &wants_states,
	 "also print the states of threads during the slow pairs, from\n"
	 "p99 on, and during each of the --longest",
	 NULL},
	{"top", 'n', 0, G_OPTION_ARG_INT, &n_top,
	 "with --group: print the N groups with the most pairs, and\n"
	 "the sum of the others; the default is 20",
	 "N"},
	{"json", 0, 0, G_OPTION_ARG_NONE, &wants_json, "print one JSON object", NULL},
	SEVERAL_OPTIONS(clocks),
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static ToolUsage usage = {
	.arguments = "BEGIN END TRACE...",
	.about = "Pair each event of type END with the latest event of type BEGIN that has no end "
		 "yet, in the\n"
		 "same thread or with the same key, and print percentiles and a histogram of the "
		 "time between\n"
		 "them. BEGIN and END may be the same type. Several traces are read on one "
		 "timeline, as by\n"
		 "`ltt dump`. Damaged blocks are reported, and their readable events used.\n",
	.options = options,
	.shared_heading = reading_heading,
	.notes = "A pair counts if both of its events are selected. With --filter, the "
		 "condition\n"
		 "must also hold for each of them that has its fields.\n"
		 "\n"
		 "  ltt latency core.irq_entry core.irq_exit --group irq_id TRACE\n"
		 "  ltt latency http.request http.response --by id --longest 10 TRACE\n"
		 "  ltt latency http.request http.response --states --longest 3 TRACE\n"
		 "  ltt latency rpc.send rpc.receive --by id=message client server\n"
		 "  ltt latency jobs.begin jobs.end --diff after before\n",
	.min_arguments = 3,
	.max_arguments = -1,
};

static gboolean settle(void)
{
	if (n_longest < 0) {
		tool_fail("--longest: %d: expected a number of pairs, 0 or more", n_longest);
		return FALSE;
	}
	if (n_top < 1) {
		tool_fail("--top: %d: expected a number of groups, 1 or more", n_top);
		return FALSE;
	}
	if (diff != NULL && wants_states) {
		tool_fail("--states and --diff cannot be combined");
		return FALSE;
	}
	if (diff != NULL && n_longest > 0) {
		tool_fail("--longest and --diff cannot be combined");
		return FALSE;
	}
	return TRUE;
}

/* An event or a field that the trace does not have is a problem of the question, and no latency is
 * printed. A malformed path cannot be requested at all. */
static void report_error(const GError *error)
{
	LttProblem problem;

	ltt_problem_from_error(error, &problem);
	if (g_error_matches(error, LTT_ERROR, LTT_ERROR_INVALID) && problem.byte == LTT_NOWHERE)
		tool_warn("%s", error->message);
	else
		tool_fail_error(error);
}

static LttLatencyRequest make_request(const Reading *reading, char *const *names,
				      LttSymbols *symbols)
{
	return (LttLatencyRequest){
		.pairs = {.trace = reading->trace,
			  .select = reading->select,
			  .begin = names[0],
			  .end = names[1],
			  .by = by,
			  .group = group,
			  .symbols = symbols},
		.n_longest = (guint)n_longest,
		.callbacks = PROGRESS_CALLBACKS,
	};
}

/* These questions have an answer, so the exit status does not change. */
static void note_doubts(const Reading *reading, char *const *names)
{
	const LttLatencyRequest request = make_request(reading, names, NULL);
	g_autoptr(GPtrArray) doubts = ltt_pairs_check(&request.pairs);

	for (guint i = 0; i < doubts->len; i++) {
		const LttDoubt *doubt = doubts->pdata[i];

		tool_note("%s; did you mean %s?", doubt->message, doubt->nearest);
	}
}

static gboolean measure(Reading *reading, char *const *names, LttLatencySummary *latency)
{
	g_autoptr(LttSymbols) symbols = ltt_symbols_new(reading->trace);
	const LttLatencyRequest request = make_request(reading, names, symbols);
	g_autoptr(GError) error = NULL;
	gboolean ok;

	progress_start("ltt latency", FALSE);
	ok = ltt_latency(&request, latency, &error);
	progress_end();
	if (!ok)
		report_error(error);
	return ok;
}

/* Pairs of this percentile or above are slow. */
#define SLOW_PERCENTILE 99

static gboolean find_states(const Reading *reading, char *const *names,
			    const LttLatencySummary *latency, LttLatencyStates *states)
{
	g_autoptr(LttSymbols) symbols = ltt_symbols_new(reading->trace);
	const LttLatencyRequest request = make_request(reading, names, symbols);
	g_autoptr(GError) error = NULL;
	gboolean ok;

	progress_start("ltt latency", FALSE);
	ok = ltt_latency_states(&request, latency, SLOW_PERCENTILE, states, &error);
	progress_end();
	if (!ok)
		tool_fail_error(error);
	else if (states->n_events == 0)
		tool_warn("--states: %s", states_missing);
	return ok;
}

static void quote_values(GString *text, const char *option, char *const *values)
{
	for (guint i = 0; values != NULL && values[i] != NULL; i++) {
		g_autofree char *quoted = g_shell_quote(values[i]);

		g_string_append_printf(text, "%s %s ", option, quoted);
	}
}

/* Returns: (transfer full): the end of a command that reads the same traces */
static char *quote_traces(char *const *paths, guint n_paths)
{
	GString *text = g_string_new(NULL);

	quote_values(text, "--offset", clocks.offsets);
	quote_values(text, "--sync", clocks.rules);
	for (guint i = 0; i < n_paths; i++) {
		g_autofree char *quoted = g_shell_quote(paths[i]);
		const gboolean is_plain =
			strspn(paths[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					 "0123456789_./+-") == strlen(paths[i]);

		g_string_append_printf(text, "%s%s", i > 0 ? " " : "",
				       is_plain ? paths[i] : quoted);
	}
	return g_string_free(text, FALSE);
}

static void print(const LttLatencySummary *latency, const LatencyView *view)
{
	if (wants_json)
		latency_print_json(latency, view);
	else
		latency_print_text(latency, view);
}

static void compare(const LttLatencySummary *before, const LatencyView *view)
{
	char *const names[] = {(char *)view->begin, (char *)view->end};
	g_auto(LttLatencySummary) after = {0};
	Reading reading;

	if (reading_take(opening_open(diff), &reading) && measure(&reading, names, &after)) {
		if (wants_json)
			latency_print_change_json(before, &after, view);
		else
			latency_print_change_text(before, &after, view);
	}
	reading_close(&reading);
}

int cmd_latency(int argc, char **argv)
{
	g_auto(LttLatencySummary) latency = {0};
	g_auto(LttLatencyStates) states = {0};
	g_autofree char *traces = NULL;
	LatencyView view;
	Reading reading;

	usage.shared = reading_options_but("event");
	if (!tool_parse(&usage, &argc, &argv) || !settle())
		return tool_end();
	traces = quote_traces(argv + 3, (guint)argc - 3);
	view = (LatencyView){.begin = argv[1],
			     .end = argv[2],
			     .group = group,
			     .n_top = (guint)n_top,
			     .traces = traces};
	if (reading_take(several_open(argv + 3, (guint)argc - 3, &clocks), &reading) &&
	    measure(&reading, argv + 1, &latency)) {
		note_doubts(&reading, argv + 1);
		if (diff != NULL)
			compare(&latency, &view);
		else {
			if (wants_states && find_states(&reading, argv + 1, &latency, &states))
				view.states = &states;
			print(&latency, &view);
		}
	}
	reading_close(&reading);
	return tool_end();
}
