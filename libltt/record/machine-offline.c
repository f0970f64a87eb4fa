/* machine-offline.c - record the interrupts and processes of /proc as events of control files. */
#include "record/proc-priv.h"

#include <ltt/ltt-eventdefs.h>

/* The destination for events of one facility; the facilities here have one event type each. */
typedef struct Sink {
	LttTracefileWriter *file;
	guint16 id;
} Sink;

static gboolean open_sink(LttTraceWriter *writer, const char *facility, const char *file_name,
			  Sink *sink, GError **error)
{
	guint32 base_code;

	if (!ltt_trace_writer_load(writer, ltt_eventdefs_get_shipped(facility), &base_code, error))
		return FALSE;
	sink->id = (guint16)base_code;
	sink->file = ltt_trace_writer_open(writer, file_name, error);
	return sink->file != NULL;
}

static gboolean write_payload(const Sink *sink, guint64 cycles, const LttPayload *payload,
			      GError **error)
{
	return ltt_tracefile_writer_event(sink->file, cycles, sink->id, payload->bytes->data,
					  payload->bytes->len, error);
}

static gboolean record_interrupts(LttTraceWriter *writer, const char *proc, LttPayload *payload,
				  guint *n_written, GError **error)
{
	g_autoptr(GPtrArray) interrupts = ltt_machine_read_interrupts(proc, error);
	const guint64 cycles = ltt_monotonic_ns();
	Sink sink;

	if (interrupts == NULL ||
	    !open_sink(writer, "interrupts", "control/interrupts", &sink, error))
		return FALSE;
	for (guint i = 0; i < interrupts->len; i++) {
		ltt_interrupt_write(interrupts->pdata[i], payload);
		if (!write_payload(&sink, cycles, payload, error))
			return FALSE;
	}
	*n_written = interrupts->len;
	return TRUE;
}

static gboolean record_processes(LttTraceWriter *writer, const char *proc, LttPayload *payload,
				 guint *n_written, guint *n_unreadable, GError **error)
{
	g_autoptr(GPtrArray) processes = ltt_machine_read_processes(proc, n_unreadable, error);
	Sink sink;

	if (processes == NULL || !open_sink(writer, "processes", "control/processes", &sink, error))
		return FALSE;
	for (guint i = 0; i < processes->len; i++) {
		const LttProcess *process = processes->pdata[i];

		ltt_process_write(process, payload);
		if (!write_payload(&sink, process->monotonic_ns, payload, error))
			return FALSE;
	}
	*n_written = processes->len;
	return TRUE;
}

gboolean ltt_machine_record(LttTraceWriter *writer, const char *proc, LttMachineCounts *counts,
			    GError **error)
{
	LttMachineCounts found = {.n_interrupts = 0};
	g_auto(LttPayload) payload;

	ltt_payload_init(&payload, ltt_trace_writer_get_arch(writer));
	if (!record_interrupts(writer, proc, &payload, &found.n_interrupts, error) ||
	    !record_processes(writer, proc, &payload, &found.n_processes, &found.n_unreadable,
			      error))
		return FALSE;
	*counts = found;
	return TRUE;
}
