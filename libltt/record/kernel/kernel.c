/* kernel.c - record events of the kernel beside those of programs.
 *
 *	kernel              recorder                          trace
 *	ring buffer CPU 0 -> source-priv.h -+                 +-> kernel/0
 *	ring buffer CPU 1 -> source-priv.h -+-> one thread, --+-> kernel/1
 *	                                        which converts
 *
 * The tracefiles of the kernel follow those of CPUs and lanes (doc/format.md, 9.1).
 */
#include "base/error-priv.h"
#include "base/thread-priv.h"
#include "record/description-priv.h"
#include "record/kernel/source-priv.h"
#include "record/kernel/thread-states-priv.h"
#include "record/recording-priv.h"

/* The kernel wakes the reader when a ring buffer is half full; otherwise it reads this often. */
#define POLL_MS 50

struct LttKernel {
	struct lttp_session *session; /* borrowed */
	LttKernelFiles files;
	LttKernelThreads *threads;
	LttKernelSource *source;
	char *limits; /* what the source cannot record */
	GThread *thread;
	gboolean is_ending;
	gboolean is_stopped;
};

/* The tracefiles of the kernel are the last ones. */
static gboolean describe(const LttKernel *kernel, GError **error)
{
	const struct lttp_head *head = kernel->session->head;
	g_autofree char *n_files = g_strdup_printf("%u", lttp_session_files(head) + head->cpus);
	g_autofree char *n_kernel = g_strdup_printf("%u", head->cpus);
	g_autoptr(LttSystem) system = ltt_record_read_system(kernel->session, error);

	if (system == NULL)
		return FALSE;
	ltt_system_set(system, "cpu", n_files);
	ltt_system_set(system, "kernel", n_kernel);
	return ltt_record_write_system(kernel->session, system, error);
}

/* ---- the thread ---- */

static gpointer run(gpointer data)
{
	LttKernel *kernel = data;
	LttKernelSource *source = kernel->source;

	while (!g_atomic_int_get(&kernel->is_ending)) {
		if (source->type->pass(source) == 0)
			poll(source->polls, source->n_polls, POLL_MS);
	}
	return NULL;
}

static void end_thread(LttKernel *kernel)
{
	if (kernel->thread == NULL)
		return;
	g_atomic_int_set(&kernel->is_ending, TRUE);
	g_thread_join(g_steal_pointer(&kernel->thread));
}

/* ---- public ---- */

/* Takes perf_event_open(2) where tracefs cannot be used. */
static gboolean open_source(LttKernel *kernel, const LttKernelOptions *options, GError **error)
{
	g_autoptr(GError) reason = NULL;
	g_autoptr(GError) other = NULL;

	kernel->source = ltt_tracefs_source_new(&kernel->files, kernel->threads, options, &reason);
	if (kernel->source != NULL)
		return TRUE;
	if (!g_error_matches(reason, LTT_ERROR, LTT_ERROR_UNSUPPORTED)) {
		g_propagate_error(error, g_steal_pointer(&reason));
		return FALSE;
	}
	kernel->source = ltt_software_source_new(&kernel->files, kernel->threads, options, &other);
	if (kernel->source == NULL)
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED, "%s. %s", reason->message,
				other->message);
	kernel->limits = g_strdup_printf("%s. %s", reason->message,
					 ltt_software_source_describe(kernel->source));
	return TRUE;
}

/* Names of threads outside of the recording are state of the machine. */
static LttKernelNames choose_names(const LttRecording *recording, const LttKernelOptions *options)
{
	if (options->only_program)
		return LTT_KERNEL_NAMES_OF_PROGRAM;
	return ltt_recording_has_machine(recording) ? LTT_KERNEL_NAMES_ALL
						    : LTT_KERNEL_NAMES_OF_EVENTS;
}

LttKernel *ltt_kernel_new(LttRecording *recording, const LttKernelOptions *options, GError **error)
{
	const LttKernelOptions defaults = {.buffer_bytes = 0};
	g_autoptr(LttKernel) kernel = g_new0(LttKernel, 1);
	guint32 states_base = 0;
	gboolean is_limited;

	if (options == NULL)
		options = &defaults;
	kernel->session = ltt_recording_get_session(recording);
	if (!ltt_kernel_files_init(&kernel->files, kernel->session, error))
		return NULL;
	kernel->threads = ltt_kernel_threads_new(kernel->session,
						 ltt_kernel_files_get_threads(&kernel->files),
						 choose_names(recording, options), error);
	if (kernel->threads == NULL ||
	    !ltt_thread_states_load(kernel->session, &states_base, error) ||
	    !open_source(kernel, options, error) || !describe(kernel, error))
		return NULL;
	if (options->only_program)
		ltt_kernel_threads_name_program(kernel->threads, options->pid);
	ltt_kernel_files_start(&kernel->files);
	kernel->thread = ltt_thread_start("ltt-kernel", run, kernel, error);
	if (kernel->thread == NULL || !kernel->source->type->start(kernel->source, error))
		return NULL;
	is_limited = options->only_program || kernel->limits != NULL;
	ltt_thread_states_write(kernel->session, states_base, is_limited ? options->pid : 0);
	return g_steal_pointer(&kernel);
}

const char *ltt_kernel_get_limits(const LttKernel *kernel)
{
	return kernel->limits;
}

gboolean ltt_kernel_stop(LttKernel *kernel, LttKernelTotals *totals, GError **error)
{
	LttKernelSource *source = kernel->source;
	gboolean has_stopped;

	*totals = (LttKernelTotals){.n_events = 0};
	if (kernel->is_stopped || source == NULL)
		return TRUE;
	kernel->is_stopped = TRUE;
	has_stopped = source->type->stop(source);
	end_thread(kernel);
	/* Otherwise the events may never end. */
	while (kernel->files.n_files > 0 && source->type->pass(source) > 0 && has_stopped)
		continue;
	source->type->count(source);
	ltt_kernel_threads_flush(kernel->threads, G_MAXUINT64);
	if (source->clock != NULL)
		totals->clock_error_ns = ltt_raw_clock_get_error_ns(source->clock);
	ltt_kernel_files_close(&kernel->files, totals);
	source->type->free(source);
	kernel->source = NULL;
	if (kernel->files.error == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&kernel->files.error));
	return FALSE;
}

void ltt_kernel_free(LttKernel *kernel)
{
	LttKernelTotals totals;

	if (kernel == NULL)
		return;
	ltt_kernel_stop(kernel, &totals, NULL);
	ltt_kernel_files_close(&kernel->files, &totals);
	ltt_kernel_files_clear(&kernel->files);
	ltt_kernel_threads_free(kernel->threads);
	g_free(kernel->limits);
	g_free(kernel);
}
