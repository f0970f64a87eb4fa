/* cmd-dump.c - ltt dump: print the events of all tracefiles in order of time. */
#include "bookmark.h"
#include "colour.h"
#include "commands.h"
#include "following.h"
#include "reading.h"
#include "several.h"
#include "slips.h"
#include "time-form.h"
#include "unnamed.h"

#include <ltt/ltt-nearest.h>
#include <ltt/ltt-print.h>

/* More threads hardly help: one thread merges for all, and one at a time writes. */
#define DEFAULT_MOST_THREADS 4

/* Beside two printing threads, a third that decodes would only move blocks between caches. */
#define MOST_THREADS_WITHOUT_AHEAD 2

static char *format;
static gboolean wants_digest;
static gboolean follows;
static gint delay_ms = LTT_DEFAULT_FOLLOW_DELAY_MS;
static gboolean wants_bookmarks;
static gint n_threads = -1;
static SeveralClocks clocks;
static char *color;
static char *time_form;
static char *field_globs;
static char **fields;
static gboolean is_full;
static gboolean has_no_symbols;
static LttPrintView view;
static LttWriteFunc writer;

static GOptionEntry options[] = {
	{"format", 'f', 0, G_OPTION_ARG_FILENAME, &format,
	 "output format; text is the default; none reads all events\n"
	 "and prints nothing",
	 NULL}, /* cmd_dump() sets the names of the formats */
	{"fields", 0, 0, G_OPTION_ARG_FILENAME, &field_globs,
	 "print only fields with matching names, such as fd,prev_*;\n"
	 "by default, text omits fields that their description hides,\n"
	 "which '*' and --all print",
	 "FIELD[,FIELD]"},
	{"full", 0, 0, G_OPTION_ARG_NONE, &is_full,
	 "in text, print all elements of arrays of more than 32 bytes,\n"
	 "not <8192 bytes>",
	 NULL},
	{"no-symbols", 0, 0, G_OPTION_ARG_NONE, &has_no_symbols,
	 "in text, do not print the names of functions after addresses", NULL},
	{"time", 0, 0, G_OPTION_ARG_FILENAME, &time_form,
	 "times in text: seconds, as in the trace; date, in the local\n"
	 "time zone; start, from the start of the trace; delta, from\n"
	 "the preceding line",
	 TIME_FORM_WORDS},
	{"digest", 0, 0, G_OPTION_ARG_NONE, &wants_digest,
	 "print only COUNT and HASH, the 64-bit FNV-1a hash of a line\n"
	 "\"TIME TRACEFILE EVENT\" for each event",
	 NULL},
	{"bookmarks", 0, 0, G_OPTION_ARG_NONE, &wants_bookmarks,
	 "print the bookmarks of the trace as lines between the events,\n"
	 "in text only",
	 NULL},
	{"follow", 'F', 0, G_OPTION_ARG_NONE, &follows,
	 "follow a trace that is being recorded: print new events\n"
	 "until the recording ends",
	 NULL},
	{"delay", 0, 0, G_OPTION_ARG_INT, &delay_ms,
	 "with --follow: print an event at most MS milliseconds after\n"
	 "it was recorded; the default is 500",
	 "MS"},
	{"jobs", 'j', 0, G_OPTION_ARG_INT, &n_threads,
	 "print with N threads, at most 16; the default is one for each\n"
	 "CPU, up to 4. The output does not depend on N",
	 "N"},
	{"color", 0, 0, G_OPTION_ARG_FILENAME, &color, COLOUR_HELP, COLOUR_WORDS},
	SEVERAL_OPTIONS(clocks),
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE...",
	.about = "Print the events of a trace, one per line, merged from all tracefiles in order "
		 "of time.\n"
		 "The events of several traces are printed on one timeline: CPUs of another "
		 "machine are\n"
		 "numbered from the highest number so far, and the names of control files get the "
		 "number of\n"
		 "their trace as a suffix. Damaged blocks are reported, and their readable events "
		 "printed.\n",
	.options = options,
	.shared = reading_options,
	.shared_heading = reading_heading,
	.notes = "CSV output has a column for each field if --event selects a single event type, "
		 "and\n"
		 "otherwise one column with all fields as JSON.\n"
		 "\n"
		 "  ltt dump --time delta --fields 'next_*' --event sched.sched_switch TRACE\n"
		 "  ltt dump --follow --event 'http.*' TRACE\n"
		 "  ltt dump --offset 2=-0.003 client server\n"
		 "  ltt dump --from +1.5 --to +1.6 --cpu 0,1 TRACE\n"
		 "  ltt dump --format csv --event core.schedchange TRACE\n",
	.min_arguments = 1,
	.max_arguments = -1,
};

static gboolean settle_format(void)
{
	const char *near;

	if (format == NULL)
		format = g_strdup(wants_digest ? "none" : "text");
	if (!g_strv_contains(ltt_printer_names(), format)) {
		near = ltt_nearest(format, ltt_printer_names());
		if (near != NULL)
			tool_fail("--format: %s: no such format; did you mean %s?", format, near);
		else
			tool_fail("--format: %s: no such format; `ltt dump --help` lists them",
				  format);
		return FALSE;
	}
	if (wants_digest && !g_str_equal(format, "none")) {
		tool_fail("--digest requires --format=none, not %s", format);
		return FALSE;
	}
	if (wants_bookmarks && !g_str_equal(format, "text")) {
		tool_fail("--bookmarks requires --format=text, not %s", format);
		return FALSE;
	}
	return TRUE;
}

static gboolean settle_time(void)
{
	if (time_form == NULL)
		return TRUE;
	if (!time_form_parse(time_form, &view.time))
		return FALSE;
	if (view.time == LTT_PRINT_TIME_SECONDS)
		return TRUE;
	if (wants_bookmarks || !g_str_equal(format, "text")) {
		tool_fail("--time=%s requires --format=text, without --bookmarks", time_form);
		return FALSE;
	}
	return TRUE;
}

static gboolean settle_fields(void)
{
	const gboolean is_text = g_str_equal(format, "text");

	view.is_brief = is_text && field_globs == NULL && !reading_wants_all();
	view.uses_print = is_text && !reading_wants_all();
	view.is_short = is_text && !is_full;
	view.shows_names = is_text;
	if (is_full && !is_text) {
		tool_fail("--full requires --format=text: other formats are always complete");
		return FALSE;
	}
	if (field_globs == NULL)
		return TRUE;
	fields = g_strsplit(field_globs, ",", 0);
	view.fields = (const char *const *)fields;
	if (fields[0] != NULL && !g_strv_contains(view.fields, ""))
		return TRUE;
	tool_fail("--fields: \"%s\" is not a list of names: expected globs, such as fd,prev_*",
		  field_globs);
	return FALSE;
}

static gboolean settle_delay(void)
{
	if (delay_ms >= LTT_MIN_FOLLOW_DELAY_MS && delay_ms <= LTT_MAX_FOLLOW_DELAY_MS)
		return TRUE;
	tool_fail("--delay %d: expected milliseconds from %d to %d", delay_ms,
		  LTT_MIN_FOLLOW_DELAY_MS, LTT_MAX_FOLLOW_DELAY_MS);
	return FALSE;
}

static gboolean settle_threads(void)
{
	if (n_threads == 0 || n_threads < -1) {
		tool_fail("--jobs: %d: expected a number of threads, 1 or more", n_threads);
		return FALSE;
	}
	if (n_threads == -1)
		n_threads = MIN((gint)g_get_num_processors(), DEFAULT_MOST_THREADS);
	return TRUE;
}

/* ---- bookmarks ---- */

/* Returns: the bookmarks to print between the events; NULL: none were requested */
static BookmarkMarks *get_marks(Reading *reading)
{
	guint64 from_ns = 0;
	guint64 to_ns = G_MAXUINT64;

	if (!wants_bookmarks)
		return NULL;
	ltt_select_get_window(reading->select, &from_ns, &to_ns);
	return bookmark_marks_new(ltt_trace_read_bookmarks(reading->trace), from_ns, to_ns);
}

static void print_mark(const LttBookmark *bookmark, gboolean is_end, gpointer printer)
{
	ltt_printer_flush(printer, NULL);
	bookmark_print_mark(bookmark, is_end);
}

/* ---- events ---- */

/* The destination of events. */
typedef struct Output {
	Reading *reading;
	LttPrinter *printer; /* made at the first event: its facility is loaded then */
	BookmarkMarks *marks;
	LttDigest digest;
} Output;

static void need_printer(Output *output)
{
	Reading *reading = output->reading;

	if (output->printer == NULL)
		output->printer = ltt_printer_new_viewed(
			format, reading->trace,
			ltt_select_get_only_type(reading->select, reading->trace), &view, writer,
			NULL);
}

/* Errors of standard output are reported at the end. */
static void report_if_writable(const GError *error)
{
	if (tool_can_write())
		tool_fail_error(error);
}

/* Returns: FALSE if nothing more can be printed */
static gboolean take_event(gpointer user_data, const LttEvent *event)
{
	g_autoptr(GError) error = NULL;
	Output *output = user_data;

	if (G_UNLIKELY(output->printer == NULL))
		need_printer(output);
	if (output->marks != NULL)
		bookmark_marks_pass(output->marks, event, print_mark, output->printer);
	if (wants_digest)
		ltt_digest_add(&output->digest, event);
	if (ltt_printer_event(output->printer, event, &error))
		return TRUE;
	report_if_writable(error);
	return FALSE;
}

static void show_events(gpointer user_data)
{
	Output *output = user_data;

	if (output->printer != NULL)
		ltt_printer_flush(output->printer, NULL);
}

/* Reads all events without printing them, and reports problems of the trace. */
static void drain_events(Reading *reading)
{
	g_autoptr(LttMerge) merge = ltt_merge_new(reading->trace, reading->select);
	LttStep step;

	if (n_threads > 1)
		ltt_merge_read_ahead(merge);
	do {
		g_autoptr(GError) error = NULL;

		step = ltt_merge_drain(merge, &error);
		reading_report_problems(reading);
		if (step == LTT_STEP_ERROR) {
			reading_report_error(error);
			ltt_merge_skip_block(merge);
		}
	} while (step != LTT_STEP_END);
}

/* Returns: whether other lines may occur between events */
static gboolean is_mixed(const Output *output)
{
	return output->marks != NULL || wants_digest;
}

/* Prints events up to the first error or the end; with several threads but for mixed output and the
 * first event, whose type the printer needs. Returns: FALSE if nothing more can be printed */
static gboolean print_some(Output *output, LttMerge *merge, LttStep *step, GError **step_error)
{
	g_autoptr(GError) error = NULL;
	const LttEvent *event;

	while (is_mixed(output) || output->printer == NULL) {
		*step = ltt_merge_next(merge, &event, step_error);
		if (*step != LTT_STEP_EVENT)
			return TRUE;
		if (!take_event(output, event))
			return FALSE;
	}
	if (ltt_printer_merge(output->printer, merge, (guint)n_threads, step, step_error, &error))
		return TRUE;
	report_if_writable(error);
	return FALSE;
}

/* Returns: FALSE if nothing more can be printed */
static gboolean print_events(Output *output)
{
	g_autoptr(LttMerge) merge = ltt_merge_new(output->reading->trace, output->reading->select);
	LttStep step;

	if (n_threads > (is_mixed(output) ? 1 : MOST_THREADS_WITHOUT_AHEAD))
		ltt_merge_read_ahead(merge);
	do {
		g_autoptr(GError) error = NULL;

		if (!print_some(output, merge, &step, &error))
			return FALSE;
		reading_report_problems(output->reading);
		if (step == LTT_STEP_ERROR) {
			reading_report_error(error);
			ltt_merge_skip_block(merge);
		}
	} while (step != LTT_STEP_END);
	return TRUE;
}

static void end_output(Output *output, gboolean is_complete)
{
	need_printer(output);
	if (output->marks != NULL && is_complete)
		bookmark_marks_pass(output->marks, NULL, print_mark, output->printer);
	ltt_printer_flush(output->printer, NULL);
	ltt_printer_free(output->printer);
	g_clear_pointer(&output->marks, bookmark_marks_free);
	if (wants_digest)
		tool_print("%" G_GUINT64_FORMAT " %016" G_GINT64_MODIFIER "x\n",
			   output->digest.count, output->digest.hash);
}

static void dump(Reading *reading)
{
	Output output = {.reading = reading, .marks = get_marks(reading)};
	const FollowingSink sink = {take_event, show_events, &output};
	gboolean is_complete = TRUE;

	g_autoptr(LttSymbols) symbols = NULL;

	/* A trace that grows has not all its mappings yet. */
	if (g_str_equal(format, "text") && !has_no_symbols && !follows)
		view.symbols = symbols = ltt_symbols_new(reading->trace);
	if (view.fields != NULL && !follows)
		slips_report_fields(reading, "--fields", view.fields);
	ltt_digest_init(&output.digest);
	if (follows)
		is_complete = following_run(reading, (guint)delay_ms, &sink);
	else if (g_str_equal(format, "none") && !wants_digest)
		drain_events(reading);
	else
		is_complete = print_events(&output);
	end_output(&output, is_complete);
	if (symbols != NULL)
		unnamed_report_other_versions(symbols);
}

static gboolean open_traces(char **paths, guint n_paths, Reading *reading)
{
	if (follows)
		reading_expect_growth((guint)delay_ms);
	if (!follows || (n_paths == 1 && several_is_plain(&clocks)))
		return several_read(paths, n_paths, &clocks, reading);
	*reading = (Reading){.trace = NULL};
	tool_fail("--follow requires a single trace, without --offset and --sync");
	return FALSE;
}

int cmd_dump(int argc, char **argv)
{
	g_autofree char *formats = g_strjoinv("|", (char **)ltt_printer_names());
	Reading reading;

	options[0].arg_description = formats;
	if (!tool_parse(&usage, &argc, &argv) || !settle_format() || !settle_time() ||
	    !settle_fields() || !settle_delay() || !settle_threads())
		return tool_end();
	writer = colour_writer(color, g_str_equal(format, "text"));
	if (writer == NULL)
		return tool_end();
	if (open_traces(argv + 1, (guint)(argc - 1), &reading))
		dump(&reading);
	reading_close(&reading);
	return tool_end();
}
