/* expected-trace.c - events in cpu/0, one nanosecond apart. */
#include "expected-trace.h"
#include "unit.h"

void expected_trace_open(ExpectedTrace *trace, const char *path, const LttArch *arch)
{
	g_autoptr(LttSystem) system = ltt_system_new();
	g_autoptr(GError) error = NULL;

	ltt_system_set(system, "cpu", "1");
	ltt_system_set(system, "arch_size", ltt_arch_size_name(arch->size));
	ltt_system_set(system, "endian", ltt_byte_order_name(arch->byte_order));
	ltt_system_set(system, "ltt_major_version", "2");
	ltt_system_set(system, "ltt_minor_version", "0");
	ltt_system_set(system, "ltt_block_size", "65536");
	UNIT_ASSERT_OK(ltt_system_seal(system, &error), error);
	trace->writer = ltt_trace_writer_new(path, system, NULL, &error);
	UNIT_ASSERT_OK(trace->writer != NULL, error);
	trace->file = ltt_trace_writer_open(trace->writer, "cpu/0", &error);
	UNIT_ASSERT_OK(trace->file != NULL, error);
	trace->cycles = 1;
}

void expected_trace_load(ExpectedTrace *trace, const LttFacility *facility)
{
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_trace_writer_load(trace->writer, facility, &trace->base_code, &error),
		       error);
}

void expected_trace_add(ExpectedTrace *trace, const LttEventType *event, const LttPayload *payload)
{
	const guint16 id = (guint16)(trace->base_code + event->index);
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_tracefile_writer_event(trace->file, trace->cycles++, id,
						  payload->bytes->data, payload->bytes->len,
						  &error),
		       error);
}

void expected_trace_close(ExpectedTrace *trace)
{
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_trace_writer_close(trace->writer, &error), error);
	ltt_trace_writer_free(trace->writer);
}
