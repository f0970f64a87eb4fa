/* cmd-check.c - ltt check: every problem in a trace, not the first only. */
#include "commands.h"
#include "json.h"
#include "progress.h"
#include "tool.h"
#include "whereabouts.h"

#include <ltt/ltt-check.h>

static gboolean wants_json;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &wants_json, "one JSON object, for programs", NULL},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE",
	.about = "Reads all of a trace, tells every problem on standard error and sums up. Blocks "
		 "that\n"
		 "are open, because the trace is still being written or its writer died, are "
		 "named,\n"
		 "but are no problem.\n",
	.options = options,
	.min_arguments = 1,
	.max_arguments = 1,
};

static void print_problem(const LttProblem *problem, Json *json)
{
	json_open(json, NULL, '{');
	json_text(json, "tracefile", problem->tracefile);
	json_place(json, "block", problem->block);
	json_place(json, "byte", problem->byte);
	json_text(json, "message", problem->message);
	json_close(json, '}');
}

static void on_problem(const LttProblem *problem, gpointer json)
{
	progress_hide();
	tool_problem(problem, NULL);
	if (json != NULL)
		print_problem(problem, json);
}

static void check(LttTrace *trace, Json *json, LttCheckSummary *summary)
{
	progress_start("ltt check", FALSE);
	ltt_trace_check(trace, on_problem, progress_show, json, summary);
	progress_end();
}

static void check_for_programs(LttTrace *trace)
{
	LttCheckSummary summary;
	Json json = {0, FALSE};

	json_open(&json, NULL, '{');
	json_open(&json, "problems", '[');
	check(trace, &json, &summary);
	json_close(&json, ']');
	json_number(&json, "open_blocks", summary.n_open_blocks);
	json_number(&json, "events", summary.n_events);
	json_close(&json, '}');
}

/* "1 event", "2 events" */
static void print_count(guint64 n, const char *what)
{
	tool_print("%" G_GUINT64_FORMAT " %s%s", n, what, n == 1 ? "" : "s");
}

static void print_open_blocks(LttTrace *trace)
{
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);
		const guint64 n_open = ltt_tracefile_get_summary(tracefile)->n_open_blocks;
		g_autofree char *name = tool_escape(ltt_tracefile_get_name(tracefile));

		if (n_open == 0)
			continue;
		tool_print("%s: ", name);
		print_count(n_open, "open block");
		tool_write_text("\n");
	}
}

static void check_for_people(LttTrace *trace)
{
	g_autofree char *path = tool_escape(ltt_trace_get_path(trace));
	LttCheckSummary summary;

	check(trace, NULL, &summary);
	print_open_blocks(trace);
	tool_print("%s: ", path);
	if (summary.n_problems == 0)
		tool_write_text("no problems");
	else
		print_count(summary.n_problems, "problem");
	tool_write_text(", ");
	print_count(summary.n_events, "event");
	tool_write_text(" in ");
	print_count(ltt_trace_get_n_tracefiles(trace), "tracefile");
	if (summary.n_lost > 0) {
		tool_write_text(", ");
		print_count(summary.n_lost, "event");
		tool_write_text(" lost while recording");
	}
	tool_write_text("\n");
}

int cmd_check(int argc, char **argv)
{
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(GError) error = NULL;

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	trace = ltt_trace_open(argv[1], &error);
	if (trace == NULL)
		tool_fail_to_open(argv[1], error);
	else if (wants_json)
		check_for_programs(trace);
	else
		check_for_people(trace);
	return tool_end();
}
