/* cmd-merge.c - `ltt merge`: write several traces to one trace, on one timeline. */
#include "commands.h"
#include "progress.h"
#include "result-place.h"
#include "several.h"

static char *output;
static SeveralClocks clocks;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "write the trace to the new directory DIR", "DIR"},
	SEVERAL_OPTIONS(clocks),
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE... -o DIR",
	.about = "Write the events of several traces to a single trace, on one timeline. CPUs of "
		 "the same\n"
		 "machine keep their numbers; CPUs of another machine are numbered from the "
		 "highest number\n"
		 "so far. The names of control files get the number of their trace as a suffix. "
		 "Merged\n"
		 "traces can be merged again.\n",
	.options = options,
	.notes = "Exit status: 0 success; 1 success, but blocks were damaged or there was another "
		 "problem;\n"
		 "2 failure, and no trace was written.\n"
		 "\n"
		 "  ltt merge -o both client server --offset 2=-0.003\n",
	.min_arguments = 1,
	.max_arguments = -1,
};

static void merge(LttTrace *joined)
{
	const LttJoinWriteRequest request = {
		.joined = joined, .path = output, .callbacks = PROGRESS_CALLBACKS};
	g_autoptr(GError) error = NULL;
	gboolean ok;

	progress_start("ltt merge", TRUE);
	ok = ltt_join_write(&request, NULL, &error);
	progress_end();
	if (!ok) {
		tool_fail_error(error);
		return;
	}
	for (guint i = 0; i < ltt_trace_get_n_problems(joined); i++)
		tool_problem(ltt_trace_get_problem(joined, i), NULL);
}

int cmd_merge(int argc, char **argv)
{
	g_autoptr(LttTrace) joined = NULL;

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (output == NULL || *output == '\0') {
		tool_fail("-o DIR is missing; see `%s --help`", g_get_prgname());
		return tool_end();
	}
	if (!result_place_check(output, argv + 1, (guint)(argc - 1)))
		return tool_end();
	joined = several_open(argv + 1, (guint)(argc - 1), &clocks);
	if (joined != NULL)
		merge(joined);
	return tool_end();
}
