/* drain.c - move events from the ring buffers to the tracefiles. */
#include "record/kernel/drain-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* All raw events begin with the same fields. */
#define COMMON_PID_OFFSET 4
#define COMMON_BYTES      8

#define CLONE_THREAD_FLAG 0x00010000

/* ---- threads ---- */

static guint32 load_u32(const LttRingEvent *raw, gsize at)
{
	return ltt_load_u32(raw->bytes + at, LTT_NATIVE_ENDIAN);
}

/* Returns: whether an event is of this kind, and contains the fields of the note */
static gboolean has_note(const LttKernelEvent *event, const LttRingEvent *raw, LttKernelNote note)
{
	const LttTracepointField *tid;
	const LttTracepointField *other;

	if (event->note != note || event->note_fields[0] == NULL)
		return FALSE;
	tid = event->note_fields[0];
	other = event->note_fields[1];
	return tid->offset + tid->size <= raw->size && other->offset + other->size <= raw->size;
}

static void note_creation(LttDrain *drain, const LttKernelEvent *event, const LttRingEvent *raw)
{
	const guint32 flags = load_u32(raw, event->note_fields[1]->offset);

	ltt_kernel_threads_create(drain->source->threads, load_u32(raw, COMMON_PID_OFFSET),
				  load_u32(raw, event->note_fields[0]->offset),
				  (flags & CLONE_THREAD_FLAG) != 0);
}

/* ---- pages ---- */

static guint8 *get_page(const LttDrain *drain, const LttDrainCpu *cpu, guint index)
{
	return cpu->pages + (gsize)index * drain->layout.page_bytes;
}

/* Returns: the size of the page, 0 or -1 */
static gssize read_page(const LttDrain *drain, const LttDrainCpu *cpu, guint index)
{
	gssize size;

	do {
		size = read(cpu->ring_fd, get_page(drain, cpu, index), drain->layout.page_bytes);
	} while (size < 0 && errno == EINTR);
	return size;
}

/* Reads pages into the slots from @first to @end. Returns: the first slot that is free */
static guint read_pages(LttDrain *drain, LttDrainCpu *cpu, guint first, guint end)
{
	gssize size = 0;
	guint i;

	for (i = first; i < end; i++) {
		size = read_page(drain, cpu, i);
		if (size <= 0)
			break;
		cpu->sizes[i] = (gsize)size;
	}
	if (size < 0 && errno != EAGAIN) {
		GError *error = NULL;

		ltt_fail_io(&error, "trace_pipe_raw", "read", errno);
		ltt_kernel_files_note(drain->source->files, error);
	}
	return i;
}

/* Notes the threads that a page creates. */
static void scan_page(LttDrain *drain, const guint8 *bytes, gsize size)
{
	LttRingPage page;
	LttRingEvent raw;

	if (!ltt_ring_page_open(&page, &drain->layout, bytes, size, NULL))
		return;
	while (ltt_ring_page_next(&page, &raw, NULL) == LTT_RING_EVENT) {
		const LttKernelEvent *event = ltt_kernel_events_find(drain->events, raw.id);

		if (event != NULL && raw.size >= COMMON_BYTES &&
		    has_note(event, &raw, LTT_NOTE_NEW_TASK))
			note_creation(drain, event, &raw);
	}
}

static void scan_pages(LttDrain *drain, const LttDrainCpu *cpu, guint first, guint end)
{
	for (guint i = first; i < end; i++)
		scan_page(drain, get_page(drain, cpu, i), cpu->sizes[i]);
}

/* Begins with the pages that the pass before has read ahead. */
static void begin_cpu(LttDrain *drain, LttDrainCpu *cpu)
{
	const guint n_ahead = cpu->n_ahead;

	memmove(cpu->pages, get_page(drain, cpu, cpu->n_pages),
		(gsize)n_ahead * drain->layout.page_bytes);
	memmove(cpu->sizes, cpu->sizes + cpu->n_pages, n_ahead * sizeof(*cpu->sizes));
	cpu->n_ahead = 0;
	cpu->n_scanned = n_ahead;
	cpu->n_pages = read_pages(drain, cpu, n_ahead, LTT_DRAIN_PAGES);
	cpu->file->is_drained = cpu->n_pages < LTT_DRAIN_PAGES;
}

static void read_ahead(LttDrain *drain)
{
	drain->is_ahead = TRUE;
	for (guint i = 0; i < drain->n_cpus; i++) {
		LttDrainCpu *cpu = &drain->cpus[i];
		const guint end =
			read_pages(drain, cpu, cpu->n_pages, cpu->n_pages + LTT_DRAIN_PAGES);

		cpu->n_ahead = end - cpu->n_pages;
		scan_pages(drain, cpu, cpu->n_pages, end);
	}
}

/* ---- events ---- */

static guint32 find_process(LttDrain *drain, guint32 tid)
{
	LttKernelThreads *threads = drain->source->threads;
	guint32 pid;

	if (ltt_kernel_threads_look_up(threads, tid, &pid))
		return pid;
	if (!drain->is_ahead)
		read_ahead(drain);
	return ltt_kernel_threads_find(threads, tid);
}

/* The thread that gets the CPU may have a new name. */
static void note_name(LttDrain *drain, const LttKernelEvent *event, const LttRingEvent *raw)
{
	const guint32 tid = load_u32(raw, event->note_fields[0]->offset);

	find_process(drain, tid); /* the name is written with it */
	ltt_kernel_threads_name(drain->source->threads, raw->time, tid,
				raw->bytes + event->note_fields[1]->offset);
}

static void take_event(LttDrain *drain, LttCpuFile *file, const LttRingEvent *raw)
{
	const LttKernelEvent *event = ltt_kernel_events_find(drain->events, raw->id);
	guint32 tid;
	guint32 pid;

	if (event == NULL || raw->size < COMMON_BYTES)
		return; /* of the tracer itself, such as a marker */
	if (has_note(event, raw, LTT_NOTE_NAME))
		note_name(drain, event, raw);
	tid = load_u32(raw, COMMON_PID_OFFSET);
	pid = find_process(drain, tid);
	ltt_kernel_threads_see(drain->source->threads, tid);
	ltt_event_writer_write(&drain->writer, event, file, pid, tid, raw);
	if (event->note == LTT_NOTE_EXIT)
		ltt_kernel_threads_end(drain->source->threads, tid);
}

/* ---- passes ---- */

static void take_page(LttDrain *drain, LttDrainCpu *cpu, const guint8 *bytes, gsize size)
{
	LttRingPage page;
	LttRingEvent event;
	LttRingStep step = LTT_RING_ERROR;
	GError *error = NULL;

	if (ltt_ring_page_open(&page, &drain->layout, bytes, size, &error)) {
		cpu->n_missed += page.n_lost;
		ltt_cpu_file_lose(&cpu->file->file, page.n_lost);
		while ((step = ltt_ring_page_next(&page, &event, &error)) == LTT_RING_EVENT) {
			if (drain->source->clock != NULL)
				event.time =
					ltt_raw_clock_convert(drain->source->clock, event.time);
			take_event(drain, &cpu->file->file, &event);
		}
	}
	if (step == LTT_RING_ERROR)
		ltt_kernel_files_note(drain->source->files, error);
}

guint64 ltt_drain_pass(LttDrain *drain)
{
	const guint64 ready_cycles = ltt_kernel_files_begin(drain->source->files);
	guint64 n_pages = 0;

	drain->is_ahead = FALSE;
	for (guint i = 0; i < drain->n_cpus; i++) {
		begin_cpu(drain, &drain->cpus[i]);
		n_pages += drain->cpus[i].n_pages;
	}
	if (drain->source->clock != NULL)
		ltt_raw_clock_update(drain->source->clock);
	ltt_kernel_files_take_cut(drain->source->files);
	for (guint i = 0; i < drain->n_cpus; i++) {
		const LttDrainCpu *cpu = &drain->cpus[i];

		scan_pages(drain, cpu, cpu->n_scanned, cpu->n_pages);
	}
	for (guint i = 0; i < drain->n_cpus; i++) {
		LttDrainCpu *cpu = &drain->cpus[i];

		for (guint n = 0; n < cpu->n_pages; n++)
			take_page(drain, cpu, get_page(drain, cpu, n), cpu->sizes[n]);
	}
	ltt_kernel_threads_flush(drain->source->threads,
				 ltt_kernel_files_get_horizon(drain->source->files));
	ltt_kernel_files_end(drain->source->files, ready_cycles);
	return n_pages;
}

void ltt_drain_init(LttDrain *drain, const LttKernelEvents *events, const LttKernelSource *source)
{
	*drain = (LttDrain){.events = events, .source = source};
	ltt_event_writer_init(&drain->writer);
}

void ltt_drain_clear(LttDrain *drain)
{
	for (guint i = 0; i < drain->n_cpus; i++) {
		close(drain->cpus[i].ring_fd);
		g_free(drain->cpus[i].pages);
	}
	g_free(drain->cpus);
	ltt_event_writer_clear(&drain->writer);
}
