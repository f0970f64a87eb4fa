/* cmd-snapshot.c - `ltt snapshot`: a trace as it is at one moment of its recording. */
#include "commands.h"
#include "tool.h"

#include <ltt/ltt-recording.h>

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

int cmd_snapshot(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (output == NULL || *output == '\0')
		tool_fail("-o DIR is missing; see `%s --help`", g_get_prgname());
	else if (!ltt_recording_take_snapshot(argv[1], output, &error))
		tool_fail_error(error);
	return tool_end();
}
