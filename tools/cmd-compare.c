/* cmd-compare.c - `ltt compare`: compare the events of two traces. */
#include "amount.h"
#include "commands.h"
#include "json.h"
#include "progress.h"
#include "reading.h"
#include "table.h"

#include <ltt/ltt-compare.h>
#include <ltt/ltt-print.h>

#include <string.h>

#define DEFAULT_LINES 40
#define N_CONTEXT     3

static char *ignored_text;
static gint most_lines = DEFAULT_LINES;
static gboolean is_quiet;
static gboolean wants_json;

static const GOptionEntry options[] = {
	{"ignore", 'i', 0, G_OPTION_ARG_FILENAME, &ignored_text,
	 "ignore these attributes: a list of time, tracefile and thread", "PART[,PART]"},
	{"lines", 'n', 0, G_OPTION_ARG_INT, &most_lines,
	 "print at most N lines of differences; the default is 40", "N"},
	{"quiet", 'q', 0, G_OPTION_ARG_NONE, &is_quiet, "print nothing; only set the exit status",
	 NULL},
	{"json", 0, 0, G_OPTION_ARG_NONE, &wants_json, "print one JSON object with the counts",
	 NULL},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE TRACE",
	.about = "Test whether two traces contain the same events: time, tracefile, thread, name "
		 "and data.\n"
		 "Ignore how the events are stored. Print the first events that only one trace "
		 "has, with\n"
		 "\"-\" for the first trace and \"+\" for the second, and common events as "
		 "context; then print\n"
		 "counts by name.\n",
	.options = options,
	.shared = reading_options,
	.shared_heading = reading_heading,
	.notes = "If times are ignored, events are compared by their order. This allows the "
		 "comparison of two\n"
		 "runs of a program.\n"
		 "\n"
		 "Exit status: 0 no differences; 1 differences, or a trace has problems; 2 "
		 "failure.\n"
		 "\n"
		 "  ltt compare before after\n"
		 "  ltt compare --ignore time,thread,tracefile --event 'http.*' run1 run2\n",
	.min_arguments = 2,
	.max_arguments = 2,
};

/* State of the printed differences. */
typedef struct Listing {
	Reading *readings;
	LttPrinter *printers[2];
	guint n_lines;
	guint64 n_left_out;
} Listing;

static gboolean settle_ignored(guint *ignored)
{
	static const char *const names[] = {"time", "tracefile", "thread", NULL};
	g_auto(GStrv) parts = g_strsplit(ignored_text != NULL ? ignored_text : "", ",", 0);

	*ignored = 0;
	for (guint i = 0; parts[i] != NULL; i++) {
		guint j = 0;

		while (names[j] != NULL && !g_str_equal(names[j], parts[i]))
			j++;
		if (names[j] == NULL) {
			tool_fail("--ignore %s: expected a list of time, tracefile and thread",
				  ignored_text);
			return FALSE;
		}
		*ignored |= 1u << j;
	}
	if (most_lines < 0)
		tool_fail("--lines %d: expected a number that is not negative", most_lines);
	return most_lines >= 0;
}

static gboolean write_line(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)user_data;
	(void)error;
	tool_write(bytes, length);
	return TRUE;
}

static void print_event(LttComparePlace place, const LttEvent *event, gpointer user_data)
{
	static const char marks[] = {' ', '-', '+'};
	Listing *listing = user_data;
	LttPrinter *printer = listing->printers[place == LTT_COMPARE_SECOND ? 1 : 0];

	if (is_quiet || wants_json)
		return;
	if (listing->n_lines == (guint)most_lines) {
		listing->n_left_out += place == LTT_COMPARE_FIRST || place == LTT_COMPARE_SECOND;
		return;
	}
	listing->n_lines++;
	if (place == LTT_COMPARE_GAP) {
		tool_write_text("...\n");
		return;
	}
	tool_print("%c ", marks[place]);
	ltt_printer_event(printer, event, NULL);
	ltt_printer_flush(printer, NULL);
}

static void print_counts(const LttCompareSummary *comparison)
{
	g_autoptr(Table) table = table_new("event", ">both", ">only first", ">only second", NULL);

	for (guint i = 0; i < comparison->n_types; i++) {
		const LttCompareCount *count = &comparison->types[i];

		if (count->n_first > 0 || count->n_second > 0)
			table_add(table, g_strdup(count->name), amount_count(count->n_both),
				  amount_count(count->n_first), amount_count(count->n_second),
				  NULL);
	}
	table_print(table);
}

static void print_text(const LttCompareSummary *comparison, const Listing *listing)
{
	const LttCompareCount *total = &comparison->total;
	g_autofree char *both = amount_count(total->n_both);
	g_autofree char *first = amount_count(total->n_first);
	g_autofree char *second = amount_count(total->n_second);

	if (listing->n_left_out > 0)
		tool_print("... %" G_GUINT64_FORMAT " more\n", listing->n_left_out);
	if (ltt_compare_summary_is_same(comparison)) {
		tool_print("the same: %s events\n", both);
		return;
	}
	tool_print(
		"%sdifferent: %s events in both, %s only in the first, %s only in the second\n\n",
		listing->n_lines > 0 ? "\n" : "", both, first, second);
	print_counts(comparison);
}

static void print_numbers(Json *json, const LttCompareCount *count)
{
	json_number(json, "both", count->n_both);
	json_number(json, "only_first", count->n_first);
	json_number(json, "only_second", count->n_second);
}

static void print_json(const LttCompareSummary *comparison)
{
	Json json = {0};

	json_open(&json, NULL, '{');
	print_numbers(&json, &comparison->total);
	json_open(&json, "by_event", '{');
	for (guint i = 0; i < comparison->n_types; i++) {
		json_open(&json, comparison->types[i].name, '{');
		print_numbers(&json, &comparison->types[i]);
		json_close(&json, '}');
	}
	json_close(&json, '}');
	json_close(&json, '}');
}

static void compare(Reading readings[2], guint ignored)
{
	Listing listing = {.readings = readings};
	const LttCompareRequest request = {
		.traces = {readings[0].trace, readings[1].trace},
		.selects = {readings[0].select, readings[1].select},
		.ignored = ignored,
		.n_context = N_CONTEXT,
		.on_event = print_event,
		.callbacks = {progress_problem, progress_show, &listing},
	};
	g_auto(LttCompareSummary) comparison = {0};
	g_autoptr(GError) error = NULL;
	gboolean ok;

	for (guint i = 0; i < 2; i++)
		listing.printers[i] =
			ltt_printer_new("text", readings[i].trace, NULL, write_line, NULL);
	progress_start("ltt compare", FALSE);
	ok = ltt_compare(&request, &comparison, &error);
	progress_end();
	if (!ok)
		tool_fail_error(error);
	else if (wants_json)
		print_json(&comparison);
	else if (!is_quiet)
		print_text(&comparison, &listing);
	if (ok && !ltt_compare_summary_is_same(&comparison))
		tool_differ();
	for (guint i = 0; i < 2; i++)
		ltt_printer_free(listing.printers[i]);
}

int cmd_compare(int argc, char **argv)
{
	Reading readings[2] = {{.trace = NULL}, {.trace = NULL}};
	guint ignored;

	if (!tool_parse(&usage, &argc, &argv) || !settle_ignored(&ignored))
		return tool_end();
	if (reading_open_all(argv + 1, 2, readings))
		compare(readings, ignored);
	reading_close(&readings[0]);
	reading_close(&readings[1]);
	return tool_end();
}
