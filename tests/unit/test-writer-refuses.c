/* The writer rejects payloads, cycle counts, names and facilities, and then leaves the trace
 * unchanged. */
#include "support-trace.h"
#include "support-writer.h"
#include "unit.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-time.h>
#include <ltt/ltt-writer.h>

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static LttFacility *sealed(LttFacility *facility)
{
	CU_ASSERT_FATAL(ltt_facility_seal(facility, NULL));
	return facility;
}

/* A facility of this many events without payload. */
static LttFacility *of_size(const char *name, guint n_events)
{
	LttFacility *facility = ltt_facility_new(name);

	for (guint i = 0; i < n_events; i++) {
		g_autofree char *event = g_strdup_printf("e%u", i);

		ltt_facility_add_event(facility, event, NULL, NULL);
	}
	return sealed(facility);
}

static void refuse(LttTracefileWriter *file, guint64 cycles, guint16 id, const char *hex, int code,
		   const char *part, int line)
{
	g_autoptr(GByteArray) payload = unit_bytes(hex);
	g_autoptr(GError) error = NULL;

	CU_ASSERT_FALSE(
		ltt_tracefile_writer_event(file, cycles, id, payload->data, payload->len, &error));
	unit_assert_error(error, code, part, __FILE__, line);
}
#define REFUSE(file, cycles, id, hex, code, part)                                                  \
	refuse(file, cycles, id, hex, code, part, __LINE__)

static void test_wrong_payloads_leave_the_file_as_it_was(void)
{
	g_autofree char *path = writer_fresh_path();
	g_autoptr(LttFacility) facility = writer_facility();
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTraceWriter) writer = writer_new(path, 128);
	LttTracefileWriter *file = ltt_trace_writer_open(writer, "cpu/1", NULL);

	writer_load(writer, facility, 4);
	UNIT_ASSERT_OK(ltt_tracefile_writer_event(file, 9, 4, NULL, 0, &error), error);
	REFUSE(file, 9, 4, "00", LTT_ERROR_INVALID, "cpu/1: various.none: its payload has 1 bytes");
	REFUSE(file, 9, 5, "", LTT_ERROR_INVALID, "cpu/1: various.text: its payload of 0 bytes");
	REFUSE(file, 9, 5, "61 62", LTT_ERROR_INVALID, "a string has no end");
	REFUSE(file, 9, 5, "61 00 62", LTT_ERROR_INVALID, "has 3 bytes, but its type takes 2");
	REFUSE(file, 9, 6, "02", LTT_ERROR_INVALID, "various.pairs");
	REFUSE(file, 9, 6, "02 00 01 02 03", LTT_ERROR_INVALID, "various.pairs");
	REFUSE(file, 9, 6, "02 00 01 02 03 04 05", LTT_ERROR_INVALID, "its type takes 6");
	REFUSE(file, 9, 6, "ff ff", LTT_ERROR_INVALID, "various.pairs");
	REFUSE(file, 9, 7, "02 00 00", LTT_ERROR_INVALID, "union");
	REFUSE(file, 9, 7, "00 01", LTT_ERROR_INVALID, "various.either");
	REFUSE(file, 9, 5, "61*66 00", LTT_ERROR_LIMIT, "room for 66 at most");
	REFUSE(file, 9, 8, "", LTT_ERROR_INVALID, "cpu/1: event id 8: no facility");
	REFUSE(file, 9, 65535, "", LTT_ERROR_INVALID, "event id 65535");
	for (guint16 id = 0; id < 4; id++)
		REFUSE(file, 9, id, "", LTT_ERROR_INVALID, "no facility");
	REFUSE(file, 8, 4, "", LTT_ERROR_INVALID, "8 is below that of the event before, 9");
	REFUSE(file, G_MAXUINT64, 4, "", LTT_ERROR_INVALID, "cannot be written");
	REFUSE(file, (guint64)4294967296 * LTT_NS_PER_S, 4, "", LTT_ERROR_INVALID, "32 bits");
	UNIT_ASSERT_OK(ltt_trace_writer_close(writer, &error), error);
	UNIT_ASSERT_FILE(path, "cpu/1",
			 "01 00  00 00 00 00  00 00 00 00  09 00 00 00  09 00*7  00 00 00 00 "
			 "04 00  00 00 00 00 "
			 "02 00  00 00 00 00  00 00 00 00  09 00 00 00  09 00*7  00 00 00 00 "
			 "00*66  20 00 00 00");
}

static void test_the_last_time_that_can_be_written(void)
{
	g_autofree char *path = writer_fresh_path();
	g_autoptr(LttFacility) facility = writer_facility();
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTraceWriter) writer = writer_new(path, 96);
	LttTracefileWriter *file = ltt_trace_writer_open(writer, "cpu/0", NULL);

	writer_load(writer, facility, 4);
	UNIT_ASSERT_OK(ltt_tracefile_writer_event(file, (guint64)4294967296 * LTT_NS_PER_S - 1, 4,
						  NULL, 0, &error),
		       error);
	CU_ASSERT_FALSE(ltt_tracefile_writer_time_value(
		file, G_MAXUINT64, (guint64)4294967296 * LTT_NS_PER_S, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, "cpu/0: time value");
	g_clear_error(&error);
	CU_ASSERT_FALSE(ltt_tracefile_writer_time_value(file, 5, 0, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, "below that of the event before");
}

static void test_times_before_1970(void)
{
	static const LttWriterOptions options = {
		.line = {.cycles = 1000, .time_ns = 5, .dt_ns = 1, .dc_cycles = 1}};
	g_autofree char *path = writer_fresh_path();
	g_autoptr(LttSystem) system = unit_system_new(LTT_BIG_ENDIAN, LTT_LP64, 96);
	g_autoptr(LttFacility) facility = writer_facility();
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTraceWriter) writer = ltt_trace_writer_new(path, system, &options, &error);
	LttTracefileWriter *file = ltt_trace_writer_open(writer, "cpu/0", NULL);

	writer_load(writer, facility, 4);
	REFUSE(file, 994, 4, "", LTT_ERROR_INVALID, "from 1970 on");
	UNIT_ASSERT_OK(ltt_tracefile_writer_event(file, 995, 4, NULL, 0, &error), error);
}

static void test_lines_that_are_none(void)
{
	static const LttWriterOptions wrong[] = {
		{.line = {.dt_ns = 1}},
		{.line = {.time_ns = G_MAXUINT64, .dt_ns = 1, .dc_cycles = 1}},
	};
	g_autofree char *path = writer_fresh_path();
	g_autoptr(LttSystem) system = unit_system_new(LTT_BIG_ENDIAN, LTT_LP64, 96);

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_PTR_NULL(ltt_trace_writer_new(path, system, &wrong[i], &error));
		UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, "line");
		CU_ASSERT_FALSE(g_file_test(path, G_FILE_TEST_EXISTS));
	}
}

static void test_the_dialect_is_not_written(void)
{
	g_autofree char *path = writer_fresh_path();
	g_autoptr(LttSystem) system = unit_system_new(LTT_BIG_ENDIAN, LTT_LP64, 96);
	g_autoptr(GError) error = NULL;

	ltt_system_set(system, "ltt_minor_version", "2");
	CU_ASSERT_FATAL(ltt_system_seal(system, NULL));
	CU_ASSERT_PTR_NULL(ltt_trace_writer_new(path, system, NULL, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, "ltt_minor_version");
	CU_ASSERT_FALSE(g_file_test(path, G_FILE_TEST_EXISTS));
}

static void test_names_of_tracefiles(void)
{
	static const char *const wrong[] = {
		"cpu/4",
		"cpu/03",
		"cpu/",
		"cpu/+1",
		"cpu/0x1",
		"cpu/a",
		"cpu",
		"control/",
		"control",
		"control/.x",
		"control/facilities",
		"",
		"control/a/b",
		"../cpu/0",
		"info/x",
		"control/..",
	};
	g_autofree char *path = writer_fresh_path();
	g_autoptr(LttTraceWriter) writer = writer_new(path, 96);
	LttTracefileWriter *file;

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_PTR_NULL(ltt_trace_writer_open(writer, wrong[i], &error));
		UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, "no name for a tracefile");
	}
	file = ltt_trace_writer_open(writer, "cpu/3", NULL);
	CU_ASSERT_PTR_NOT_NULL(file);
	CU_ASSERT_PTR_EQUAL(ltt_trace_writer_open(writer, "cpu/3", NULL), file);
	CU_ASSERT_PTR_NOT_NULL(ltt_trace_writer_open(writer, "control/net", NULL));
	CU_ASSERT(ltt_trace_writer_close(writer, NULL));
	/* Files without events have no bytes. */
	UNIT_ASSERT_FILE(path, "cpu/3", "");
	UNIT_ASSERT_FILE(path, "control/net", "");
	UNIT_ASSERT_FILE(path, "control/facilities", "");
}

static void test_versions_of_a_facility(void)
{
	g_autofree char *path = writer_fresh_path();
	g_autoptr(LttFacility) first = of_size("disk", 3);
	g_autoptr(LttFacility) second = of_size("disk", 2);
	g_autoptr(LttFacility) again = of_size("disk", 3);
	g_autoptr(LttFacility) empty = of_size("idle", 0);
	g_autofree char *name =
		g_strdup_printf("eventdefs/disk-%08x.xml", ltt_facility_get_checksum(second));
	g_autofree char *text = ltt_eventdefs_print(second);
	g_autoptr(GByteArray) got = NULL;
	g_autoptr(LttTraceWriter) writer = writer_new(path, 96);

	writer_load(writer, first, 4);
	writer_load(writer, second, 7);
	writer_load(writer, again, 4);
	writer_load(writer, empty, 9);
	writer_load(writer, second, 7);
	CU_ASSERT(ltt_trace_writer_close(writer, NULL));
	got = unit_file_bytes(path, name);
	CU_ASSERT_PTR_NOT_NULL_FATAL(got);
	CU_ASSERT(got->len == strlen(text) && memcmp(got->data, text, got->len) == 0);
	g_byte_array_unref(g_steal_pointer(&got));
	got = unit_file_bytes(path, "eventdefs/disk.xml");
	CU_ASSERT_PTR_NOT_NULL(got);
	g_byte_array_unref(g_steal_pointer(&got));
	/* One load of each, of 19 bytes: two of them fit a block of 96. */
	got = unit_file_bytes(path, "control/facilities");
	CU_ASSERT_EQUAL_FATAL(got->len, 2 * 96);
	CU_ASSERT_EQUAL(got->data[26 + 15], 4);
	CU_ASSERT_EQUAL(got->data[26 + 19 + 15], 7);
	CU_ASSERT_EQUAL(got->data[92], 26 + 2 * 19);
	CU_ASSERT_EQUAL(got->data[96 + 22], 1);
	CU_ASSERT_EQUAL(got->data[96 + 26 + 15], 9);
	CU_ASSERT_EQUAL(got->data[96 + 92], 26 + 19);
}

static void test_facilities_that_cannot_be_loaded(void)
{
	g_autofree char *path = writer_fresh_path();
	g_autoptr(LttFacility) builtin = of_size("builtin", 1);
	g_autoptr(LttFacility) long_name = of_size("a23456789_123456789_123456", 1);
	g_autoptr(LttFacility) longest = of_size("a23456789_123456789_12345", 1);
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTraceWriter) writer = writer_new(path, 96);
	guint32 base_code = 77;

	CU_ASSERT_FALSE(ltt_trace_writer_load(writer, builtin, &base_code, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, "facility builtin");
	g_clear_error(&error);
	CU_ASSERT_FALSE(ltt_trace_writer_load(writer, long_name, &base_code, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_LIMIT, "its name is too long for blocks of 96 bytes");
	g_clear_error(&error);
	CU_ASSERT_EQUAL(base_code, 77);
	writer_load(writer, longest, 4);
}

static void test_event_ids_are_used_up(void)
{
	g_autofree char *path = writer_fresh_path();
	g_autoptr(LttFacility) rest = of_size("rest", 4092);
	g_autoptr(LttFacility) one = of_size("one", 1);
	g_autoptr(LttFacility) none = of_size("none", 0);
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTraceWriter) writer = writer_new(path, 4096);
	LttTracefileWriter *file = ltt_trace_writer_open(writer, "cpu/0", NULL);
	guint32 base_code;

	for (guint i = 0; i < 15; i++) {
		g_autofree char *name = g_strdup_printf("f%u", i);
		g_autoptr(LttFacility) facility = of_size(name, 4096);

		writer_load(writer, facility, 4 + i * 4096);
	}
	writer_load(writer, rest, 65536 - 4092);
	CU_ASSERT_FALSE(ltt_trace_writer_load(writer, one, &base_code, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_LIMIT, "facility one: has 1 events, but only 0");
	g_clear_error(&error);
	writer_load(writer, none, 65536);
	UNIT_ASSERT_OK(ltt_tracefile_writer_event(file, 1, 65535, NULL, 0, &error), error);
	UNIT_ASSERT_OK(ltt_trace_writer_close(writer, &error), error);
}

UNIT_MAIN("writer-refuses", UNIT(test_wrong_payloads_leave_the_file_as_it_was),
	  UNIT(test_the_last_time_that_can_be_written), UNIT(test_times_before_1970),
	  UNIT(test_lines_that_are_none), UNIT(test_the_dialect_is_not_written),
	  UNIT(test_names_of_tracefiles), UNIT(test_versions_of_a_facility),
	  UNIT(test_facilities_that_cannot_be_loaded), UNIT(test_event_ids_are_used_up))
