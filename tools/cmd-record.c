/* cmd-record.c - `ltt record`: record a program and the state of the machine, or
 * only the latter. */
#include "commands.h"
#include "preload.h"
#include "quantity.h"
#include "record-program.h"
#include "recording-options.h"
#include "tool.h"

#include <ltt/ltt-machine.h>

/* Large enough for the longest line of /proc/interrupts; unused parts are holes in the file. */
#define BLOCK_BYTES 65536

static char *output, *duration, *preload;
static gboolean waits;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "write the trace to the new directory DIR; the default for a\n"
	 "program is PROGRAM-DATE-TIME",
	 "DIR"},
	{"wait", 0, 0, G_OPTION_ARG_NONE, &waits,
	 "record until all processes that the program leaves running\n"
	 "have ended, such as daemons",
	 NULL},
	{"duration", 0, 0, G_OPTION_ARG_FILENAME, &duration,
	 "without a program, record events of the kernel for this\n"
	 "time, such as 10s (default: until Ctrl-C)",
	 "TIME"},
	{"preload", 0, 0, G_OPTION_ARG_FILENAME, &preload,
	 "record calls of libc, in programs without events, too:\n"
	 "malloc: allocations; lock: waits for locks; io: reads and\n"
	 "writes; functions: of programs that were compiled with\n"
	 "-finstrument-functions",
	 "SET[,SET]"},
	KERNEL_OPTIONS,
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "[-o DIR] -- PROGRAM ARG...\n-o DIR",
	.about = "Run a program, and record the events of all its processes that are linked with\n"
		 "libltt-probe. The recording ends with the program, or, with --wait, when all of "
		 "its\n"
		 "processes have ended. The trace also contains the state of the machine at the "
		 "start: the\n"
		 "system in info/system.xml, interrupts in control/interrupts and processes in\n"
		 "control/processes. Without a program, the trace contains only this state. SIZE "
		 "accepts\n"
		 "the suffixes K, M and G.\n",
	.options = options,
	.shared = recording_options,
	.shared_heading = "Recording options:",
	.notes = "Exit status: that of the program; 128 plus the number of the signal that killed "
		 "it; 126\n"
		 "or 127 if it could not be executed; 2 if the trace could not be created. Without "
		 "a\n"
		 "program: 0 success; 1 success, but some processes could not be read; 2 failure.\n"
		 "\n"
		 "  ltt record -- ./server --port 8080\n"
		 "  ltt record -o trace --flight 16M --snapshot-on USR1 -- ./server\n"
		 "  ltt record --preload malloc,lock -- ./unchanged\n"
		 "  ltt record --wait -- memcached -d -u nobody\n"
		 "  ltt record -o now && ltt dump now\n",
	.min_arguments = 0,
	.max_arguments = -1,
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

static int record_machine_only(void)
{
	LttMachineCounts counts;
	g_autoptr(GError) error = NULL;

	if (!record_machine(output, &counts, &error)) {
		tool_fail_error(error);
		return tool_end();
	}
	tool_note("%s: %u %s, %u %s", output, counts.n_processes,
		  counts.n_processes == 1 ? "process" : "processes", counts.n_interrupts,
		  counts.n_interrupts == 1 ? "interrupt" : "interrupts");
	if (counts.n_unreadable > 0)
		tool_warn("%s: %u further %s could not be read", output, counts.n_unreadable,
			  counts.n_unreadable == 1 ? "process" : "processes");
	return tool_end();
}

/* --duration is for the kernel without a program. */
static gboolean take_duration(int argc, RecordProgram *program)
{
	if (duration != NULL && (argc > 1 || !program->kernel.is_on)) {
		tool_fail("--duration is for --kernel without a program");
		return FALSE;
	}
	return quantity_take_duration(duration, &program->duration_ms);
}

int cmd_record(int argc, char **argv)
{
	RecordProgram program = {.snapshot_signal = 0};

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (output == NULL ? argc == 1 : *output == '\0') {
		tool_fail("-o DIR is missing; see `%s --help`", g_get_prgname());
		return tool_end();
	}
	if (!preload_check(preload) || !kernel_options_take(&program.kernel) ||
	    !take_duration(argc, &program))
		return tool_end();
	if (argc == 1 && !program.kernel.is_on && (waits || recording_options_given() != NULL)) {
		tool_fail("--%s requires a program; expected -- PROGRAM ARG...",
			  waits ? "wait" : recording_options_given());
		return tool_end();
	}
	if (argc == 1 && preload != NULL) {
		tool_fail("--preload requires a program; expected -- PROGRAM ARG...");
		return tool_end();
	}
	if (argc == 1 && !program.kernel.is_on)
		return record_machine_only();
	if (!recording_options_take(&program.options, &program.snapshot_signal))
		return tool_end();
	program.path = output;
	program.preload = preload;
	program.waits = waits;
	program.argv = argc > 1 ? argv + 1 : NULL;
	return argc > 1 ? record_program(&program) : record_kernel(&program);
}
