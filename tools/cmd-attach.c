/* cmd-attach.c - `ltt attach`: record running programs. */
#include "attach-programs.h"
#include "commands.h"
#include "output-name.h"
#include "quantity.h"
#include "recording-options.h"
#include "tool.h"

static char *output, *duration;
static char **pids, **names;
static gboolean list, even_with_seccomp;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "write the trace to the new directory DIR; the default is\n"
	 "PROGRAM-DATE-TIME with --pid or --name",
	 "DIR"},
	{"pid", 'p', 0, G_OPTION_ARG_FILENAME_ARRAY, &pids,
	 "record these processes; can be given several times", "PID[,PID]"},
	{"name", 'n', 0, G_OPTION_ARG_FILENAME_ARRAY, &names,
	 "record processes with this name, including those that start\n"
	 "later; can be given several times",
	 "NAME"},
	{"duration", 0, 0, G_OPTION_ARG_FILENAME, &duration,
	 "stop after this time, such as 500ms or 10s", "TIME"},
	{"list", 'l', 0, G_OPTION_ARG_NONE, &list, "list the programs that can be attached", NULL},
	{"even-with-seccomp", 0, 0, G_OPTION_ARG_NONE, &even_with_seccomp,
	 "also attach programs with a seccomp filter, which may kill\n"
	 "them",
	 NULL},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "[-o DIR] [--pid PID | --name NAME]\n--list",
	.about = "Record running programs that are linked with libltt-probe, until Ctrl-C, SIGTERM "
		 "or the\n"
		 "end of --duration. Without --pid and --name, record all of your programs. A "
		 "program joins\n"
		 "at its next event, and continues to run afterwards. Only the user who started a "
		 "program,\n"
		 "and root, can attach it. SIZE accepts the suffixes K, M and G.\n",
	.options = options,
	.shared = recording_options,
	.shared_heading = "Recording options:",
	.notes = "Exit status: 0 success; 1 success with warnings; 2 failure, and no trace was "
		 "written.\n"
		 "\n"
		 "  ltt attach --list\n"
		 "  ltt attach -o trace --name memcached\n"
		 "  ltt attach -o trace --pid 4711 --flight 16M --duration 10s\n",
	.min_arguments = 0,
	.max_arguments = 0,
};

static gboolean take_pids(GArray *numbers)
{
	for (guint i = 0; pids != NULL && pids[i] != NULL; i++) {
		g_auto(GStrv) words = g_strsplit(pids[i], ",", -1);

		for (guint j = 0; words[j] != NULL; j++) {
			guint64 number;
			guint32 pid;

			if (!g_ascii_string_to_unsigned(words[j], 10, 1, G_MAXINT32, &number,
							NULL)) {
				tool_fail("--pid %s: expected the number of a process", words[j]);
				return FALSE;
			}
			pid = (guint32)number;
			g_array_append_val(numbers, pid);
		}
	}
	return TRUE;
}

/* Returns: (transfer full) (nullable): the name of the requested programs; NULL if all are
 * requested */
static char *describe_programs(const GArray *numbers)
{
	g_autofree char *path = NULL;
	char *name = NULL;

	if (names != NULL && names[0] != NULL)
		return g_strdup(names[0]);
	if (numbers->len == 0)
		return NULL;
	path = g_strdup_printf("/proc/%u/comm", g_array_index(numbers, guint32, 0));
	return g_file_get_contents(path, &name, NULL, NULL) ? g_strstrip(name) : g_strdup("attach");
}

/* Finds an unused name if none is given. Returns: FALSE if no program is named */
static gboolean settle_output(const GArray *numbers)
{
	g_autofree char *program = output == NULL ? describe_programs(numbers) : NULL;
	guint number = 1;

	if (output != NULL)
		return *output != '\0';
	if (program == NULL)
		return FALSE;
	do {
		g_free(output);
		output = output_name(program, number++);
	} while (g_file_test(output, G_FILE_TEST_EXISTS));
	return TRUE;
}

int cmd_attach(int argc, char **argv)
{
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
	AttachPrograms programs = {.pids = numbers};

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (list) {
		attach_list();
		return tool_end();
	}
	if (!recording_options_take(&programs.recorded.options,
				    &programs.recorded.snapshot_signal) ||
	    !take_pids(numbers) || !quantity_take_duration(duration, &programs.duration_ms))
		return tool_end();
	if (!settle_output(numbers)) {
		tool_fail("-o DIR is missing; see `%s --help`", g_get_prgname());
		return tool_end();
	}
	programs.recorded.path = output;
	programs.names = names;
	programs.dares_seccomp = even_with_seccomp;
	return attach_programs(&programs);
}
