/* recording-options.c - see recording-options.h. */
#include "recording-options.h"

#include "quantity.h"
#include "tool.h"

#include <ltt/ltt-snapshot.h>

static char *flight, *block_size, *clock_name, *heartbeat, *facilities, *snapshot_on;
static gboolean no_machine;

const GOptionEntry recording_options[] = {
	{"flight", 0, 0, G_OPTION_ARG_FILENAME, &flight,
	 "flight recorder: keep the last SIZE bytes of each CPU", "SIZE"},
	{"block-size", 0, 0, G_OPTION_ARG_FILENAME, &block_size,
	 "block size in bytes, a power of two (default: 256K)", "SIZE"},
	{"clock", 0, 0, G_OPTION_ARG_FILENAME, &clock_name,
	 "ordered is the default; fast is cheaper, but times may be\n"
	 "up to half a microsecond early",
	 "ordered|fast"},
	{"heartbeat", 0, 0, G_OPTION_ARG_FILENAME, &heartbeat,
	 "longest time between two time values, such as 500ms or 2s\n"
	 "(default: 1s)",
	 "TIME"},
	{"facility", 0, 0, G_OPTION_ARG_FILENAME, &facilities,
	 "record only these facilities (default: all)", "GLOB[,GLOB]"},
	{"no-machine", 0, 0, G_OPTION_ARG_NONE, &no_machine,
	 "do not record the interrupts and processes of the machine", NULL},
	{"snapshot-on", 0, 0, G_OPTION_ARG_FILENAME, &snapshot_on,
	 "copy the trace to DIR.snapshot.1, .2 ... each time this\n"
	 "command receives this signal, such as USR1",
	 "SIGNAL"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static gboolean take_size(const char *option, const char *text, guint64 most, guint64 *bytes)
{
	if (text == NULL)
		return TRUE;
	if (quantity_parse_bytes(text, bytes) && *bytes > 0 && *bytes <= most)
		return TRUE;
	tool_fail("--%s %s: expected a number of bytes up to %" G_GUINT64_FORMAT
		  ", with an optional suffix K, M or G",
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

gboolean recording_options_take(LttRecordingOptions *options, int *snapshot_signal)
{
	guint64 block_bytes = 0;

	if (!take_size("flight", flight, LTT_MAX_FLIGHT_BYTES, &options->flight_bytes) ||
	    !take_size("block-size", block_size, LTT_MAX_RECORDING_BLOCK_BYTES, &block_bytes) ||
	    !take_clock(&options->fast_clock))
		return FALSE;
	options->block_bytes = (guint32)block_bytes;
	options->facilities = facilities;
	options->no_machine = no_machine;
	if (heartbeat != NULL && !quantity_parse_ms(heartbeat, &options->heartbeat_ms)) {
		tool_fail("--heartbeat %s: expected a time such as 500ms or 2s", heartbeat);
		return FALSE;
	}
	if (snapshot_on != NULL && !quantity_parse_signal(snapshot_on, snapshot_signal)) {
		tool_fail("--snapshot-on %s: expected a signal such as USR1 or USR2", snapshot_on);
		return FALSE;
	}
	return TRUE;
}

const char *recording_options_given(void)
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

void recording_take_snapshot(LttRecording *recording, guint *n_taken)
{
	LttSnapshotRequest request = {.recording = recording};
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL;

	do {
		g_free(path);
		path = g_strdup_printf("%s.snapshot.%u", ltt_recording_get_path(recording),
				       ++*n_taken);
	} while (g_file_test(path, G_FILE_TEST_EXISTS));
	request.path = path;
	if (ltt_snapshot(&request, NULL, &error))
		tool_note("%s: snapshot taken", path);
	else
		tool_fail_error(error);
}
