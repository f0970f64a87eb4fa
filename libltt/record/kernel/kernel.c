/* kernel.c - record events of the kernel beside those of programs.
 *
 *	kernel              recorder                               trace
 *	ring buffer CPU 0 -> trace_pipe_raw -+                     +-> kernel/0
 *	ring buffer CPU 1 -> trace_pipe_raw -+-> one thread, which -+-> kernel/1
 *	                                         converts
 *
 * The tracefiles of the kernel follow those of CPUs and lanes (doc/format.md, 9.1).
 */
#include "base/error-priv.h"
#include "record/description-priv.h"
#include "record/kernel/drain-priv.h"
#include "record/recording-priv.h"
#include "session/atomic.h"
#include "session/kernel-cut.h"

#include <ltt/ltt-kernel.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_BUFFER_BYTES (4u << 20)

/* The kernel wakes the reader when a ring buffer is half full; otherwise it reads this often. */
#define POLL_MS 50

struct LttKernel {
	struct lttp_session *session; /* borrowed */
	LttTracefs tracefs;
	LttKernelEvents events;
	LttKernelThreads *threads;
	LttDrain drain;
	struct pollfd *polls;
	GThread *thread;
	gboolean is_ending;
	gboolean is_stopped;
};

/* ---- the instance ---- */

static gboolean set_clock(const LttKernel *kernel, GError **error)
{
	switch (kernel->session->head->counter) {
	case LTTP_COUNTER_TSC:
		return ltt_tracefs_write(&kernel->tracefs, "trace_clock", "x86-tsc", error);
	case LTTP_COUNTER_MONOTONIC:
		return ltt_tracefs_write(&kernel->tracefs, "trace_clock", "mono", error);
	default:
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"kernel events: the kernel's tracer has no clock like the cycle "
				"counter of this machine");
	}
}

static gboolean set_buffers(const LttKernel *kernel, guint64 bytes, GError **error)
{
	char text[24];

	snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT,
		 (bytes > 0 ? bytes : DEFAULT_BUFFER_BYTES) / 1024);
	return ltt_tracefs_write(&kernel->tracefs, "buffer_size_kb", text, error);
}

/* Appends @number to a file of numbers. */
static void add_number(const LttKernel *kernel, const char *path, const char *number)
{
	const int fd = ltt_tracefs_open_file(&kernel->tracefs, path, O_WRONLY | O_APPEND);

	if (fd < 0)
		return;
	if (write(fd, number, strlen(number)) < 0)
		g_debug("%s: %s", path, g_strerror(errno));
	close(fd);
}

/* Excludes the events that the recorder itself causes. */
static void exclude_recorder(const LttKernel *kernel)
{
	GDir *tasks = g_dir_open("/proc/self/task", 0, NULL);
	const char *name;

	while (tasks != NULL && (name = g_dir_read_name(tasks)) != NULL)
		add_number(kernel, "set_event_notrace_pid", name);
	if (tasks != NULL)
		g_dir_close(tasks);
}

static gboolean set_program(const LttKernel *kernel, guint32 pid, GError **error)
{
	char text[16];

	if (pid == 0)
		return TRUE;
	snprintf(text, sizeof(text), "%u", pid);
	return ltt_tracefs_write(&kernel->tracefs, "options/event-fork", "1", error) &&
	       ltt_tracefs_write(&kernel->tracefs, "set_event_pid", text, error);
}

/* Sets the filter where the kernel accepts it. */
static gboolean set_filter(const LttKernel *kernel, const char *filter, GError **error)
{
	guint n_accepted = 0;

	if (filter == NULL)
		return TRUE;
	for (guint i = 0; i < kernel->events.events->len; i++) {
		const LttKernelEvent *event = kernel->events.events->pdata[i];
		g_autofree char *path = g_build_filename("events", event->system,
							 event->tracepoint->name, "filter", NULL);

		if (ltt_tracefs_write(&kernel->tracefs, path, filter, NULL))
			n_accepted++;
	}
	return n_accepted > 0 ||
	       ltt_fail(error, LTT_ERROR_INVALID,
			"kernel filter \"%s\": no selected tracepoint accepts it; expected a "
			"filter of "
			"the kernel, such as \"prev_pid == 1\", on fields of the tracepoints",
			filter);
}

static gboolean set_up(LttKernel *kernel, const LttKernelOptions *options, GError **error)
{
	return ltt_tracefs_create(&kernel->tracefs, error) && set_clock(kernel, error) &&
	       set_buffers(kernel, options->buffer_bytes, error) &&
	       set_program(kernel, options->pid, error) &&
	       set_filter(kernel, options->filter, error);
}

/* ---- the trace ---- */

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

static gboolean open_cpu(LttKernel *kernel, guint cpu, GError **error)
{
	const struct lttp_head *head = kernel->session->head;
	LttDrainCpu *place = &kernel->drain.cpus[kernel->drain.n_cpus];
	g_autofree char *path = g_strdup_printf("per_cpu/cpu%u/trace_pipe_raw", cpu);
	int result;

	place->number = cpu;
	place->ring_fd = ltt_tracefs_open_file(&kernel->tracefs, path, O_RDONLY | O_NONBLOCK);
	if (place->ring_fd < 0)
		return place->ring_fd == -ENOENT || place->ring_fd == -ENXIO ||
		       ltt_fail_io(error, path, "open", -place->ring_fd);
	/* A flight recorder has two halves. */
	result = ltt_cpu_file_open(&place->file, kernel->session, lttp_session_files(head) + cpu,
				   (guint32)(2 * head->flight_blocks), &kernel->drain.past);
	if (result != 0) {
		close(place->ring_fd);
		return ltt_fail_io(error, kernel->session->directory, "create a tracefile",
				   -result);
	}
	place->pages = g_malloc((gsize)LTT_DRAIN_PAGES * kernel->drain.layout.page_bytes);
	kernel->polls[kernel->drain.n_cpus] =
		(struct pollfd){.fd = place->ring_fd, .events = POLLIN};
	kernel->drain.n_cpus++;
	return TRUE;
}

static gboolean read_layout(LttKernel *kernel, GError **error)
{
	gsize length;
	g_autofree char *text =
		ltt_tracefs_read(&kernel->tracefs, "events/header_page", &length, error);

	return text != NULL &&
	       ltt_ring_layout_parse(&kernel->drain.layout, text, length, LTT_NATIVE_ENDIAN, error);
}

static gboolean open_drain(LttKernel *kernel, GError **error)
{
	const guint n_cpus = kernel->session->head->cpus;
	const LttArch arch = ltt_arch_native();
	LttDrain *drain = &kernel->drain;

	drain->events = &kernel->events;
	drain->threads = kernel->threads;
	drain->cpus = g_new0(LttDrainCpu, n_cpus);
	kernel->polls = g_new0(struct pollfd, n_cpus);
	drain->core.waits = g_hash_table_new(NULL, NULL);
	ltt_payload_init(&drain->payload, &arch);
	if (!ltt_past_init(&drain->past, kernel->session->head))
		return ltt_fail(error, LTT_ERROR_CORRUPT,
				"the clock map of the session is damaged");
	if (!read_layout(kernel, error))
		return FALSE;
	for (guint i = 0; i < n_cpus; i++)
		if (!open_cpu(kernel, i, error))
			return FALSE;
	return TRUE;
}

/* ---- the thread ---- */

static gpointer run(gpointer data)
{
	LttKernel *kernel = data;

	while (!g_atomic_int_get(&kernel->is_ending)) {
		if (ltt_drain_pass(&kernel->drain, kernel->session) == 0)
			poll(kernel->polls, kernel->drain.n_cpus, POLL_MS);
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

/* ---- totals ---- */

/* Returns: the number behind "KEY: " in the statistics of a CPU */
static guint64 get_statistic(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at != NULL ? g_ascii_strtoull(at + strlen(key), NULL, 10) : 0;
}

/* Counts events that the kernel lost without a mark in a page. */
static void take_statistics(const LttKernel *kernel, LttDrainCpu *place)
{
	g_autofree char *path =
		g_strdup_printf("%s/per_cpu/cpu%u/stats", kernel->tracefs.instance, place->number);
	g_autofree char *text = NULL;
	guint64 n_lost;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	n_lost = get_statistic(text, "overrun: ") + get_statistic(text, "commit overrun: ") +
		 get_statistic(text, "dropped events: ");
	if (n_lost > place->n_missed)
		ltt_cpu_file_lose(&place->file, n_lost - place->n_missed);
}

static void close_cpus(LttKernel *kernel, LttKernelTotals *totals)
{
	for (guint i = 0; i < kernel->drain.n_cpus; i++) {
		LttDrainCpu *cpu = &kernel->drain.cpus[i];
		guint32 n_blocks;
		int errnum;

		if (kernel->tracefs.instance != NULL)
			take_statistics(kernel, cpu);
		close(cpu->ring_fd);
		g_free(cpu->pages);
		errnum = ltt_cpu_file_close(&cpu->file);
		if (errnum != 0 && kernel->drain.error == NULL)
			ltt_fail_io(&kernel->drain.error, "events of the kernel", "write", errnum);
		totals->n_events += cpu->file.n_written;
		totals->n_lost += cpu->file.n_lost;
		n_blocks = cpu->file.n_slots > 0 ? MIN(cpu->file.n_blocks, cpu->file.n_slots)
						 : cpu->file.n_blocks;
		totals->bytes += (guint64)n_blocks * kernel->session->head->block_bytes;
	}
	/* A snapshot that has copied the places of an earlier cut notices that they change. */
	lttp_store(&kernel->session->head->kernel_done_cycles, 0);
	ltt_drain_store_places(&kernel->drain, kernel->session, LTTP_KERNEL_ENDED);
	kernel->drain.n_cpus = 0;
}

/* ---- public ---- */

LttKernel *ltt_kernel_new(LttRecording *recording, const LttKernelOptions *options, GError **error)
{
	const LttKernelOptions defaults = {.buffer_bytes = 0};
	g_autoptr(LttKernel) kernel = g_new0(LttKernel, 1);

	if (options == NULL)
		options = &defaults;
	kernel->session = ltt_recording_get_session(recording);
	if (!ltt_tracefs_open(&kernel->tracefs, error) ||
	    !ltt_kernel_events_init(&kernel->events, &kernel->tracefs, options->selection, error) ||
	    !set_up(kernel, options, error))
		return NULL;
	if (!ltt_kernel_events_load(&kernel->events, kernel->session, error))
		return NULL;
	kernel->threads = ltt_kernel_threads_new(kernel->session, error);
	if (kernel->threads == NULL || !describe(kernel, error) || !open_drain(kernel, error))
		return NULL;
	ltt_drain_store_places(&kernel->drain, kernel->session, 0);
	lttp_store(&kernel->session->head->kernel_files, 1);
	kernel->thread = g_thread_new("ltt-kernel", run, kernel);
	exclude_recorder(kernel);
	if (!ltt_kernel_events_enable(&kernel->events, &kernel->tracefs, error) ||
	    !ltt_tracefs_write(&kernel->tracefs, "tracing_on", "1", error))
		return NULL;
	return g_steal_pointer(&kernel);
}

gboolean ltt_kernel_stop(LttKernel *kernel, LttKernelTotals *totals, GError **error)
{
	*totals = (LttKernelTotals){0, 0, 0};
	if (kernel->is_stopped)
		return TRUE;
	kernel->is_stopped = TRUE;
	if (kernel->tracefs.instance != NULL)
		ltt_tracefs_write(&kernel->tracefs, "tracing_on", "0", NULL);
	end_thread(kernel);
	while (kernel->drain.n_cpus > 0 && ltt_drain_pass(&kernel->drain, kernel->session) > 0)
		continue;
	close_cpus(kernel, totals);
	ltt_tracefs_remove(&kernel->tracefs);
	if (kernel->drain.error == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&kernel->drain.error));
	return FALSE;
}

void ltt_kernel_free(LttKernel *kernel)
{
	LttKernelTotals totals;

	if (kernel == NULL)
		return;
	ltt_kernel_stop(kernel, &totals, NULL);
	ltt_tracefs_clear(&kernel->tracefs);
	ltt_kernel_threads_free(kernel->threads);
	ltt_kernel_events_clear(&kernel->events);
	ltt_past_clear(&kernel->drain.past);
	g_clear_pointer(&kernel->drain.core.waits, g_hash_table_unref);
	if (kernel->drain.payload.bytes != NULL)
		ltt_payload_clear(&kernel->drain.payload);
	g_free(kernel->drain.cpus);
	g_free(kernel->polls);
	g_free(kernel);
}
