/* drain.c - move events from the ring buffers to the tracefiles. */
#include "record/kernel/drain-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "session/atomic.h"

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

static void note_thread(LttDrain *drain, const LttKernelEvent *event, const LttRingEvent *raw,
			LttKernelNote note)
{
	const LttTracepointField *tid = event->note_fields[0];
	const LttTracepointField *other = event->note_fields[1];

	if (event->note != note || tid == NULL || tid->offset + tid->size > raw->size ||
	    other->offset + other->size > raw->size)
		return;
	/* The thread that gets the CPU may have a new name. */
	if (note == LTT_NOTE_NAME)
		ltt_kernel_threads_name(drain->threads, load_u32(raw, tid->offset),
					raw->bytes + other->offset);
	else
		ltt_kernel_threads_create(drain->threads, load_u32(raw, COMMON_PID_OFFSET),
					  load_u32(raw, tid->offset),
					  (load_u32(raw, other->offset) & CLONE_THREAD_FLAG) != 0);
}

/* ---- events ---- */

static void write_typed(const LttKernelEvent *event, LttCpuFile *file, guint32 pid, guint32 tid,
			const LttRingEvent *raw)
{
	const gsize size = ltt_raw_plan_measure(event->plan, raw->bytes, raw->size);
	guint8 *payload;

	if (size == G_MAXSIZE) {
		ltt_cpu_file_lose(file, 1);
		return;
	}
	payload = ltt_cpu_file_add(file, raw->time, pid, tid, event->id, size);
	if (payload != NULL)
		ltt_raw_plan_write(event->plan, raw->bytes, raw->size, payload);
}

static void write_core(LttDrain *drain, const LttKernelEvent *event, LttCpuFile *file, guint32 pid,
		       guint32 tid, const LttRingEvent *raw)
{
	const LttCoreSource source = {
		.fields = &event->fields, .raw = raw->bytes, .raw_bytes = raw->size, .tid = tid};
	guint8 *payload;

	ltt_payload_reset(&drain->payload);
	event->mapping->convert(&drain->core, &source, &drain->payload);
	payload = ltt_cpu_file_add(file, raw->time, pid, tid, event->id, drain->payload.bytes->len);
	if (payload != NULL)
		memcpy(payload, drain->payload.bytes->data, drain->payload.bytes->len);
}

static void take_event(LttDrain *drain, LttCpuFile *file, const LttRingEvent *raw)
{
	const LttKernelEvent *event = ltt_kernel_events_find(drain->events, raw->id);
	guint32 pid;
	guint32 tid;

	if (event == NULL || raw->size < COMMON_BYTES)
		return; /* of the tracer itself, such as a marker */
	note_thread(drain, event, raw, LTT_NOTE_NAME);
	tid = load_u32(raw, COMMON_PID_OFFSET);
	pid = ltt_kernel_threads_find(drain->threads, tid);
	if (event->mapping != NULL)
		write_core(drain, event, file, pid, tid, raw);
	else
		write_typed(event, file, pid, tid, raw);
	if (event->note == LTT_NOTE_EXIT)
		ltt_kernel_threads_end(drain->threads, tid);
}

/* ---- pages ---- */

static void note_error(LttDrain *drain, GError *error)
{
	if (drain->error == NULL)
		drain->error = error;
	else
		g_error_free(error);
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

		if (event != NULL && raw.size >= COMMON_BYTES)
			note_thread(drain, event, &raw, LTT_NOTE_NEW_TASK);
	}
}

static void take_page(LttDrain *drain, LttDrainCpu *cpu, const guint8 *bytes, gsize size)
{
	LttRingPage page;
	LttRingEvent event;
	LttRingStep step = LTT_RING_ERROR;
	GError *error = NULL;

	if (ltt_ring_page_open(&page, &drain->layout, bytes, size, &error)) {
		cpu->n_missed += page.n_lost;
		ltt_cpu_file_lose(&cpu->file, page.n_lost);
		while ((step = ltt_ring_page_next(&page, &event, &error)) == LTT_RING_EVENT)
			take_event(drain, &cpu->file, &event);
	}
	if (step == LTT_RING_ERROR)
		note_error(drain, error);
}

static guint8 *get_page(const LttDrain *drain, const LttDrainCpu *cpu, guint index)
{
	return cpu->pages + (gsize)index * drain->layout.page_bytes;
}

static void read_pages(LttDrain *drain, LttDrainCpu *cpu)
{
	gssize size = 0;

	for (cpu->n_pages = 0; cpu->n_pages < LTT_DRAIN_PAGES; cpu->n_pages++) {
		size = read(cpu->ring_fd, get_page(drain, cpu, cpu->n_pages),
			    drain->layout.page_bytes);
		if (size <= 0)
			break;
		cpu->sizes[cpu->n_pages] = (gsize)size;
	}
	if (size < 0 && errno != EAGAIN && errno != EINTR) {
		GError *error = NULL;

		ltt_fail_io(&error, "trace_pipe_raw", "read", errno);
		note_error(drain, error);
	}
}

static void take_pages(LttDrain *drain, LttDrainCpu *cpu)
{
	int errnum;

	for (guint i = 0; i < cpu->n_pages; i++)
		take_page(drain, cpu, get_page(drain, cpu, i), cpu->sizes[i]);
	errnum = cpu->n_pages > 0 ? ltt_cpu_file_flush(&cpu->file) : 0;
	if (errnum == 0)
		errnum = cpu->file.errnum;
	if (errnum != 0 && drain->error == NULL)
		ltt_fail_io(&drain->error, "events of the kernel", "write", errnum);
}

/* Notes the threads that the pages of all CPUs create. */
static void scan_pages(LttDrain *drain)
{
	for (guint i = 0; i < drain->n_cpus; i++) {
		const LttDrainCpu *cpu = &drain->cpus[i];

		for (guint n = 0; n < cpu->n_pages; n++)
			scan_page(drain, get_page(drain, cpu, n), cpu->sizes[n]);
	}
}

/* ---- cuts of snapshots ---- */

static void take_cut(LttDrain *drain, guint64 cycles)
{
	if (cycles == drain->cut_cycles)
		return;
	drain->cut_cycles = cycles;
	for (guint i = 0; i < drain->n_cpus; i++) {
		drain->cpus[i].has_cut = FALSE;
		drain->cpus[i].file.cut_cycles = cycles != 0 ? cycles : G_MAXUINT64;
	}
}

void ltt_drain_store_places(LttDrain *drain, struct lttp_session *session, guint64 done_cycles)
{
	lttp_fence();
	for (guint i = 0; i < drain->n_cpus; i++) {
		const LttCpuFile *file = &drain->cpus[i].file;
		/* If no event has passed the cut, it is at the end. */
		const gboolean is_passed =
			drain->cut_cycles != 0 && file->cut_cycles == G_MAXUINT64;
		const struct lttp_place place =
			is_passed ? file->cut_place : ltt_cpu_file_get_place(file);
		struct lttp_place *shared = &session->files[drain->cpus[i].number].kernel_place;

		lttp_store(&shared->current, place.current);
		lttp_store(&shared->word, place.word);
	}
	lttp_store(&session->head->kernel_done_cycles, done_cycles);
}

/* Called after a pass that began when all events before the cut were in the ring buffers. */
static void finish_cut(LttDrain *drain, struct lttp_session *session)
{
	gboolean is_complete = TRUE;

	for (guint i = 0; i < drain->n_cpus; i++) {
		LttDrainCpu *cpu = &drain->cpus[i];

		if (cpu->n_pages < LTT_DRAIN_PAGES || cpu->file.cut_cycles == G_MAXUINT64)
			cpu->has_cut = TRUE;
		is_complete = is_complete && cpu->has_cut;
	}
	if (is_complete)
		ltt_drain_store_places(drain, session, drain->cut_cycles);
}

/* ---- passes ---- */

guint64 ltt_drain_pass(LttDrain *drain, struct lttp_session *session)
{
	const guint64 ready_cycles = lttp_load(&session->head->kernel_ready_cycles);
	guint64 n_pages = 0;

	if (!ltt_past_update(&drain->past) && drain->error == NULL)
		ltt_fail(&drain->error, LTT_ERROR_CORRUPT,
			 "the clock map of the session is damaged");
	for (guint i = 0; i < drain->n_cpus; i++) {
		read_pages(drain, &drain->cpus[i]);
		n_pages += drain->cpus[i].n_pages;
	}
	/* After reading: no page has an event after a cut that is announced later. */
	take_cut(drain, lttp_load(&session->head->kernel_cut_cycles));
	if (drain->events->has_new_tasks)
		scan_pages(drain);
	for (guint i = 0; i < drain->n_cpus; i++)
		take_pages(drain, &drain->cpus[i]);
	if (drain->cut_cycles != 0 && drain->cut_cycles == ready_cycles &&
	    lttp_load(&session->head->kernel_done_cycles) != ready_cycles)
		finish_cut(drain, session);
	return n_pages;
}
