/* cmd-record.c - `ltt record`: without a program, the machine as it is. */
#include "commands.h"
#include "tool.h"

#include <ltt/ltt-machine.h>

/* Large enough for the longest line of any /proc/interrupts; what is not used is a hole. */
#define BLOCK_BYTES 65536

static char *output;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "the trace to be made: a directory that is not there yet", "DIR"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "-o DIR",
	.about = "Makes a trace of this machine as it is now: the system in info/system.xml, its\n"
		 "interrupts in control/interrupts and its processes in control/processes.\n",
	.options = options,
	.notes = "Exit status: 0 done; 1 done, but some processes could not be looked at; 2 there "
		 "is\n"
		 "no trace, and no directory.\n"
		 "\n"
		 "  ltt record -o now && ltt dump now\n",
	.min_arguments = 0,
	.max_arguments = 0,
	.posix_order = TRUE,
};

/* Counts of CLOCK_MONOTONIC are cycles here. */
static LttSystem *describe_system(void)
{
	LttSystem *system = ltt_system_new_local(BLOCK_BYTES);

	ltt_system_set(system, "cycle_frequency", "1000000000");
	ltt_system_seal(system, NULL);
	return system;
}

static gboolean record_machine(const char *path, LttMachineCounts *counts, GError **error)
{
	g_autoptr(LttSystem) system = describe_system();
	const LttWriterOptions writer_options = {.line = ltt_machine_get_line()};
	g_autoptr(LttTraceWriter) writer =
		ltt_trace_writer_new(path, system, &writer_options, error);

	if (writer == NULL)
		return FALSE;
	if (ltt_machine_record(writer, "/proc", counts, error) &&
	    ltt_trace_writer_close(writer, error))
		return TRUE;
	ltt_trace_writer_abandon(g_steal_pointer(&writer));
	return FALSE;
}

int cmd_record(int argc, char **argv)
{
	LttMachineCounts counts;
	g_autoptr(GError) error = NULL;

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (output == NULL || *output == '\0') {
		tool_fail("-o DIR is missing; `%s --help` says more", g_get_prgname());
		return tool_end();
	}
	if (!record_machine(output, &counts, &error)) {
		tool_fail_error(error);
		return tool_end();
	}
	tool_note("%s: %u %s, %u %s", output, counts.n_processes,
		  counts.n_processes == 1 ? "process" : "processes", counts.n_interrupts,
		  counts.n_interrupts == 1 ? "interrupt" : "interrupts");
	if (counts.n_unreadable > 0)
		tool_warn("%s: %u further %s could not be looked at", output, counts.n_unreadable,
			  counts.n_unreadable == 1 ? "process" : "processes");
	return tool_end();
}
