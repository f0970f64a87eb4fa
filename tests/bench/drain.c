/* drain.c - print the nanoseconds of CPU time that the recorder needs to convert an event of the kernel.
 *
 * usage: drain TRACE N
 *
 * Records N calls of getppid() in the ring buffer of one CPU, copies its pages to memory, and converts
 * them to TRACE as the recorder does. So the rate of the kernel is not part of the result.
 */
#define _GNU_SOURCE
#include "record/kernel/drain-priv.h"
#include "record/recording-priv.h"

#include <ltt/ltt-recording.h>

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A call is two events of at most 64 bytes. */
#define CALL_BYTES 128

typedef struct Bench {
	LttTracefs tracefs;
	LttKernelEvents events;
	LttKernelFiles files;
	LttKernelSource source;
	LttDrain drain;
	int cpu;
} Bench;

static guint64 get_cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (guint64)now.tv_sec * 1000000000 + (guint64)now.tv_nsec;
}

/* Stays on the present CPU. */
static int stay(void)
{
	const int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) == 0 ? cpu : -1;
}

/* Fills the ring buffer of the CPU. */
static gboolean fill(Bench *bench, guint64 n_calls, GError **error)
{
	g_autofree char *pid = g_strdup_printf("%d", getpid());
	g_autofree char *kilobytes =
		g_strdup_printf("%" G_GUINT64_FORMAT, n_calls * CALL_BYTES / 1024 + 1024);

	if (!ltt_tracefs_write(&bench->tracefs, "trace_clock", "x86-tsc", error) ||
	    !ltt_tracefs_write(&bench->tracefs, "buffer_size_kb", kilobytes, error) ||
	    !ltt_tracefs_write(&bench->tracefs, "set_event_pid", pid, error) ||
	    !ltt_kernel_events_enable(&bench->events, &bench->tracefs, error) ||
	    !ltt_tracefs_write(&bench->tracefs, "tracing_on", "1", error))
		return FALSE;
	for (guint64 i = 0; i < n_calls; i++)
		syscall(SYS_getppid);
	return ltt_tracefs_write(&bench->tracefs, "tracing_on", "0", error);
}

/* Returns: a file in memory with the pages of the ring buffer, or -1 */
static int copy_pages(const Bench *bench)
{
	g_autofree char *path = g_strdup_printf("per_cpu/cpu%d/trace_pipe_raw", bench->cpu);
	const int from = ltt_tracefs_open_file(&bench->tracefs, path, O_RDONLY | O_NONBLOCK);
	const int to = memfd_create("pages", MFD_CLOEXEC);
	const gsize size = bench->drain.layout.page_bytes;
	g_autofree guint8 *page = g_malloc0(size);

	while (from >= 0 && to >= 0 && read(from, page, size) > 0)
		if (write(to, page, size) != (gssize)size)
			return -1;
	close(from);
	return to >= 0 && lseek(to, 0, SEEK_SET) == 0 ? to : -1;
}

static gboolean prepare(Bench *bench, LttRecording *recording, guint64 n_calls, GError **error)
{
	struct lttp_session *session = ltt_recording_get_session(recording);
	g_autofree char *header = NULL;
	gsize length;

	bench->cpu = stay();
	bench->source = (LttKernelSource){.files = &bench->files};
	if (!ltt_kernel_files_init(&bench->files, session, error))
		return FALSE;
	bench->source.threads = ltt_kernel_threads_new(
		session, ltt_kernel_files_get_threads(&bench->files), LTT_KERNEL_NAMES_ALL, error);
	if (bench->source.threads == NULL || !ltt_tracefs_open(&bench->tracefs, error) ||
	    !ltt_kernel_events_init(&bench->events, &bench->tracefs, "raw_syscalls", NULL, error) ||
	    !ltt_tracefs_create(&bench->tracefs, error) ||
	    !ltt_kernel_events_load(&bench->events, session, error))
		return FALSE;
	ltt_drain_init(&bench->drain, &bench->events, &bench->source);
	header = ltt_tracefs_read(&bench->tracefs, "events/header_page", &length, error);
	if (header == NULL ||
	    !ltt_ring_layout_parse(&bench->drain.layout, header, length, LTT_NATIVE_ENDIAN, error))
		return FALSE;
	bench->drain.cpus = g_new0(LttDrainCpu, 1);
	bench->drain.cpus->file = ltt_kernel_files_add(&bench->files, (guint)bench->cpu, error);
	bench->drain.cpus->pages =
		g_malloc((gsize)LTT_DRAIN_SLOTS * bench->drain.layout.page_bytes);
	ltt_kernel_files_start(&bench->files);
	return bench->drain.cpus->file != NULL && fill(bench, n_calls, error);
}

static void convert(Bench *bench)
{
	LttKernelTotals totals = {.n_events = 0};
	guint64 ns;

	bench->drain.cpus->ring_fd = copy_pages(bench);
	bench->drain.n_cpus = 1;
	ns = get_cpu_ns();
	while (ltt_drain_pass(&bench->drain) > 0)
		continue;
	ns = get_cpu_ns() - ns;
	ltt_kernel_files_close(&bench->files, &totals);
	printf("%.1f %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
	       (double)ns / (double)MAX(totals.n_events, 1), totals.n_events, totals.n_lost);
}

int main(int argc, char **argv)
{
	const guint64 n_calls = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	g_autoptr(LttRecording) recording = NULL;
	g_autoptr(GError) error = NULL;
	Bench bench = {.cpu = -1};

	if (n_calls == 0) {
		fputs("usage: drain TRACE N\n", stderr);
		return 2;
	}
	recording = ltt_recording_new(argv[1], NULL, &error);
	if (recording != NULL && prepare(&bench, recording, n_calls, &error))
		convert(&bench);
	if (bench.drain.events != NULL)
		ltt_drain_clear(&bench.drain);
	ltt_tracefs_clear(&bench.tracefs);
	if (error != NULL)
		fprintf(stderr, "drain: %s\n", error->message);
	return error != NULL;
}
