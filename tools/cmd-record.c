/* cmd-record.c - `ltt record`: a program and the machine it runs on, or only the machine. */
#include "commands.h"
#include "quantity.h"
#include "record-program.h"
#include "tool.h"

#include <ltt/ltt-machine.h>

/* Large enough for the longest line of any /proc/interrupts; what is not used is a hole. */
#define BLOCK_BYTES 65536

static char *output;
static char *flight, *block_size, *clock_name, *heartbeat, *facilities, *snapshot_on;
static gboolean no_machine;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "the trace to be made: a directory that is not there yet; of a\n"
	 "program, PROGRAM-DATE-TIME if it is not given",
	 "DIR"},
	{"flight", 0, 0, G_OPTION_ARG_FILENAME, &flight,
	 "flight recorder: keep the last SIZE bytes of each CPU", "SIZE"},
	{"block-size", 0, 0, G_OPTION_ARG_FILENAME, &block_size,
	 "bytes of a block, a power of two (256K)", "SIZE"},
	{"clock", 0, 0, G_OPTION_ARG_FILENAME, &clock_name,
	 "ordered is the default; fast: a time may be half a\nmicrosecond early", "ordered|fast"},
	{"heartbeat", 0, 0, G_OPTION_ARG_FILENAME, &heartbeat,
	 "longest time between two time values: 500ms, 2s (1s)", "TIME"},
	{"facility", 0, 0, G_OPTION_ARG_FILENAME, &facilities, "which facilities are on (all)",
	 "GLOB[,GLOB]"},
	{"no-machine", 0, 0, G_OPTION_ARG_NONE, &no_machine,
	 "leave this machine's interrupts and processes out of the trace", NULL},
	{"snapshot-on", 0, 0, G_OPTION_ARG_FILENAME, &snapshot_on,
	 "copy the trace to DIR.snapshot.1, .2 ... whenever `ltt\nrecord` gets this signal: USR1",
	 "SIGNAL"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "[-o DIR] -- PROGRAM ARG...\n-o DIR",
	.about =
		"Runs a program and traces it and all that it starts, as far as they are built "
		"with\n"
		"libltt-probe. The recording ends with the program; what it leaves running is cut\n"
		"off. The trace begins with this machine: the system in info/system.xml, "
		"interrupts\n"
		"in control/interrupts, processes in control/processes. Without a program it is\n"
		"only that. SIZE takes K, M and G.\n",
	.options = options,
	.notes = "Exit status: that of the program; 128 and the signal that killed it; 126 or 127 "
		 "if\n"
		 "it could not be run; 2 if the trace could not be made. Without a program: 0 "
		 "done;\n"
		 "1 done, but some processes could not be looked at; 2 there is no trace.\n"
		 "\n"
		 "  ltt record -- ./server --port 8080\n"
		 "  ltt record -o trace --flight 16M --snapshot-on USR1 -- ./server\n"
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
		tool_warn("%s: %u further %s could not be looked at", output, counts.n_unreadable,
			  counts.n_unreadable == 1 ? "process" : "processes");
	return tool_end();
}

static gboolean take_size(const char *option, const char *text, guint64 most, guint64 *bytes)
{
	if (text == NULL)
		return TRUE;
	if (quantity_parse_bytes(text, bytes) && *bytes > 0 && *bytes <= most)
		return TRUE;
	tool_fail("--%s %s: expected a number of bytes up to %" G_GUINT64_FORMAT
		  ", with K, M or G if you like",
		  option, text, most);
	return FALSE;
}

static gboolean take_clock(gboolean *fast)
{
	*fast = clock_name != NULL && g_str_equal(clock_name, "fast");
	if (clock_name == NULL || *fast || g_str_equal(clock_name, "ordered"))
		return TRUE;
	tool_fail("--clock %s: expected ordered or fast", clock_name);
	return FALSE;
}

static gboolean take_options(RecordProgram *program)
{
	guint64 block_bytes = 0;

	if (!take_size("flight", flight, LTT_RECORDING_MAX_FLIGHT_BYTES,
		       &program->options.flight_bytes) ||
	    !take_size("block-size", block_size, LTT_RECORDING_MAX_BLOCK_BYTES, &block_bytes) ||
	    !take_clock(&program->options.fast_clock))
		return FALSE;
	program->options.block_bytes = (guint32)block_bytes;
	program->options.facilities = facilities;
	program->options.no_machine = no_machine;
	if (heartbeat != NULL && !quantity_parse_ms(heartbeat, &program->options.heartbeat_ms)) {
		tool_fail("--heartbeat %s: expected a time such as 500ms or 2s", heartbeat);
		return FALSE;
	}
	if (snapshot_on != NULL && !quantity_parse_signal(snapshot_on, &program->snapshot_signal)) {
		tool_fail("--snapshot-on %s: expected a signal such as USR1 or USR2", snapshot_on);
		return FALSE;
	}
	return TRUE;
}

/* Returns: an option that says nothing where no program is run; NULL: none of them was given */
static const char *program_option(void)
{
	const struct {
		const char *name;
		const char *value;
	} given[] = {
		{"flight", flight},       {"block-size", block_size}, {"clock", clock_name},
		{"heartbeat", heartbeat}, {"facility", facilities},   {"snapshot-on", snapshot_on},
	};

	for (guint i = 0; i < G_N_ELEMENTS(given); i++)
		if (given[i].value != NULL)
			return given[i].name;
	return no_machine ? "no-machine" : NULL;
}

int cmd_record(int argc, char **argv)
{
	RecordProgram program = {.snapshot_signal = 0};

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (output == NULL ? argc == 1 : *output == '\0') {
		tool_fail("-o DIR is missing; `%s --help` says more", g_get_prgname());
		return tool_end();
	}
	if (argc == 1 && program_option() != NULL) {
		tool_fail("--%s is for a program, and there is none; expected -- PROGRAM ARG...",
			  program_option());
		return tool_end();
	}
	if (argc == 1)
		return record_machine_only();
	if (!take_options(&program))
		return tool_end();
	program.path = output;
	program.argv = argv + 1;
	return record_program(&program);
}
