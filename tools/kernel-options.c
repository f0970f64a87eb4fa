/* kernel-options.c - see kernel-options.h. */
#include "kernel-options.h"

#include "amount.h"
#include "quantity.h"
#include "tool.h"

#define MIN_BUFFER_BYTES 65536
#define MAX_BUFFER_BYTES ((guint64)1 << 32)

KernelArguments kernel_arguments;

gboolean kernel_take_selection(const char *name, const char *value, gpointer data, GError **error)
{
	(void)name;
	(void)data;
	(void)error;
	kernel_arguments.is_on = TRUE;
	g_free(kernel_arguments.selection);
	kernel_arguments.selection = g_strdup(value);
	return TRUE;
}

gboolean kernel_options_take(KernelRequest *request)
{
	const gboolean only_program = kernel_arguments.only_program;
	const char *filter = kernel_arguments.filter;
	const char *buffer = kernel_arguments.buffer;
	const char *clock = kernel_arguments.clock;
	guint64 bytes = 0;

	*request = (KernelRequest){.is_on = kernel_arguments.is_on, .only_program = only_program};
	if (!request->is_on &&
	    (only_program || filter != NULL || buffer != NULL || clock != NULL)) {
		tool_fail("--%s requires --kernel", only_program     ? "only-program"
						    : filter != NULL ? "kernel-filter"
						    : buffer != NULL ? "kernel-buffer"
								     : "kernel-clock");
		return FALSE;
	}
	if (buffer != NULL && (!quantity_parse_bytes(buffer, &bytes) || bytes < MIN_BUFFER_BYTES ||
			       bytes > MAX_BUFFER_BYTES)) {
		tool_fail("--kernel-buffer %s: expected a number of bytes from 64K to 4G", buffer);
		return FALSE;
	}
	if (clock != NULL && !g_str_equal(clock, "counter") && !g_str_equal(clock, "mono_raw")) {
		tool_fail("--kernel-clock %s: expected counter or mono_raw", clock);
		return FALSE;
	}
	request->options = (LttKernelOptions){
		.selection = kernel_arguments.selection,
		.filter = filter,
		.buffer_bytes = bytes,
		.converts_clock = g_strcmp0(clock, "mono_raw") == 0,
	};
	return TRUE;
}

LttKernel *kernel_start(const KernelRequest *request, LttRecording *recording, guint32 pid)
{
	LttKernelOptions options = request->options;
	g_autoptr(GError) error = NULL;
	LttKernel *kernel;

	options.pid = pid;
	options.only_program = request->only_program && pid != 0;
	kernel = ltt_kernel_new(recording, &options, &error);
	if (kernel == NULL)
		tool_fail_error(error);
	else if (ltt_kernel_get_limits(kernel) != NULL)
		tool_warn("%s", ltt_kernel_get_limits(kernel));
	return kernel;
}

void kernel_finish(LttKernel *kernel, const char *path)
{
	LttKernelTotals totals;
	g_autoptr(GError) error = NULL;
	g_autofree char *size = NULL;

	if (!ltt_kernel_stop(kernel, &totals, &error))
		tool_fail_error(error);
	size = amount_size(totals.bytes);
	tool_note("%s: %" G_GUINT64_FORMAT " kernel %s, %s", path, totals.n_events,
		  totals.n_events == 1 ? "event" : "events", size);
	if (totals.clock_error_ns > 0)
		tool_note("%s: times of kernel events are converted from CLOCK_MONOTONIC_RAW, with "
			  "an error of at most %" G_GUINT64_FORMAT " ns",
			  path, totals.clock_error_ns);
	if (totals.n_lost > 0)
		tool_warn("%s: %" G_GUINT64_FORMAT
			  " kernel %s lost; record fewer events, or enlarge --kernel-buffer",
			  path, totals.n_lost, totals.n_lost == 1 ? "event was" : "events were");
	ltt_kernel_free(kernel);
}
