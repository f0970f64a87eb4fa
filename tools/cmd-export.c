/* cmd-export.c - `ltt export`: convert a trace to the format of another tool.
 *
 * --to has two meanings here: the kind of the output, and, as in all commands that read traces, the
 * end of the time window. A value that begins with a digit or a sign is a time.
 */
#include "commands.h"
#include "progress.h"
#include "reading.h"
#include "result-place.h"
#include "several.h"

#include <ltt/ltt-export.h>
#include <ltt/ltt-nearest.h>

static char *output;
static char **to_values;
static gboolean split;
static SeveralClocks clocks;
static const char *kind_name; /* the element of to_values that is a kind */

static const GOptionEntry options[] = {
	{"to", 't', 0, G_OPTION_ARG_FILENAME_ARRAY, &to_values,
	 "kind of the output, one of those below; with a time instead,\n"
	 "only events before T, as with --from",
	 "KIND|T"},
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "write to the new file or directory OUT; - is standard output,\n"
	 "for kinds that are a single file",
	 "OUT"},
	{"split", 0, 0, G_OPTION_ARG_NONE, &split,
	 "json and csv: write a directory with a file for each event\n"
	 "type; in CSV each field is a column",
	 NULL},
	SEVERAL_OPTIONS(clocks),
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static ToolUsage usage = {
	.arguments = "TRACE... -o OUT --to KIND",
	.about = "Write the events of a trace in the format of another tool. Damaged blocks are "
		 "reported,\n"
		 "and their readable events exported.\n",
	.options = options,
	.shared_heading = reading_heading,
	.min_arguments = 1,
	.max_arguments = -1,
};

static char *describe_kinds(void)
{
	GString *text = g_string_new("Kinds:\n");

	for (const LttExportKind *const *kind = ltt_export_kinds(); *kind != NULL; kind++)
		g_string_append_printf(text, "  %-14s %s%s\n", (*kind)->name, (*kind)->summary,
				       (*kind)->makes_directory ? " (a directory)" : "");
	g_string_append(text, "\n"
			      "  ltt export --to ctf -o out TRACE && babeltrace2 out\n"
			      "  ltt export --to chrome -o trace.json --from +1 --to +2 TRACE\n"
			      "  ltt export --to csv -o - --event core.schedchange TRACE | less\n"
			      "  ltt export --to csv --split -o tables TRACE\n");
	return g_string_free(text, FALSE);
}

static const char *find_near_kind(void)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (const LttExportKind *const *kind = ltt_export_kinds(); *kind != NULL; kind++)
		g_ptr_array_add(names, (gpointer)(*kind)->name);
	g_ptr_array_add(names, NULL);
	return ltt_nearest(kind_name, (const char *const *)names->pdata);
}

static gboolean is_time(const char *text)
{
	return g_ascii_isdigit(text[0]) || text[0] == '+' || text[0] == '-';
}

/* Returns: FALSE, with a message printed, if two kinds are given */
static gboolean settle_to(void)
{
	for (guint i = 0; to_values != NULL && to_values[i] != NULL; i++) {
		if (is_time(to_values[i])) {
			reading_set_to(to_values[i]);
		} else if (kind_name == NULL) {
			kind_name = to_values[i];
		} else {
			tool_fail("--to: %s and %s: expected one kind", kind_name, to_values[i]);
			return FALSE;
		}
	}
	return TRUE;
}

/* Returns: NULL, with a message printed, if the kind is missing or unknown */
static const LttExportKind *settle_kind(void)
{
	const LttExportKind *kind;
	const char *near;

	if (!settle_to())
		return NULL;
	if (kind_name == NULL) {
		tool_fail("--to KIND is missing; `ltt export --help` lists the kinds");
		return NULL;
	}
	kind = ltt_export_find_kind(kind_name);
	if (kind != NULL)
		return kind;
	near = find_near_kind();
	if (near != NULL)
		tool_fail("--to: %s: no such kind; did you mean %s?", kind_name, near);
	else
		tool_fail("--to: %s: no such kind; `ltt export --help` lists them", kind_name);
	return NULL;
}

static gboolean settle_output(const LttExportKind *kind)
{
	if (output == NULL || *output == '\0') {
		tool_fail("-o OUT is missing; see `ltt export --help`");
		return FALSE;
	}
	if (split && !kind->can_split) {
		tool_fail("--split: %s cannot be split by event type", kind->name);
		return FALSE;
	}
	if ((kind->makes_directory || split) && g_str_equal(output, "-")) {
		tool_fail("-o -: %s%s is a directory and cannot be written to standard output",
			  kind->name, split ? " --split" : "");
		return FALSE;
	}
	return TRUE;
}

/* The formats of recordings, which describe one recording. */
static gboolean is_recording(const LttExportKind *kind)
{
	static const char *const names[] = {"perf", "revent", "qemu-replay", NULL};

	return g_strv_contains(names, kind->name);
}

static gboolean check_count(const LttExportKind *kind, int n_traces)
{
	if (n_traces == 1 || !is_recording(kind))
		return TRUE;
	tool_fail("--to: %s is for one trace; `ltt merge` makes one of several", kind->name);
	return FALSE;
}

static void export_trace(const Reading *reading)
{
	const LttExportRequest request = {
		.trace = reading->trace,
		.select = reading->select,
		.kind = kind_name,
		.path = g_str_equal(output, "-") ? NULL : output,
		.write = tool_write_piece,
		.split = split,
		.callbacks = PROGRESS_CALLBACKS,
	};
	g_autoptr(GError) error = NULL;
	gboolean ok;

	progress_start("ltt export", request.path != NULL);
	ok = ltt_export(&request, NULL, &error);
	progress_end();
	if (!ok && tool_can_write())
		tool_fail_error(error);
}

int cmd_export(int argc, char **argv)
{
	g_autofree char *kinds = describe_kinds();
	const LttExportKind *kind;
	Reading reading;

	usage.notes = kinds;
	usage.shared = reading_options_but("to");
	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	kind = settle_kind();
	if (kind == NULL || !settle_output(kind) || !check_count(kind, argc - 1) ||
	    !result_place_check(output, argv + 1, (guint)(argc - 1)))
		return tool_end();
	if (several_read(argv + 1, (guint)(argc - 1), &clocks, &reading))
		export_trace(&reading);
	reading_close(&reading);
	return tool_end();
}
