/* cmd-snapshot.c - `ltt snapshot`: a trace as it is at one moment of its recording. */
#include "commands.h"
#include "tool.h"

#include <ltt/ltt-recording.h>

static char *output;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "the copy to be made: a directory that is not there yet", "DIR"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE -o DIR",
	.about = "Copies a trace that is being recorded, as it is at one moment: all events before "
		 "it\n"
		 "and none after, on all CPUs. The recording goes on, and the copy is a whole "
		 "trace.\n",
	.options = options,
	.notes = "Exit status: 0 done; 2 there is no copy.\n"
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
		tool_fail("-o DIR is missing; `%s --help` says more", g_get_prgname());
	else if (!ltt_recording_take_snapshot(argv[1], output, &error))
		tool_fail_error(error);
	return tool_end();
}
