/* cmd-snapshot.c - `ltt snapshot`: a trace as it is at one moment of its recording. */
#include "commands.h"
#include "progress.h"
#include "result-place.h"
#include "tool.h"

#include <ltt/ltt-snapshot.h>

static char *output;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "write the copy to the new directory DIR", "DIR"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE -o DIR",
	.about = "Copy a trace that is being recorded. The copy contains all events before one "
		 "instant and\n"
		 "none after it, on all CPUs. The recording continues, and the copy is a complete "
		 "trace.\n",
	.options = options,
	.notes = "Exit status: 0 success; 2 failure, and no copy was written.\n"
		 "\n"
		 "  ltt snapshot trace -o now && ltt dump --from -1 now\n",
	.min_arguments = 1,
	.max_arguments = 1,
};

static void copy(const char *trace)
{
	const LttSnapshotRequest request = {
		.trace = trace, .path = output, .callbacks = PROGRESS_CALLBACKS};
	g_autoptr(GError) error = NULL;
	gboolean done;

	progress_start("ltt snapshot", TRUE);
	done = ltt_snapshot(&request, NULL, &error);
	progress_end();
	if (!done)
		tool_fail_error(error);
}

int cmd_snapshot(int argc, char **argv)
{
	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (output == NULL || *output == '\0')
		tool_fail("-o DIR is missing; see `%s --help`", g_get_prgname());
	else if (result_place_check(output, argv + 1, 1))
		copy(argv[1]);
	return tool_end();
}
