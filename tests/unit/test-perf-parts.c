/* Bit fields: their values, and that they convert back to the same bits. */
#include "unit.h"

#include "formats/perf/file/number-parts-priv.h"

#include <string.h>

/* Packs @value and compares; unpacks the result, and each truncation of it. */
static void check(const LttPerfField *field, LttByteOrder order, guint64 value, const char *packed,
		  gsize packed_bytes)
{
	guint8 out[LTT_PERF_MAX_PARTS_BYTES];
	guint64 again = 0;
	gsize taken_bytes = 0;

	CU_ASSERT_EQUAL_FATAL(ltt_perf_parts_pack(field, value, order, out), packed_bytes);
	CU_ASSERT_EQUAL(memcmp(out, packed, packed_bytes), 0);
	CU_ASSERT_TRUE(
		ltt_perf_parts_unpack(field, order, out, packed_bytes, &again, &taken_bytes));
	CU_ASSERT_EQUAL(again, value);
	CU_ASSERT_EQUAL(taken_bytes, packed_bytes);
	for (gsize cut = 0; cut < packed_bytes; cut++) {
		g_autofree guint8 *less = g_memdup2(packed, MAX(cut, 1));

		CU_ASSERT_FALSE(
			ltt_perf_parts_unpack(field, order, less, cut, &again, &taken_bytes));
	}
}

#define CHECK(field, order, value, packed) check(field, order, value, packed, sizeof(packed) - 1)

static void test_flags_of_a_branch(void)
{
	const LttPerfField little = ltt_perf_branch_flags(LTT_LITTLE_ENDIAN);
	const LttPerfField big = ltt_perf_branch_flags(LTT_BIG_ENDIAN);

	/* predicted, 0x123 cycles, COND, speculated rightly, in the kernel, and a reserved bit */
	CHECK(&little, LTT_LITTLE_ENDIAN,
	      2 | 0x123 << 4 | 1 << 20 | 3 << 24 | (guint64)2 << 30 | (guint64)1 << 63,
	      "\0\1\0\0\x23\1\1\3\0\2\0\0\0\x40");
	CHECK(&big, LTT_BIG_ENDIAN,
	      (guint64)1 << 62 | (guint64)0x123 << 44 | (guint64)1 << 40 | (guint64)3 << 38 |
		      (guint64)2 << 31 | 1,
	      "\0\1\0\0\1\x23\1\3\0\2\0\0\0\1");
	CHECK(&little, LTT_LITTLE_ENDIAN, G_MAXUINT64,
	      "\1\1\1\1\xff\xff\xf\3\xf\7\xff\xff\xff\x7f");
}

static void test_source_of_data(void)
{
	const LttPerfField field = ltt_perf_data_src();

	/* perf mem prints this as: LOAD, L1 hit, no snoop, TLB L1 or L2 hit, not locked */
	CHECK(&field, LTT_LITTLE_ENDIAN, 0x68100142, "\1\1\2\1\3\1\1\0\3\1\3\4\0\0\0\0\0\0\0\0");
	CHECK(&field, LTT_BIG_ENDIAN, 0, "\0\0\0\0\0\0\0\0\0\0\0\0\0");
}

static void test_transaction(void)
{
	const LttPerfField field = ltt_perf_transaction();

	CHECK(&field, LTT_LITTLE_ENDIAN, (guint64)0xab << 32 | 0x82, "\2\1\7\xab\0\0\0");
}

/* The parts cover each bit exactly once. */
static void test_all_bits(void)
{
	const LttPerfField all[] = {ltt_perf_branch_flags(LTT_LITTLE_ENDIAN),
				    ltt_perf_branch_flags(LTT_BIG_ENDIAN), ltt_perf_data_src(),
				    ltt_perf_transaction()};
	g_autoptr(GRand) chance = g_rand_new_with_seed(8);
	guint8 out[LTT_PERF_MAX_PARTS_BYTES];

	for (guint i = 0; i < G_N_ELEMENTS(all); i++)
		for (guint j = 0; j < 2000; j++) {
			const guint64 value =
				(guint64)g_rand_int(chance) << 32 | g_rand_int(chance);
			const gsize length =
				ltt_perf_parts_pack(&all[i], value, LTT_BIG_ENDIAN, out);
			guint64 again = 0;
			gsize taken_bytes;

			CU_ASSERT_TRUE(ltt_perf_parts_unpack(&all[i], LTT_BIG_ENDIAN, out, length,
							     &again, &taken_bytes));
			CU_ASSERT_EQUAL(again, value);
		}
}

/* Unpacks by way of the cache, also with bytes missing and with bytes behind. */
static void check_back(LttPerfMemo *back, const LttPerfField *field, LttByteOrder order,
		       guint8 *packed, gsize length, guint64 value)
{
	guint64 again = 0;
	gsize taken_bytes = 0;

	memset(packed + length, 0xff, 16);
	for (gsize more = 0; more <= 16; more += 8) {
		CU_ASSERT_TRUE(ltt_perf_memo_unpack(back, field, order, packed, length + more,
						    &again, &taken_bytes));
		CU_ASSERT_EQUAL(again, value);
		CU_ASSERT_EQUAL(taken_bytes, length);
	}
	CU_ASSERT_FALSE(
		ltt_perf_memo_unpack(back, field, order, packed, length - 1, &again, &taken_bytes));
}

/* The fast paths give the same result: all numbers at once, and cached values. */
static void test_quick_ways(void)
{
	static const LttByteOrder orders[] = {LTT_LITTLE_ENDIAN, LTT_BIG_ENDIAN};
	g_autoptr(GRand) chance = g_rand_new_with_seed(9);
	guint8 expected[LTT_PERF_MAX_PARTS_BYTES];
	guint8 out[LTT_PERF_MAX_PARTS_BYTES];

	for (guint i = 0; i < G_N_ELEMENTS(orders); i++) {
		const LttPerfField fields[] = {ltt_perf_data_src(), ltt_perf_transaction()};
		const LttPerfField flags = ltt_perf_branch_flags(orders[i]);
		g_autofree LttPerfMemo *memo = g_new0(LttPerfMemo, 1);
		g_autofree LttPerfMemo *back = g_new0(LttPerfMemo, 1);
		LttPerfNumbers numbers;

		CU_ASSERT_TRUE_FATAL(ltt_perf_parts_are_numbers(&flags));
		CU_ASSERT_FALSE(ltt_perf_parts_are_numbers(&fields[0]));
		ltt_perf_numbers_init(&numbers, &flags);
		for (guint j = 0; j < 5000; j++) {
			const LttPerfField *field = &fields[j % 2];
			/* A few repeated low values, and others that evict them from the cache. */
			const guint64 value = (guint64)(j % 3 == 0 ? g_rand_int(chance) : 0) << 32 |
					      (guint64)g_rand_int_range(chance, 0, 100);
			gsize length = ltt_perf_parts_pack(field, value, orders[i], expected);

			CU_ASSERT_EQUAL(ltt_perf_memo_pack(memo, field, value, orders[i], out),
					length);
			CU_ASSERT_EQUAL(memcmp(out, expected, length), 0);
			check_back(back, field, orders[i], out, length, value);
			length = ltt_perf_parts_pack(&flags, value, orders[i], expected);
			CU_ASSERT_PTR_EQUAL(ltt_perf_numbers_pack(&numbers, value, orders[i], out),
					    out + length);
			CU_ASSERT_EQUAL(memcmp(out, expected, length), 0);
		}
	}
}

static void test_more_than_a_part_has_room_for(void)
{
	const LttPerfField field = ltt_perf_transaction();
	const LttPerfField flags = ltt_perf_branch_flags(LTT_LITTLE_ENDIAN);
	guint64 value;
	gsize taken_bytes;

	/* bit 32 of 32; two in one bit */
	CU_ASSERT_FALSE(ltt_perf_parts_unpack(&field, LTT_LITTLE_ENDIAN,
					      (const guint8 *)"\1\x20\0\0\0\0", 6, &value,
					      &taken_bytes));
	CU_ASSERT_FALSE(ltt_perf_parts_unpack(&flags, LTT_LITTLE_ENDIAN,
					      (const guint8 *)"\2\0\0\0\0\0\0\0\0\0\0\0\0\0", 14,
					      &value, &taken_bytes));
}

UNIT_MAIN("perf-parts", UNIT(test_flags_of_a_branch), UNIT(test_source_of_data),
	  UNIT(test_transaction), UNIT(test_all_bits), UNIT(test_quick_ways),
	  UNIT(test_more_than_a_part_has_room_for))
