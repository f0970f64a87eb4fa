/* Exact bytes of small traces, written by hand: blocks, heartbeats, loads. */
#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-writer.h>

/* A trace and its writer. */
typedef struct Made {
	char *path;
	LttTraceWriter *writer;
	LttTracefileWriter *cpu0;
	guint32 base_code;
} Made;

static guint n_made;

/* Ids 4: without payload, 5: uint of 4 bytes, 6: a sequence of bytes. */
static LttFacility *small_facility(void)
{
	LttFacility *facility = ltt_facility_new("small");

	ltt_facility_add_event(facility, "none", NULL, NULL);
	ltt_facility_add_event(facility, "word", NULL, ltt_type_new_uint(LTT_WIDTH_4));
	ltt_facility_add_event(facility, "bytes", NULL,
			       ltt_type_new_sequence(LTT_WIDTH_1, ltt_type_new_uint(LTT_WIDTH_1)));
	CU_ASSERT_FATAL(ltt_facility_seal(facility, NULL));
	return facility;
}

static Made begin(const LttSystem *system, const LttWriterOptions *options)
{
	g_autofree char *name = g_strdup_printf("writer-%u", n_made++);
	g_autoptr(LttFacility) facility = small_facility();
	g_autoptr(GError) error = NULL;
	Made made = {.path = unit_temp_path(name)};

	made.writer = ltt_trace_writer_new(made.path, system, options, &error);
	UNIT_ASSERT_OK(made.writer != NULL, error);
	UNIT_ASSERT_OK(ltt_trace_writer_load(made.writer, facility, &made.base_code, &error),
		       error);
	made.cpu0 = ltt_trace_writer_open(made.writer, "cpu/0", &error);
	UNIT_ASSERT_OK(made.cpu0 != NULL, error);
	return made;
}

static void add(Made *made, guint64 cycles, guint16 id, const char *hex)
{
	g_autoptr(GByteArray) payload = unit_bytes(hex);
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_tracefile_writer_event(made->cpu0, cycles, id, payload->data,
						  payload->len, &error),
		       error);
}

static void end(Made *made)
{
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_trace_writer_close(made->writer, &error), error);
	ltt_trace_writer_free(made->writer);
	made->writer = NULL;
}

static void clear(Made *made)
{
	ltt_trace_writer_free(made->writer);
	g_free(made->path);
}

static void test_little_endian(void)
{
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, 96);
	Made made = begin(system, NULL);

	CU_ASSERT_EQUAL(made.base_code, 4);
	add(&made, 1000000000000000005, 4, "");
	add(&made, 1000000000000000012, 5, "04 03 02 01");
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "01 00  00 00 00 00  00 ca 9a 3b  05 00 00 00 "
			 "05 00 64 a7 b3 b6 e0 0d  00 00 00 00 "
			 "04 00  00 00 00 00 "
			 "05 00  07 00 00 00  04 03 02 01 "
			 "02 00  07 00 00 00  00 ca 9a 3b  0c 00 00 00 "
			 "0c 00 64 a7 b3 b6 e0 0d  00 00 00 00 "
			 "00*24  2a 00 00 00");
	/* "small", its checksum 0xdf59d596, base code 4, at the time of the first event */
	UNIT_ASSERT_FILE(made.path, "control/facilities",
			 "01 00  00 00 00 00  00 ca 9a 3b  05 00 00 00 "
			 "05 00 64 a7 b3 b6 e0 0d  00 00 00 00 "
			 "00 00  00 00 00 00  73 6d 61 6c 6c 00  96 d5 59 df  04 00 00 00 "
			 "02 00  00 00 00 00  00 ca 9a 3b  05 00 00 00 "
			 "05 00 64 a7 b3 b6 e0 0d  00 00 00 00 "
			 "00*20  2e 00 00 00");
	clear(&made);
}

static void test_big_endian(void)
{
	g_autoptr(LttSystem) system = unit_system_new(LTT_BIG_ENDIAN, LTT_ILP32, 100);
	Made made = begin(system, NULL);

	add(&made, 2000000005, 6, "03 aa bb cc");
	add(&made, 2000000005, 5, "01 02 03 04");
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "00 01  00 00 00 00  00 00 00 02  00 00 00 05 "
			 "00 00 00 00 77 35 94 05  00 00 00 00 "
			 "00 06  00 00 00 00  03 aa bb cc "
			 "00 05  00 00 00 00  01 02 03 04 "
			 "00 02  00 00 00 00  00 00 00 02  00 00 00 05 "
			 "00 00 00 00 77 35 94 05  00 00 00 00 "
			 "00*24  00 00 00 2e");
	UNIT_ASSERT_FILE(made.path, "control/facilities",
			 "00 01  00 00 00 00  00 00 00 02  00 00 00 05 "
			 "00 00 00 00 77 35 94 05  00 00 00 00 "
			 "00 00  00 00 00 00  73 6d 61 6c 6c 00  df 59 d5 96  00 00 00 04 "
			 "00 02  00 00 00 00  00 00 00 02  00 00 00 05 "
			 "00 00 00 00 77 35 94 05  00 00 00 00 "
			 "00*24  00 00 00 2e");
	clear(&made);
}

/* Times are 0.5 ns a cycle, rounded down; the block ends at its last event. */
static void test_times_lie_on_the_line(void)
{
	static const LttWriterOptions options = {
		.line = {.cycles = 1000, .time_ns = 3000000000, .dt_ns = 1, .dc_cycles = 2}};
	g_autoptr(LttSystem) system = unit_system_new(LTT_BIG_ENDIAN, LTT_LP64, 96);
	Made made = begin(system, &options);

	add(&made, 997, 4, "");
	add(&made, 1005, 4, "");
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "00 01  00 00 00 00  00 00 00 02  3b 9a c9 fe  00*6 03 e5  00 00 00 00 "
			 "00 04  00 00 00 00 "
			 "00 04  00 00 00 08 "
			 "00 02  00 00 00 08  00 00 00 03  00 00 00 02  00*6 03 ed  00 00 00 00 "
			 "00*28  00 00 00 26");
	clear(&made);
}

/* A delta of 2^32 - 1 is the largest possible. */
static void test_a_heartbeat_where_a_delta_does_not_fit(void)
{
	static const LttWriterOptions options = {.heartbeat_ns = G_MAXUINT64};
	g_autoptr(LttSystem) system = unit_system_new(LTT_BIG_ENDIAN, LTT_LP64, 120);
	Made made = begin(system, &options);

	add(&made, 7, 4, "");
	add(&made, 7 + (guint64)G_MAXUINT32, 4, "");
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "00 01  00 00 00 00  00 00 00 00  00 00 00 07  00*7 07  00 00 00 00 "
			 "00 04  00 00 00 00 "
			 "00 04  ff ff ff ff "
			 "00 02  ff ff ff ff  00 00 00 04  11 94 d8 06  00 00 00 01 00 00 00 06 "
			 "00 00 00 00 "
			 "00*52  00 00 00 26");
	clear(&made);

	made = begin(system, &options);
	add(&made, 7, 4, "");
	add(&made, 7 + (guint64)G_MAXUINT32 + 1, 4, "");
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "00 01  00 00 00 00  00 00 00 00  00 00 00 07  00*7 07  00 00 00 00 "
			 "00 04  00 00 00 00 "
			 "00 03  ff ff ff ff  00 00 00 04  11 94 d8 07  00 00 00 01 00 00 00 07 "
			 "00 04  00 00 00 00 "
			 "00 02  00 00 00 00  00 00 00 04  11 94 d8 07  00 00 00 01 00 00 00 07 "
			 "00 00 00 00 "
			 "00*30  00 00 00 3c");
	clear(&made);
}

/* The interval of 10 ns is 20 cycles of 0.5 ns, counted from the last time value. */
static void test_a_heartbeat_where_the_interval_has_passed(void)
{
	static const LttWriterOptions options = {.heartbeat_ns = 10,
						 .line = {.dt_ns = 1, .dc_cycles = 2}};
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, 200);
	Made made = begin(system, &options);

	add(&made, 100, 4, "");
	add(&made, 119, 4, "");
	add(&made, 120, 4, "");
	add(&made, 139, 4, "");
	add(&made, 177, 4, "");
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "01 00  00 00 00 00  00 00 00 00  32 00 00 00  64 00*7  00 00 00 00 "
			 "04 00  00 00 00 00 "
			 "04 00  13 00 00 00 "
			 "03 00  14 00 00 00  00 00 00 00  3c 00 00 00  78 00*7 "
			 "04 00  00 00 00 00 "
			 "04 00  13 00 00 00 "
			 "03 00  39 00 00 00  00 00 00 00  58 00 00 00  b1 00*7 "
			 "04 00  00 00 00 00 "
			 "02 00  00 00 00 00  00 00 00 00  58 00 00 00  b1 00*7  00 00 00 00 "
			 "00*70  64 00 00 00");
	clear(&made);
}

/* 62 bytes of a block are its frame: an event of 34 bytes of payload fits one of 96, and nothing
 * else. */
static void test_a_block_filled_to_the_last_byte(void)
{
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, 96);
	Made made = begin(system, NULL);

	add(&made, 1, 6, "21 11*33");
	add(&made, 2, 6, "1b 22*27");
	add(&made, 2, 4, "");
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "01 00  00 00 00 00  00 00 00 00  01 00 00 00  01 00*7  00 00 00 00 "
			 "06 00  00 00 00 00  21 11*33 "
			 "02 00  00 00 00 00  00 00 00 00  01 00 00 00  01 00*7  00 00 00 00 "
			 "42 00 00 00 "
			 "01 00  00 00 00 00  00 00 00 00  02 00 00 00  02 00*7  01 00 00 00 "
			 "06 00  00 00 00 00  1b 22*27 "
			 "04 00  00 00 00 00 "
			 "02 00  00 00 00 00  00 00 00 00  02 00 00 00  02 00*7  01 00 00 00 "
			 "42 00 00 00");
	clear(&made);
}

/* The second event is one byte too long for the rest of the block. */
static void test_one_byte_more_begins_a_block(void)
{
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, 96);
	Made made = begin(system, NULL);

	add(&made, 1, 6, "1b 22*27");
	add(&made, 3, 6, "00");
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "01 00  00 00 00 00  00 00 00 00  01 00 00 00  01 00*7  00 00 00 00 "
			 "06 00  00 00 00 00  1b 22*27 "
			 "02 00  00 00 00 00  00 00 00 00  01 00 00 00  01 00*7  00 00 00 00 "
			 "00*6  3c 00 00 00 "
			 "01 00  00 00 00 00  00 00 00 00  03 00 00 00  03 00*7  01 00 00 00 "
			 "06 00  00 00 00 00  00 "
			 "02 00  00 00 00 00  00 00 00 00  03 00 00 00  03 00*7  01 00 00 00 "
			 "00*33  21 00 00 00");
	clear(&made);
}

/* Event and heartbeat together do not fit: the block_start of the next block serves as time
 * value. */
static void test_a_heartbeat_too_many_begins_a_block(void)
{
	static const LttWriterOptions options = {.heartbeat_ns = 10};
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, 96);
	Made made = begin(system, &options);

	add(&made, 1, 6, "05 33*5");
	add(&made, 11, 6, "01 44");
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "01 00  00 00 00 00  00 00 00 00  01 00 00 00  01 00*7  00 00 00 00 "
			 "06 00  00 00 00 00  05 33*5 "
			 "02 00  00 00 00 00  00 00 00 00  01 00 00 00  01 00*7  00 00 00 00 "
			 "00*28  26 00 00 00 "
			 "01 00  00 00 00 00  00 00 00 00  0b 00 00 00  0b 00*7  01 00 00 00 "
			 "06 00  00 00 00 00  01 44 "
			 "02 00  00 00 00 00  00 00 00 00  0b 00 00 00  0b 00*7  01 00 00 00 "
			 "00*32  22 00 00 00");
	clear(&made);
}

static void test_block_ids_count_up(void)
{
	g_autoptr(LttSystem) system = unit_system_new(LTT_BIG_ENDIAN, LTT_LP64, 96);
	g_autoptr(GByteArray) got = NULL;
	Made made = begin(system, NULL);

	for (guint i = 0; i < 300; i++)
		add(&made, i, 6, "21 00*33");
	end(&made);
	got = unit_file_bytes(made.path, "cpu/0");
	CU_ASSERT_EQUAL_FATAL(got->len, 300 * 96);
	for (guint i = 0; i < 300; i++) {
		CU_ASSERT_EQUAL(got->data[i * 96 + 24] * 256 + got->data[i * 96 + 25], i);
		CU_ASSERT_EQUAL(got->data[i * 96 + 90] * 256 + got->data[i * 96 + 91], i);
	}
	clear(&made);
}

/* Long padding is a hole in the file, and contains no bytes of earlier blocks. */
static void test_large_blocks(void)
{
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, 1 << 20);
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_autoptr(GByteArray) got = NULL;
	Made made = begin(system, NULL);

	add(&made, 1, 6, "02 55 55");
	end(&made);
	got = unit_file_bytes(made.path, "cpu/0");
	CU_ASSERT_EQUAL_FATAL(got->len, 1 << 20);
	g_byte_array_append(bytes, got->data, 64);
	UNIT_ASSERT_BYTES(bytes,
			  "01 00  00 00 00 00  00 00 00 00  01 00 00 00  01 00*7  00 00 00 00 "
			  "06 00  00 00 00 00  02 55 55 "
			  "02 00  00 00 00 00  00 00 00 00  01 00 00 00  01 00*7  00 00 00 00 "
			  "00*3");
	for (guint i = 64; i < got->len - 4; i++)
		if (got->data[i] != 0)
			CU_FAIL_FATAL("padding is not zero");
	CU_ASSERT_EQUAL(got->data[got->len - 4], 26 + 9);
	clear(&made);
}

/* The rate continues from each explicit time value. */
static void test_time_values_off_the_line(void)
{
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, 110);
	g_autoptr(GError) error = NULL;
	Made made = begin(system, NULL);

	add(&made, 50, 4, "");
	UNIT_ASSERT_OK(ltt_tracefile_writer_time_value(made.cpu0, 60, 80, &error), error);
	add(&made, 65, 4, "");
	/* The next one does not fit: it ends the block and begins the next. */
	UNIT_ASSERT_OK(ltt_tracefile_writer_time_value(made.cpu0, 70, 170, &error), error);
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "01 00  00 00 00 00  00 00 00 00  32 00 00 00  32 00*7  00 00 00 00 "
			 "04 00  00 00 00 00 "
			 "03 00  0a 00 00 00  00 00 00 00  50 00 00 00  3c 00*7 "
			 "04 00  05 00 00 00 "
			 "02 00  0a 00 00 00  00 00 00 00  aa 00 00 00  46 00*7  00 00 00 00 "
			 "00*20  3c 00 00 00 "
			 "01 00  00 00 00 00  00 00 00 00  aa 00 00 00  46 00*7  01 00 00 00 "
			 "02 00  00 00 00 00  00 00 00 00  aa 00 00 00  46 00*7  01 00 00 00 "
			 "00*54  1a 00 00 00");
	clear(&made);
}

/* The ends of a block whose times fall show its earliest and its latest time. */
static void test_times_that_fall(void)
{
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, 150);
	g_autoptr(GError) error = NULL;
	g_autoptr(GByteArray) loads = NULL;
	g_autoptr(GByteArray) start = g_byte_array_new();
	Made made = begin(system, NULL);

	add(&made, 50, 4, "");
	UNIT_ASSERT_OK(ltt_tracefile_writer_time_value(made.cpu0, 60, 40, &error), error);
	add(&made, 65, 4, "");
	/* The next one does not fit: it ends the block and begins the next. */
	UNIT_ASSERT_OK(ltt_tracefile_writer_time_value(made.cpu0, 70, 41, &error), error);
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "01 00  00 00 00 00  00 00 00 00  32 00 00 00  32 00*7  00 00 00 00 "
			 "04 00  00 00 00 00 "
			 "03 00  0a 00 00 00  00 00 00 00  28 00 00 00  3c 00*7 "
			 "04 00  05 00 00 00 "
			 "03 00  0a 00 00 00  00 00 00 00  29 00 00 00  46 00*7 "
			 "03 00  00 00 00 00  00 00 00 00  32 00 00 00  46 00*7 "
			 "02 00  00 00 00 00  00 00 00 00  28 00 00 00  46 00*7  00 00 00 00 "
			 "00*16  68 00 00 00 "
			 "01 00  00 00 00 00  00 00 00 00  29 00 00 00  46 00*7  01 00 00 00 "
			 "02 00  00 00 00 00  00 00 00 00  29 00 00 00  46 00*7  01 00 00 00 "
			 "00*94  1a 00 00 00");
	/* The earliest time of the trace is that of a time value, not of its first event. */
	loads = unit_file_bytes(made.path, "control/facilities");
	g_byte_array_append(start, loads->data, 26);
	UNIT_ASSERT_BYTES(start, "01 00  00 00 00 00  00 00 00 00  28 00 00 00  3c 00*7  "
				 "00 00 00 00");
	clear(&made);
}

/* Without room for them, the first time value that is earlier begins a new block. */
static void test_a_fall_that_does_not_fit(void)
{
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, 123);
	g_autoptr(GError) error = NULL;
	Made made = begin(system, NULL);

	add(&made, 50, 4, "");
	UNIT_ASSERT_OK(ltt_tracefile_writer_time_value(made.cpu0, 60, 40, &error), error);
	end(&made);
	UNIT_ASSERT_FILE(made.path, "cpu/0",
			 "01 00  00 00 00 00  00 00 00 00  32 00 00 00  32 00*7  00 00 00 00 "
			 "04 00  00 00 00 00 "
			 "02 00  00 00 00 00  00 00 00 00  32 00 00 00  32 00*7  00 00 00 00 "
			 "00*61  20 00 00 00 "
			 "01 00  00 00 00 00  00 00 00 00  28 00 00 00  3c 00*7  01 00 00 00 "
			 "02 00  00 00 00 00  00 00 00 00  28 00 00 00  3c 00*7  01 00 00 00 "
			 "00*67  1a 00 00 00");
	clear(&made);
}

UNIT_MAIN("writer", UNIT(test_little_endian), UNIT(test_big_endian),
	  UNIT(test_times_lie_on_the_line), UNIT(test_a_heartbeat_where_a_delta_does_not_fit),
	  UNIT(test_a_heartbeat_where_the_interval_has_passed),
	  UNIT(test_a_block_filled_to_the_last_byte), UNIT(test_one_byte_more_begins_a_block),
	  UNIT(test_a_heartbeat_too_many_begins_a_block), UNIT(test_block_ids_count_up),
	  UNIT(test_large_blocks), UNIT(test_time_values_off_the_line), UNIT(test_times_that_fall),
	  UNIT(test_a_fall_that_does_not_fit))
