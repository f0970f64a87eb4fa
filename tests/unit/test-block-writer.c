/* The block writer: exact bytes of blocks, and the conversion of cycles to times. */
#include "support-trace.h"
#include "unit.h"

#include "writer/block-writer-priv.h"
#include "writer/line-priv.h"

static const guint8 four[] = {1, 2, 3, 4};

static void assert_block(const LttBlockWriter *block, const char *hex, int line)
{
	g_autoptr(GByteArray) got = g_byte_array_new();

	g_byte_array_append(got, block->bytes, (guint)block->size_bytes);
	unit_assert_bytes(got, hex, __FILE__, line);
}
#define ASSERT_BLOCK(block, hex) assert_block(block, hex, __LINE__)

static void test_an_open_block_is_valid_after_every_event(void)
{
	LttBlockWriter block;

	CU_ASSERT_FATAL(ltt_block_writer_init(&block, 96, LTT_LITTLE_ENDIAN));
	ASSERT_BLOCK(&block, "00*96"); /* an empty block */
	CU_ASSERT_EQUAL(ltt_block_writer_get_room(&block), 0);
	CU_ASSERT_FALSE(ltt_block_writer_is_open(&block));

	ltt_block_writer_begin(&block, 0x01020304, 0x1122334455667788, 3000000007);
	CU_ASSERT_EQUAL(ltt_block_writer_get_room(&block), 96 - 26 - 26 - 4);
	ASSERT_BLOCK(&block, "01 00  00 00 00 00  03 00 00 00  07 00 00 00 "
			     "88 77 66 55 44 33 22 11  04 03 02 01 "
			     "00*66  00 00 00 00");

	ltt_block_writer_event(&block, 0x1122334455667788 + 0x0a0b, 0x0506, four, sizeof(four));
	CU_ASSERT_EQUAL(ltt_block_writer_get_room(&block), 96 - 26 - 26 - 4 - 10);
	ASSERT_BLOCK(&block, "01 00  00 00 00 00  03 00 00 00  07 00 00 00 "
			     "88 77 66 55 44 33 22 11  04 03 02 01 "
			     "06 05  0b 0a 00 00  01 02 03 04 "
			     "00*56  1a 00 00 00");
	ltt_block_writer_clear(&block);
}

static void test_big_endian(void)
{
	LttBlockWriter block;

	CU_ASSERT_FATAL(ltt_block_writer_init(&block, 110, LTT_BIG_ENDIAN));
	ltt_block_writer_begin(&block, 0x01020304, 0x1122334455667788, 3000000007);
	ltt_block_writer_heartbeat(&block, 0x1122334455667789, 4000000008);
	ltt_block_writer_event(&block, 0x112233445566778b, 0x0506, four, sizeof(four));
	ltt_block_writer_end(&block, 0x112233445566778c, 5000000009);
	CU_ASSERT_FALSE(ltt_block_writer_is_open(&block));
	CU_ASSERT_EQUAL(ltt_block_writer_get_room(&block), 0);
	ASSERT_BLOCK(&block, "00 01  00 00 00 00  00 00 00 03  00 00 00 07 "
			     "11 22 33 44 55 66 77 88  01 02 03 04 "
			     "00 03  00 00 00 01  00 00 00 04  00 00 00 08 "
			     "11 22 33 44 55 66 77 89 "
			     "05 06  00 00 00 02  01 02 03 04 "
			     "00 02  00 00 00 03  00 00 00 05  00 00 00 09 "
			     "11 22 33 44 55 66 77 8c  01 02 03 04 "
			     "00*22  00 00 00 3a");
	ltt_block_writer_clear(&block);
}

/* Padding must not contain bytes of the previous block. */
static void test_padding_is_zero_in_a_block_used_again(void)
{
	LttBlockWriter block;
	guint8 ones[34];

	memset(ones, 0xff, sizeof(ones));
	CU_ASSERT_FATAL(ltt_block_writer_init(&block, 96, LTT_LITTLE_ENDIAN));
	ltt_block_writer_begin(&block, 0, 1, 1);
	ltt_block_writer_event(&block, 1, 4, ones, sizeof(ones));
	CU_ASSERT_EQUAL(ltt_block_writer_get_room(&block), 0);
	ltt_block_writer_end(&block, 1, 1);
	ltt_block_writer_begin(&block, 1, 2, 2);
	ltt_block_writer_end(&block, 2, 2);
	ASSERT_BLOCK(&block, "01 00  00 00 00 00  00 00 00 00  02 00 00 00 "
			     "02 00 00 00 00 00 00 00  01 00 00 00 "
			     "02 00  00 00 00 00  00 00 00 00  02 00 00 00 "
			     "02 00 00 00 00 00 00 00  01 00 00 00 "
			     "00*40  1a 00 00 00");
	ltt_block_writer_clear(&block);
}

/* Time values can be arbitrary: counters that stop, go back, or jump. */
static void test_deltas_of_time_values_saturate(void)
{
	LttBlockWriter block;
	g_autoptr(GByteArray) got = g_byte_array_new();

	CU_ASSERT_FATAL(ltt_block_writer_init(&block, 200, LTT_BIG_ENDIAN));
	ltt_block_writer_begin(&block, 0, 100, 0);
	ltt_block_writer_heartbeat(&block, 50, 0);
	ltt_block_writer_heartbeat(&block, 50 + (guint64)G_MAXUINT32, 0);
	ltt_block_writer_heartbeat(&block, 50 + 2 * (guint64)G_MAXUINT32 + 1, 0);
	ltt_block_writer_end(&block, G_MAXUINT64, LTT_MAX_WRITTEN_NS);
	g_byte_array_append(got, block.bytes + 26, 3 * 22 + 26);
	UNIT_ASSERT_BYTES(got, "00 03  00 00 00 00  00*8  00 00 00 00 00 00 00 32 "
			       "00 03  ff ff ff ff  00*8  00 00 00 01 00 00 00 31 "
			       "00 03  ff ff ff ff  00*8  00 00 00 02 00 00 00 31 "
			       "00 02  ff ff ff ff  ff ff ff ff  3b 9a c9 ff  ff*8  00 00 00 00");
	ltt_block_writer_clear(&block);
}

/* Cycle counts wrap like the counter. */
static void test_an_event_behind_a_wrapped_counter(void)
{
	LttBlockWriter block;
	g_autoptr(GByteArray) got = g_byte_array_new();

	CU_ASSERT_FATAL(ltt_block_writer_init(&block, 96, LTT_BIG_ENDIAN));
	ltt_block_writer_begin(&block, 0, G_MAXUINT64 - 1, 0);
	ltt_block_writer_event(&block, 3, 4, NULL, 0);
	g_byte_array_append(got, block.bytes + 26, 6);
	UNIT_ASSERT_BYTES(got, "00 04  00 00 00 05");
	ltt_block_writer_clear(&block);
}

static void test_times_on_a_line_are_floors(void)
{
	const LttLine line = {.cycles = 100, .time_ns = 1000, .dt_ns = 10, .dc_cycles = 3};
	const LttLine steep = {.cycles = 100, .time_ns = 1000, .dt_ns = 1, .dc_cycles = 1000};
	/* The product of two 64-bit numbers less one: its floor is right only in 128 bits. */
	const LttLine full = {.dt_ns = G_MAXUINT64, .dc_cycles = G_MAXUINT64};

	CU_ASSERT_EQUAL(ltt_line_time_at(&line, 100), 1000);
	CU_ASSERT_EQUAL(ltt_line_time_at(&line, 101), 1003);
	CU_ASSERT_EQUAL(ltt_line_time_at(&line, 102), 1006);
	CU_ASSERT_EQUAL(ltt_line_time_at(&line, 103), 1010);
	CU_ASSERT_EQUAL(ltt_line_time_at(&line, 99), 996);
	CU_ASSERT_EQUAL(ltt_line_time_at(&line, 98), 993);
	CU_ASSERT_EQUAL(ltt_line_time_at(&line, 97), 990);
	CU_ASSERT_EQUAL(ltt_line_time_at(&steep, 99), 999);
	CU_ASSERT_EQUAL(ltt_line_time_at(&steep, 1099), 1000);
	CU_ASSERT_EQUAL(ltt_line_time_at(&full, LTT_MAX_WRITTEN_NS), LTT_MAX_WRITTEN_NS);
}

static void test_the_range_of_a_line(void)
{
	const LttLine line = {.cycles = 100, .time_ns = 10, .dt_ns = 10, .dc_cycles = 3};
	const LttLine slow = {.cycles = 5, .time_ns = 0, .dt_ns = 1, .dc_cycles = G_MAXUINT64};
	const LttLine still = {.cycles = 5, .time_ns = 7, .dt_ns = 0, .dc_cycles = 1};
	const LttLine last = {
		.cycles = 9, .time_ns = LTT_MAX_WRITTEN_NS, .dt_ns = 1, .dc_cycles = 4};
	guint64 least;
	guint64 most;

	ltt_line_get_range(&line, &least, &most);
	CU_ASSERT_EQUAL(least, 97);
	CU_ASSERT_EQUAL(ltt_line_time_at(&line, least), 0);
	CU_ASSERT(ltt_line_time_at(&line, most) <= LTT_MAX_WRITTEN_NS);
	CU_ASSERT(ltt_line_time_at(&line, most) > LTT_MAX_WRITTEN_NS - 4);
	CU_ASSERT(ltt_line_time_at(&line, most + 1) > LTT_MAX_WRITTEN_NS);

	ltt_line_get_range(&slow, &least, &most);
	CU_ASSERT_EQUAL(least, 5);
	CU_ASSERT_EQUAL(most, G_MAXUINT64);

	ltt_line_get_range(&still, &least, &most);
	CU_ASSERT_EQUAL(least, 0);
	CU_ASSERT_EQUAL(most, G_MAXUINT64);
	CU_ASSERT_EQUAL(ltt_line_time_at(&still, 1234), 7);

	ltt_line_get_range(&last, &least, &most);
	CU_ASSERT_EQUAL(least, 0);
	CU_ASSERT_EQUAL(most, 12);
	CU_ASSERT_EQUAL(ltt_line_time_at(&last, 0), LTT_MAX_WRITTEN_NS - 3);
}

static void test_cycles_in_a_duration(void)
{
	const LttLine line = {.dt_ns = 10, .dc_cycles = 3};
	const LttLine fast = {.dt_ns = 1, .dc_cycles = G_MAXUINT64};
	const LttLine still = {.dt_ns = 0, .dc_cycles = 1};

	CU_ASSERT_EQUAL(ltt_line_cycles_in(&line, 1), 1);
	CU_ASSERT_EQUAL(ltt_line_cycles_in(&line, 10), 3);
	CU_ASSERT_EQUAL(ltt_line_cycles_in(&line, 11), 4);
	CU_ASSERT_EQUAL(ltt_line_cycles_in(&fast, 2), G_MAXUINT64);
	CU_ASSERT_EQUAL(ltt_line_cycles_in(&still, 1), G_MAXUINT64);
}

UNIT_MAIN("block-writer", UNIT(test_an_open_block_is_valid_after_every_event),
	  UNIT(test_big_endian), UNIT(test_padding_is_zero_in_a_block_used_again),
	  UNIT(test_deltas_of_time_values_saturate), UNIT(test_an_event_behind_a_wrapped_counter),
	  UNIT(test_times_on_a_line_are_floors), UNIT(test_the_range_of_a_line),
	  UNIT(test_cycles_in_a_duration))
