/* cmd-import.c - `ltt import`: convert a recording of another tool to a trace. */
#include "commands.h"
#include "progress.h"
#include "result-place.h"
#include "tool.h"

#include <ltt/ltt-import.h>
#include <ltt/ltt-nearest.h>

static char *output;
static char *kind_name;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "write the trace to the new directory DIR", "DIR"},
	{"from", 'f', 0, G_OPTION_ARG_FILENAME, &kind_name,
	 "kind of FILE, one of those below; by default it is detected\n"
	 "from the contents",
	 "KIND"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static ToolUsage usage = {
	.arguments = "FILE -o DIR",
	.about = "Convert a recording of another tool to a trace; FILE - is standard input. Each "
		 "record\n"
		 "becomes one event, at its own time. Nothing is dropped: damaged data is reported "
		 "and\n"
		 "preserved, and `ltt export` restores the original recording.\n",
	.options = options,
	.min_arguments = 1,
	.max_arguments = 1,
};

static char *describe_kinds(void)
{
	GString *text = g_string_new("Kinds:\n");

	for (const LttImportKind *const *kind = ltt_import_kinds(); *kind != NULL; kind++)
		g_string_append_printf(text, "  %-12s %s\n", (*kind)->name, (*kind)->summary);
	g_string_append(text, "\n"
			      "  ltt import recording.revent -o trace && ltt dump trace\n"
			      "  ltt import - -o trace < recording.revent\n");
	return g_string_free(text, FALSE);
}

static const char *find_near_kind(void)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (const LttImportKind *const *kind = ltt_import_kinds(); *kind != NULL; kind++)
		g_ptr_array_add(names, (gpointer)(*kind)->name);
	g_ptr_array_add(names, NULL);
	return ltt_nearest(kind_name, (const char *const *)names->pdata);
}

/* Returns: FALSE, with a message printed, if the command line is wrong */
static gboolean settle_options(void)
{
	const char *near;

	if (output == NULL || *output == '\0') {
		tool_fail("-o DIR is missing; see `ltt import --help`");
		return FALSE;
	}
	if (kind_name == NULL || ltt_import_find_kind(kind_name) != NULL)
		return TRUE;
	near = find_near_kind();
	if (near != NULL)
		tool_fail("--from: %s: no such kind; did you mean %s?", kind_name, near);
	else
		tool_fail("--from: %s: no such kind; `ltt import --help` lists them", kind_name);
	return FALSE;
}

int cmd_import(int argc, char **argv)
{
	g_autofree char *kinds = describe_kinds();
	LttImportRequest request = {.callbacks = PROGRESS_CALLBACKS};
	g_autoptr(GError) error = NULL;
	gboolean ok;

	usage.notes = kinds;
	if (!tool_parse(&usage, &argc, &argv) || !settle_options() ||
	    !result_place_check_recording(output, argv[1]))
		return tool_end();
	request.path = argv[1];
	request.kind = kind_name;
	request.output = output;
	progress_start("ltt import", TRUE);
	ok = ltt_import(&request, NULL, &error);
	progress_end();
	if (!ok)
		tool_fail_error(error);
	return tool_end();
}
