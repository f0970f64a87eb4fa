/* cmd-check.c - `ltt check`: report all problems of a trace, and write a repaired copy. */
#include "commands.h"
#include "json.h"
#include "losses.h"
#include "opening.h"
#include "progress.h"
#include "result-place.h"
#include "tool.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-repair.h>

static gboolean wants_json;
static gboolean wants_repair;
static char *output;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &wants_json, "print one JSON object", NULL},
	{"repair", 0, 0, G_OPTION_ARG_NONE, &wants_repair,
	 "write a clean copy with all events that can be read", NULL},
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "write the copy to the new directory DIR", "DIR"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE",
	.about = "Read a whole trace, report every problem on standard error, and print a summary. "
		 "Open\n"
		 "blocks are also reported, but are not problems: they exist while a trace is "
		 "being\n"
		 "written, and after its writer has died.\n",
	.options = options,
	.notes = "  ltt check --repair -o clean TRACE\n",
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
	progress_problem(problem, NULL);
	if (json != NULL)
		print_problem(problem, json);
}

static void check(LttTrace *trace, Json *json, LttCheckSummary *summary)
{
	const LttCheckRequest request = {.trace = trace,
					 .callbacks = {on_problem, progress_show, json}};

	progress_start("ltt check", FALSE);
	ltt_check(&request, summary, NULL); /* signals end the command: it is never cancelled */
	progress_end();
}

/* Does not report again what the check has reported. Returns: FALSE, with a message printed, if
 * there is no copy */
static gboolean repair(LttTrace *trace, LttRepairSummary *summary)
{
	const LttRepairRequest request = {
		.trace = trace, .path = output, .callbacks = {.on_progress = progress_show}};
	g_autoptr(GError) error = NULL;
	gboolean done;

	progress_start("ltt check", TRUE);
	done = ltt_repair(&request, summary, &error);
	progress_end();
	if (!done)
		tool_fail_error(error);
	else if (!summary->is_counted)
		tool_warn("%s: the number of missing events is not recorded in it: all event ids "
			  "are in use",
			  output);
	return done;
}

static void print_losses(Json *json, const LttRepairSummary *summary)
{
	json_open(json, "gone", '[');
	for (guint i = 0; i < summary->losses->len; i++) {
		const LttRepairLoss *loss = summary->losses->pdata[i];

		json_open(json, NULL, '{');
		json_text(json, "tracefile", loss->tracefile);
		json_number(json, "events", loss->n_events);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void repair_for_programs(LttTrace *trace, Json *json)
{
	g_auto(LttRepairSummary) summary = {0};

	if (repair(trace, &summary))
		print_losses(json, &summary);
}

static void check_for_programs(LttTrace *trace)
{
	g_autoptr(LttLossReasons) losses = NULL;
	LttCheckSummary summary;
	Json json = {0, FALSE};

	json_open(&json, NULL, '{');
	json_open(&json, "problems", '[');
	check(trace, &json, &summary);
	json_close(&json, ']');
	losses = ltt_loss_reasons_new(trace, NULL);
	json_number(&json, "open_blocks", summary.n_open_blocks);
	json_number(&json, "events", summary.n_events);
	json_number(&json, "lost", summary.n_lost);
	losses_print_json(&json, losses);
	if (wants_repair)
		repair_for_programs(trace, &json);
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
		g_autofree char *name = tool_escape(ltt_tracefile_get_label(tracefile));

		if (n_open == 0)
			continue;
		tool_print("%s: ", name);
		print_count(n_open, "open block");
		tool_write_text("\n");
	}
}

static void print_reasons(LttTrace *trace, const char *path)
{
	g_autoptr(LttLossReasons) losses = ltt_loss_reasons_new(trace, NULL);
	g_autofree char *list = losses_list(losses);

	if (list != NULL)
		tool_print("%s: lost: %s\n", path, list);
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
	print_reasons(trace, path);
}

static void repair_for_people(LttTrace *trace)
{
	g_autofree char *path = tool_escape(output);
	g_auto(LttRepairSummary) summary = {0};

	if (!repair(trace, &summary))
		return;
	for (guint i = 0; i < summary.losses->len; i++) {
		const LttRepairLoss *loss = summary.losses->pdata[i];
		g_autofree char *name = tool_escape(loss->tracefile);

		tool_print("%s: at least ", name);
		print_count(loss->n_events, "event");
		tool_write_text(" gone\n");
	}
	tool_print("%s: a clean copy, ", path);
	print_count(summary.n_events, "event");
	if (summary.n_gone > 0) {
		tool_write_text(", at least ");
		print_count(summary.n_gone, "event");
		tool_write_text(" gone");
	}
	tool_write_text("\n");
}

int cmd_check(int argc, char **argv)
{
	g_autoptr(LttTrace) trace = NULL;

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (wants_repair != (output != NULL && *output != '\0'))
		return tool_fail(wants_repair ? "-o DIR is missing; see `%s --help`"
					      : "-o requires --repair; see `%s --help`",
				 g_get_prgname());
	if (!result_place_check(output, argv + 1, 1))
		return tool_end();
	trace = opening_open(argv[1]);
	if (trace == NULL)
		return tool_end();
	if (wants_json)
		check_for_programs(trace);
	else
		check_for_people(trace);
	if (wants_repair && !wants_json)
		repair_for_people(trace);
	return tool_end();
}
