/* event-writer.c - see event-writer-priv.h. */
#include "record/kernel/event-writer-priv.h"

#include <string.h>

void ltt_event_writer_init(LttEventWriter *writer)
{
	const LttArch arch = ltt_arch_native();

	writer->core.waits = g_hash_table_new(NULL, NULL);
	ltt_payload_init(&writer->payload, &arch);
}

void ltt_event_writer_clear(LttEventWriter *writer)
{
	g_hash_table_unref(writer->core.waits);
	ltt_payload_clear(&writer->payload);
}

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

static void write_core(LttEventWriter *writer, const LttKernelEvent *event, LttCpuFile *file,
		       guint32 pid, guint32 tid, const LttRingEvent *raw)
{
	const LttCoreSource source = {
		.fields = &event->fields, .raw = raw->bytes, .raw_bytes = raw->size, .tid = tid};
	guint8 *payload;

	ltt_payload_reset(&writer->payload);
	event->mapping->convert(&writer->core, &source, &writer->payload);
	payload =
		ltt_cpu_file_add(file, raw->time, pid, tid, event->id, writer->payload.bytes->len);
	if (payload != NULL)
		memcpy(payload, writer->payload.bytes->data, writer->payload.bytes->len);
}

void ltt_event_writer_write(LttEventWriter *writer, const LttKernelEvent *event, LttCpuFile *file,
			    guint32 pid, guint32 tid, const LttRingEvent *raw)
{
	if (event->mapping != NULL)
		write_core(writer, event, file, pid, tid, raw);
	else
		write_typed(event, file, pid, tid, raw);
}
