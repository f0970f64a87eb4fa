/* BPF programs of a recording: complete, incomplete, and with arrays outside their data. */
#include "unit.h"

#include "base/bytes-priv.h"
#include "formats/perf/file/programs-priv.h"

#include <string.h>

#define INFO_AT    16
#define INFO_BYTES 232
#define DATA_BYTES 48
#define MOST_BYTES 4096

/* Offsets in the packed bytes. */
enum {
	NAME_AT = 16,
	NUMBERS_AT = 20,
	ARRAYS_AT = 105,
};

/* A program of 232 bytes of info, called "abc", with two functions, and line info whose items are
 * larger than ours. */
static void make(guint8 program[INFO_AT + INFO_BYTES + DATA_BYTES], LttByteOrder order)
{
	guint8 *info = program + INFO_AT;
	guint8 *data = info + INFO_BYTES;

	memset(program, 0, INFO_AT + INFO_BYTES + DATA_BYTES);
	ltt_store_u32(program, INFO_BYTES, order);
	ltt_store_u32(program + 4, DATA_BYTES, order);
	ltt_store_u64(program + 8, 1 << 3 | 1 << 6, order);
	ltt_store_u32(info, 6, order);
	ltt_store_u32(info + 4, 99, order);
	memcpy(info + 8, "\1\2\3\4\5\6\7\10", 8);
	memcpy(info + 64, "abc", 3);
	ltt_store_u32(info + 84, order == LTT_LITTLE_ENDIAN ? 1 : 1U << 31, order);
	ltt_store_u32(info + 104, 2, order);
	ltt_store_u64(info + 112, 8, order);
	ltt_store_u32(info + 148, 1, order);
	ltt_store_u64(info + 152, 24, order);
	ltt_store_u32(info + 172, 20, order);
	ltt_store_u32(info + 224, 77, order);
	ltt_store_u64(data + 8, 0xabc, order);
	ltt_store_u64(data + 16, 0xdef, order);
	ltt_store_u32(data + 36, 5 << 10 | 1, order);
}

static void test_program(void)
{
	for (guint order = LTT_LITTLE_ENDIAN; order <= LTT_BIG_ENDIAN; order++) {
		g_autoptr(GByteArray) out = g_byte_array_new();
		guint8 program[INFO_AT + INFO_BYTES + DATA_BYTES];
		LttPerfFault fault;
		const guint8 *arrays;

		make(program, order);
		CU_ASSERT_EQUAL(ltt_perf_program_get_size(program, order), sizeof(program));
		CU_ASSERT_TRUE_FATAL(ltt_perf_program_pack(program, sizeof(program), order,
							   MOST_BYTES, out, &fault));
		CU_ASSERT_EQUAL(ltt_load_u32(out->data, order), 6);
		CU_ASSERT_EQUAL(ltt_load_u32(out->data + 4, order), 99);
		CU_ASSERT_EQUAL(memcmp(out->data + 8, "\1\2\3\4\5\6\7\10", 8), 0);
		UNIT_ASSERT_TEXT((const char *)out->data + NAME_AT, "abc");
		CU_ASSERT_EQUAL(out->data[NUMBERS_AT], 1);
		CU_ASSERT_EQUAL(ltt_load_u32(out->data + ARRAYS_AT - 4, order), 77);
		/* no ids of maps; two addresses; no lengths, tags, functions; a line */
		arrays = out->data + ARRAYS_AT;
		CU_ASSERT_EQUAL_FATAL(out->len, ARRAYS_AT + 9 * 4 + 2 * 8 + 16);
		CU_ASSERT_EQUAL(ltt_load_u32(arrays, order), 0);
		CU_ASSERT_EQUAL(ltt_load_u32(arrays + 4, order), 2);
		CU_ASSERT_EQUAL(ltt_load_u64(arrays + 8, order), 0xabc);
		CU_ASSERT_EQUAL(ltt_load_u64(arrays + 16, order), 0xdef);
		CU_ASSERT_EQUAL(ltt_load_u32(arrays + 36, order), 1);
		CU_ASSERT_EQUAL(ltt_load_u32(arrays + 52, order), 5 << 10 | 1);
	}
}

/* Values that an older kernel does not provide are 0. */
static void test_older_and_shorter(void)
{
	guint8 program[INFO_AT + INFO_BYTES + DATA_BYTES];

	for (guint32 info_bytes = 0; info_bytes <= INFO_BYTES; info_bytes++) {
		g_autoptr(GByteArray) out = g_byte_array_new();
		g_autofree guint8 *cut = g_malloc(INFO_AT + info_bytes);
		LttPerfFault fault;

		make(program, LTT_LITTLE_ENDIAN);
		memcpy(cut, program, INFO_AT + info_bytes);
		ltt_store_u32(cut, info_bytes, LTT_LITTLE_ENDIAN);
		ltt_store_u32(cut + 4, 0, LTT_LITTLE_ENDIAN);
		ltt_store_u64(cut + 8, 0, LTT_LITTLE_ENDIAN);
		CU_ASSERT_TRUE(ltt_perf_program_pack(cut, INFO_AT + info_bytes, LTT_LITTLE_ENDIAN,
						     MOST_BYTES, out, &fault));
		CU_ASSERT_EQUAL(out->data[4], info_bytes >= 8 ? 99 : 0);
	}
}

static void check_refused(gsize at, guint32 value, gsize byte, const char *field, const char *why)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	guint8 program[INFO_AT + INFO_BYTES + DATA_BYTES];
	LttPerfFault fault = {0};

	make(program, LTT_LITTLE_ENDIAN);
	ltt_store_u32(program + INFO_AT + at, value, LTT_LITTLE_ENDIAN);
	CU_ASSERT_FALSE(ltt_perf_program_pack(program, sizeof(program), LTT_LITTLE_ENDIAN,
					      MOST_BYTES, out, &fault));
	CU_ASSERT_EQUAL(fault.byte, INFO_AT + byte);
	UNIT_ASSERT_TEXT(fault.field, field);
	UNIT_ASSERT_TEXT(fault.why, why);
	CU_ASSERT_EQUAL(out->len, 0);
}

static void test_arrays_elsewhere(void)
{
	check_refused(112, 33, 112, "jited_ksyms", "it lies outside of the data");
	check_refused(112, 49, 112, "jited_ksyms", "it lies outside of the data");
	check_refused(116, 1, 112, "jited_ksyms", "it lies outside of the data");
	check_refused(104, G_MAXUINT32, 112, "jited_ksyms", "it lies outside of the data");
	check_refused(172, 15, 172, "line_info", "its items are smaller than in any kernel");
	check_refused(172, 25, 152, "line_info", "it lies outside of the data");
}

/* An array that does not fit becomes empty; later arrays are kept. */
static void test_too_large(void)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	guint8 program[INFO_AT + INFO_BYTES + DATA_BYTES];
	LttPerfFault fault;

	make(program, LTT_LITTLE_ENDIAN);
	ltt_store_u32(program + INFO_AT + 104, 5, LTT_LITTLE_ENDIAN);
	CU_ASSERT_TRUE(ltt_perf_program_pack(program, sizeof(program), LTT_LITTLE_ENDIAN,
					     ARRAYS_AT + 40, out, &fault));
	CU_ASSERT_EQUAL(ltt_load_u32(out->data + ARRAYS_AT + 4, LTT_LITTLE_ENDIAN), 0);
	CU_ASSERT_EQUAL(ltt_load_u32(out->data + ARRAYS_AT + 20, LTT_LITTLE_ENDIAN), 1);
}

UNIT_MAIN("perf-programs", UNIT(test_program), UNIT(test_older_and_shorter),
	  UNIT(test_arrays_elsewhere), UNIT(test_too_large))
