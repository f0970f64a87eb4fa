/* tracefs-source.c - events of the kernel from an instance of tracefs. */
#include "record/kernel/source-priv.h"

#include "base/directory-priv.h"
#include "base/error-priv.h"
#include "record/kernel/drain-priv.h"
#include "record/proc-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_BUFFER_BYTES (4u << 20)

typedef struct TracefsSource {
	LttKernelSource source;
	LttTracefs tracefs;
	LttKernelEvents events;
	LttDrain drain;
	LttRawClock clock; /* if source.clock is set */
} TracefsSource;

/* ---- the instance ---- */

/* Selects the counter of the session, or a clock that can be converted to it. */
static gboolean set_clock(TracefsSource *source, const LttKernelOptions *options, GError **error)
{
	const struct lttp_head *head = source->source.files->session->head;

	if (!options->converts_clock && head->counter == LTTP_COUNTER_MONOTONIC)
		return ltt_tracefs_write(&source->tracefs, "trace_clock", "mono", error);
	if (!options->converts_clock && head->counter == LTTP_COUNTER_TSC &&
	    ltt_tracefs_write(&source->tracefs, "trace_clock", "x86-tsc", NULL))
		return TRUE;
	ltt_raw_clock_init(&source->clock, head);
	source->source.clock = &source->clock;
	return ltt_tracefs_write(&source->tracefs, "trace_clock", "mono_raw", error);
}

static gboolean set_buffers(const TracefsSource *source, guint64 bytes, GError **error)
{
	char text[24];

	snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT,
		 (bytes > 0 ? bytes : DEFAULT_BUFFER_BYTES) / 1024);
	return ltt_tracefs_write(&source->tracefs, "buffer_size_kb", text, error);
}

/* Appends @number to a file of numbers. Returns: 0 or an errno */
static int add_number(const TracefsSource *source, const char *path, const char *number)
{
	const int fd = ltt_tracefs_open_file(&source->tracefs, path, O_WRONLY | O_APPEND);
	int errnum = 0;

	if (fd < 0)
		return -fd;
	if (write(fd, number, strlen(number)) < 0)
		errnum = errno;
	close(fd);
	return errnum;
}

/* Excludes the events that the recorder itself causes. Old kernels cannot do that. */
static gboolean exclude_recorder(const TracefsSource *source, GError **error)
{
	static const char file[] = "set_event_notrace_pid";
	g_autoptr(GPtrArray) tasks = ltt_directory_list("/proc/self/task", error);

	for (guint i = 0; tasks != NULL && i < tasks->len; i++) {
		const int errnum = add_number(source, file, tasks->pdata[i]);

		/* A thread may have ended. */
		if (errnum != 0 && errnum != ENOENT && errnum != ESRCH)
			return ltt_fail_io(error, file, "write", errnum);
	}
	return tasks != NULL;
}

static gboolean set_program(const TracefsSource *source, const LttKernelOptions *options,
			    GError **error)
{
	char text[16];

	if (!options->only_program)
		return TRUE;
	snprintf(text, sizeof(text), "%u", options->pid);
	return ltt_tracefs_write(&source->tracefs, "options/event-fork", "1", error) &&
	       ltt_tracefs_write(&source->tracefs, "set_event_pid", text, error);
}

/* The kernel rejects a filter of fields that the tracepoint does not have. */
static gboolean is_rejected(int errnum)
{
	return errnum == EINVAL || errnum == ENOENT || errnum == ENODEV || errnum == EPERM;
}

/* Sets the filter where the kernel accepts it. */
static gboolean set_filter(const TracefsSource *source, const char *filter, GError **error)
{
	guint n_accepted = 0;

	if (filter == NULL)
		return TRUE;
	for (guint i = 0; i < source->events.events->len; i++) {
		const LttKernelEvent *event = source->events.events->pdata[i];
		g_autofree char *path = g_build_filename("events", event->system,
							 event->tracepoint->name, "filter", NULL);
		const int errnum = ltt_tracefs_put(&source->tracefs, path, filter);

		if (errnum != 0 && !is_rejected(errnum))
			return ltt_fail_io(error, path, "write", errnum);
		n_accepted += errnum == 0;
	}
	return n_accepted > 0 ||
	       ltt_fail(error, LTT_ERROR_INVALID,
			"kernel filter \"%s\": no selected tracepoint accepts it; expected a "
			"filter of "
			"the kernel, such as \"prev_pid == 1\", on fields of the tracepoints",
			filter);
}

static gboolean set_up(TracefsSource *source, const LttKernelOptions *options, GError **error)
{
	return ltt_tracefs_create(&source->tracefs, error) && set_clock(source, options, error) &&
	       set_buffers(source, options->buffer_bytes, error) &&
	       set_program(source, options, error) && set_filter(source, options->filter, error);
}

/* ---- the ring buffers ---- */

static gboolean open_cpu(TracefsSource *source, guint cpu, GError **error)
{
	LttDrain *drain = &source->drain;
	LttDrainCpu *place = &drain->cpus[drain->n_cpus];
	g_autofree char *path = g_strdup_printf("per_cpu/cpu%u/trace_pipe_raw", cpu);

	place->ring_fd = ltt_tracefs_open_file(&source->tracefs, path, O_RDONLY | O_NONBLOCK);
	if (place->ring_fd < 0)
		return place->ring_fd == -ENOENT || place->ring_fd == -ENXIO ||
		       ltt_fail_io(error, path, "open", -place->ring_fd);
	place->file = ltt_kernel_files_add(source->source.files, cpu, error);
	if (place->file == NULL) {
		close(place->ring_fd);
		return FALSE;
	}
	place->pages = g_malloc((gsize)LTT_DRAIN_SLOTS * drain->layout.page_bytes);
	source->source.polls[source->source.n_polls++] =
		(struct pollfd){.fd = place->ring_fd, .events = POLLIN};
	drain->n_cpus++;
	return TRUE;
}

static gboolean read_layout(TracefsSource *source, GError **error)
{
	gsize length;
	g_autofree char *text =
		ltt_tracefs_read(&source->tracefs, "events/header_page", &length, error);

	return text != NULL &&
	       ltt_ring_layout_parse(&source->drain.layout, text, length, LTT_NATIVE_ENDIAN, error);
}

static gboolean open_drain(TracefsSource *source, GError **error)
{
	const guint n_cpus = source->source.files->session->head->cpus;
	LttDrain *drain = &source->drain;

	drain->cpus = g_new0(LttDrainCpu, n_cpus);
	source->source.polls = g_new0(struct pollfd, n_cpus);
	if (!read_layout(source, error))
		return FALSE;
	for (guint i = 0; i < n_cpus; i++)
		if (!open_cpu(source, i, error))
			return FALSE;
	return TRUE;
}

/* ---- totals ---- */

/* Returns: the number after "KEY: " in the statistics of a CPU */
static guint64 get_statistic(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at != NULL ? g_ascii_strtoull(at + strlen(key), NULL, 10) : 0;
}

/* Notes an error, which ltt_kernel_stop() reports. */
static void note(const TracefsSource *source, const char *path, const char *attempt, int errnum)
{
	GError *error = NULL;

	ltt_fail_io(&error, path, attempt, errnum);
	ltt_kernel_files_note(source->source.files, error);
}

/* Counts events that the kernel lost without a mark in a page. */
static void count_cpu(const TracefsSource *source, const LttDrainCpu *place)
{
	g_autofree char *path = g_strdup_printf("%s/per_cpu/cpu%u/stats", source->tracefs.instance,
						place->file->cpu);
	g_autofree char *text = NULL;
	const int errnum = ltt_proc_read(path, &text);
	guint64 n_lost;

	if (errnum != 0) {
		note(source, path, "read the number of lost events", errnum);
		return;
	}
	n_lost = get_statistic(text, "overrun: ") + get_statistic(text, "commit overrun: ") +
		 get_statistic(text, "dropped events: ");
	if (n_lost > place->n_missed)
		ltt_cpu_file_lose(&place->file->file, n_lost - place->n_missed);
}

/* ---- the source ---- */

static TracefsSource *take(LttKernelSource *source)
{
	return (TracefsSource *)source;
}

static gboolean start(LttKernelSource *base, GError **error)
{
	const TracefsSource *source = take(base);

	return exclude_recorder(source, error) &&
	       ltt_kernel_events_enable(&source->events, &source->tracefs, error) &&
	       ltt_tracefs_write(&source->tracefs, "tracing_on", "1", error);
}

static guint64 pass(LttKernelSource *base)
{
	return ltt_drain_pass(&take(base)->drain);
}

static gboolean stop(LttKernelSource *base)
{
	const TracefsSource *source = take(base);
	const int errnum = ltt_tracefs_stop(&source->tracefs);

	if (errnum != 0)
		note(source, source->tracefs.instance, "stop", errnum);
	return errnum == 0;
}

static void count(LttKernelSource *base)
{
	const TracefsSource *source = take(base);

	for (guint i = 0; i < source->drain.n_cpus && source->tracefs.instance != NULL; i++)
		count_cpu(source, &source->drain.cpus[i]);
}

static void free_source(LttKernelSource *base)
{
	TracefsSource *source = take(base);
	g_autofree char *instance = g_strdup(source->tracefs.instance);
	int errnum;

	ltt_drain_clear(&source->drain);
	errnum = ltt_tracefs_remove(&source->tracefs);
	if (errnum != 0)
		note(source, instance, "remove", errnum);
	ltt_tracefs_clear(&source->tracefs);
	ltt_kernel_events_clear(&source->events);
	g_free(base->polls);
	g_free(source);
}

static const LttKernelSourceType type = {start, pass, stop, count, free_source};

LttKernelSource *ltt_tracefs_source_new(LttKernelFiles *files, LttKernelThreads *threads,
					const LttKernelOptions *options, GError **error)
{
	TracefsSource *source = g_new0(TracefsSource, 1);

	source->source = (LttKernelSource){.type = &type, .files = files, .threads = threads};
	ltt_drain_init(&source->drain, &source->events, &source->source);
	if (ltt_tracefs_open(&source->tracefs, error) &&
	    ltt_kernel_events_init(&source->events, &source->tracefs, options->selection, NULL,
				   error) &&
	    set_up(source, options, error) &&
	    ltt_kernel_events_load(&source->events, files->session, error) &&
	    open_drain(source, error))
		return &source->source;
	free_source(&source->source);
	return NULL;
}
