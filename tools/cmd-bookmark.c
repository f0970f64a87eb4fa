/* cmd-bookmark.c - `ltt bookmark`: add, list and remove notes on instants and intervals. */
#include "bookmark.h"
#include "commands.h"
#include "json.h"
#include "opening.h"
#include "tool.h"

#include <ltt/ltt-nearest.h>
#include <ltt/ltt-select.h>
#include <ltt/ltt-time.h>

static char *name;
static char *at_text;
static char *from_text;
static char *to_text;
static char *cycle_text;
static char *from_cycle_text;
static char *to_cycle_text;
static char *cpu_text;
static gboolean wants_json;

static const GOptionEntry options[] = {
	{"at", 0, 0, G_OPTION_ARG_FILENAME, &at_text, "add: on the instant T", "T"},
	{"from", 0, 0, G_OPTION_ARG_FILENAME, &from_text, "add: on the interval from T", "T"},
	{"to", 0, 0, G_OPTION_ARG_FILENAME, &to_text,
	 "add: to T, inclusive. T is a time as `ltt dump --from` takes it:\n"
	 "seconds, a date, HH:MM:SS, +S after the start of the trace, or\n"
	 "-S before its end",
	 "T"},
	{"at-cycle", 0, 0, G_OPTION_ARG_FILENAME, &cycle_text,
	 "add: on the instant at which the cycle counter was N", "N"},
	{"from-cycle", 0, 0, G_OPTION_ARG_FILENAME, &from_cycle_text,
	 "add: on the interval from cycle count N", "N"},
	{"to-cycle", 0, 0, G_OPTION_ARG_FILENAME, &to_cycle_text,
	 "add: to cycle count N, inclusive", "N"},
	{"cpu", 0, 0, G_OPTION_ARG_FILENAME, &cpu_text, "add: restrict the bookmark to this CPU",
	 "N"},
	{"name", 0, 0, G_OPTION_ARG_FILENAME, &name, "remove: all bookmarks with this name",
	 "NAME"},
	{"json", 0, 0, G_OPTION_ARG_NONE, &wants_json, "list: print one JSON object", NULL},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "add|list|remove TRACE [WORD...]",
	.about =
		"add TRACE NAME [TEXT]        add a bookmark at the position that the options set\n"
		"list TRACE                   list the bookmarks with their numbers\n"
		"remove TRACE NUMBER...       remove bookmarks by their numbers, or with --name by "
		"name\n"
		"\n"
		"`ltt info` also lists the bookmarks of a trace, and `ltt dump --bookmarks` prints "
		"them\n"
		"between the events.\n",
	.options = options,
	.notes = "  ltt bookmark add --at +1.5 TRACE slow 'why does it wait here?'\n"
		 "  ltt bookmark add --from=-2 --to=-1 --cpu 3 TRACE busy\n"
		 "  ltt bookmark remove TRACE 2\n",
	.min_arguments = 2,
	.max_arguments = -1,
};

/* ---- add ---- */

static gboolean parse_number(const char *option, const char *text, guint64 most, guint64 *number)
{
	if (g_ascii_string_to_unsigned(text, 10, 0, most, number, NULL))
		return TRUE;
	tool_fail("%s: %s: expected a number from 0 to %" G_GUINT64_FORMAT, option, text, most);
	return FALSE;
}

/* Checks that the options specify exactly one of the four kinds of position. */
static gboolean check_place(void)
{
	const gboolean has[] = {at_text != NULL, from_text != NULL || to_text != NULL,
				cycle_text != NULL,
				from_cycle_text != NULL || to_cycle_text != NULL};
	guint n_ways = 0;

	for (guint i = 0; i < G_N_ELEMENTS(has); i++)
		n_ways += has[i] ? 1 : 0;
	if (n_ways == 1 && (from_text != NULL) == (to_text != NULL) &&
	    (from_cycle_text != NULL) == (to_cycle_text != NULL))
		return TRUE;
	tool_fail("the position is missing or ambiguous: expected --at, --from and --to, "
		  "--at-cycle, or --from-cycle and --to-cycle");
	return FALSE;
}

static gboolean set_times(LttBookmark *bookmark, LttTrace *trace)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(GError) error = NULL;
	const char *from = at_text != NULL ? at_text : from_text;
	const char *to = at_text != NULL ? at_text : to_text;

	if (!ltt_select_set_window_text(select, from, to, trace, &error)) {
		tool_fail("%s: %s", at_text != NULL ? "--at" : "--from, --to", error->message);
		return FALSE;
	}
	/* A time may count from the start of the trace, which depends on what can be read. */
	for (guint i = 0; i < ltt_trace_get_n_problems(trace); i++)
		tool_problem(ltt_trace_get_problem(trace, i), NULL);
	ltt_select_get_window(select, &bookmark->start, &bookmark->end);
	bookmark->unit = LTT_BOOKMARK_TIME;
	return TRUE;
}

static gboolean set_cycles(LttBookmark *bookmark)
{
	bookmark->unit = LTT_BOOKMARK_CYCLES;
	if (cycle_text == NULL)
		return parse_number("--from-cycle", from_cycle_text, G_MAXUINT64,
				    &bookmark->start) &&
		       parse_number("--to-cycle", to_cycle_text, G_MAXUINT64, &bookmark->end);
	if (!parse_number("--at-cycle", cycle_text, G_MAXUINT64, &bookmark->start))
		return FALSE;
	bookmark->end = bookmark->start;
	return TRUE;
}

/* The bookmark is added nevertheless. */
static void check_cpu(const LttTrace *trace)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(GPtrArray) doubts = NULL;

	ltt_select_set_cpus(select, cpu_text, NULL);
	doubts = ltt_select_check_cpus(select, trace);
	for (guint i = 0; i < doubts->len; i++)
		tool_warn("--cpu: %s", ((const LttDoubt *)doubts->pdata[i])->message);
}

static gboolean set_cpu(LttBookmark *bookmark, const LttTrace *trace)
{
	guint64 cpu;

	if (cpu_text == NULL)
		return TRUE;
	if (!parse_number("--cpu", cpu_text, LTT_MAX_CPUS - 1, &cpu))
		return FALSE;
	bookmark->cpu = (gint)cpu;
	check_cpu(trace);
	return TRUE;
}

static void add(LttTrace *trace, int argc, char **argv)
{
	g_autoptr(LttBookmark) bookmark = NULL;
	g_autoptr(GError) error = NULL;

	if (argc < 1 || argc > 2) {
		tool_fail("add takes NAME and optionally TEXT; see `%s --help`", g_get_prgname());
		return;
	}
	bookmark = ltt_bookmark_new(argv[0], argc > 1 ? argv[1] : NULL);
	bookmark->is_interval = from_text != NULL || from_cycle_text != NULL;
	if (!check_place() || !set_cpu(bookmark, trace))
		return;
	if (at_text != NULL || from_text != NULL ? !set_times(bookmark, trace)
						 : !set_cycles(bookmark))
		return;
	if (bookmark->end < bookmark->start)
		tool_fail("the end of the interval is before its start");
	else if (!ltt_bookmarks_add(ltt_trace_get_path(trace), bookmark, &error))
		tool_fail_error(error);
}

/* ---- list ---- */

static void list(LttTrace *trace)
{
	const GPtrArray *bookmarks = ltt_trace_read_bookmarks(trace);
	Json json = {0, FALSE};

	bookmark_report_problems(trace);
	if (!wants_json) {
		bookmark_print_table(bookmarks);
		return;
	}
	json_open(&json, NULL, '{');
	bookmark_print_json(&json, bookmarks);
	json_close(&json, '}');
}

/* ---- remove ---- */

static gboolean is_named(const LttBookmark *bookmark, guint index, gpointer user_data)
{
	(void)index;
	(void)user_data;
	return g_str_equal(bookmark->name, name);
}

static gboolean is_numbered(const LttBookmark *bookmark, guint index, gpointer numbers)
{
	(void)bookmark;
	return g_hash_table_contains(numbers, GUINT_TO_POINTER(index + 1));
}

static gboolean take_numbers(GHashTable *numbers, guint n_bookmarks, int argc, char **argv)
{
	guint64 number;

	if (n_bookmarks == 0) {
		tool_fail("%s: no such bookmark: the trace has none", argv[0]);
		return FALSE;
	}
	for (int i = 0; i < argc; i++) {
		if (!g_ascii_string_to_unsigned(argv[i], 10, 1, n_bookmarks, &number, NULL)) {
			tool_fail("%s: no such bookmark: expected a number from 1 to %u", argv[i],
				  n_bookmarks);
			return FALSE;
		}
		g_hash_table_add(numbers, GUINT_TO_POINTER((guint)number));
	}
	return TRUE;
}

static void remove_some(LttTrace *trace, int argc, char **argv)
{
	g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
	const GPtrArray *bookmarks = ltt_trace_read_bookmarks(trace);
	g_autoptr(GError) error = NULL;
	guint n_removed;

	if ((name == NULL) == (argc == 0)) {
		tool_fail("remove takes either NUMBERs or --name; see `%s --help`",
			  g_get_prgname());
		return;
	}
	if (!take_numbers(numbers, bookmarks->len, argc, argv))
		return;
	if (!ltt_bookmarks_remove(ltt_trace_get_path(trace), name != NULL ? is_named : is_numbered,
				  numbers, &n_removed, &error))
		tool_fail_error(error);
	else if (n_removed == 0)
		tool_fail("%s: no bookmark has that name", name);
}

/* ---- the command ---- */

static int unknown_action(const char *word)
{
	static const char *const actions[] = {"add", "list", "remove", NULL};
	const char *near = ltt_nearest(word, actions);

	if (near != NULL)
		return tool_fail("%s: expected add, list or remove; did you mean %s?", word, near);
	return tool_fail("%s: expected add, list or remove", word);
}

int cmd_bookmark(int argc, char **argv)
{
	g_autoptr(LttTrace) trace = NULL;
	const char *action;

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	action = argv[1];
	trace = opening_open(argv[2]);
	if (trace == NULL)
		return tool_end();
	if (g_str_equal(action, "add"))
		add(trace, argc - 3, argv + 3);
	else if (g_str_equal(action, "list") && argc == 3)
		list(trace);
	else if (g_str_equal(action, "list"))
		tool_fail("%s: one argument too many; see `%s --help`", argv[3], g_get_prgname());
	else if (g_str_equal(action, "remove"))
		remove_some(trace, argc - 3, argv + 3);
	else
		unknown_action(action);
	return tool_end();
}
