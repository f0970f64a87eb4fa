/* Times: conversion to text and back, and exact interpolation between two time values. */
#include "unit.h"

#include "reader/clock-priv.h"

#include <ltt/ltt-time.h>

static void test_time_as_text(void)
{
	char text[LTT_TIME_TEXT_BYTES];

	CU_ASSERT_EQUAL(ltt_time_format(0, text), 11);
	UNIT_ASSERT_TEXT(text, "0.000000000");
	ltt_time_format(1050000000001640421, text);
	UNIT_ASSERT_TEXT(text, "1050000000.001640421");
	CU_ASSERT_EQUAL(ltt_time_format(LTT_MAX_TIME_NS, text), 20);
	UNIT_ASSERT_TEXT(text, "9223372036.854775807");
}

static void test_parse_time(void)
{
	LttTimeBase base;
	guint64 time_ns;

	CU_ASSERT_TRUE(ltt_time_parse("1050000000.5", &base, &time_ns, NULL));
	CU_ASSERT_EQUAL(base, LTT_TIME_ABSOLUTE);
	CU_ASSERT_EQUAL(time_ns, 1050000000500000000);
	CU_ASSERT_TRUE(ltt_time_parse("+.000000001", &base, &time_ns, NULL));
	CU_ASSERT_EQUAL(base, LTT_TIME_FROM_START);
	CU_ASSERT_EQUAL(time_ns, 1);
	CU_ASSERT_TRUE(ltt_time_parse("-7.", &base, &time_ns, NULL));
	CU_ASSERT_EQUAL(base, LTT_TIME_BEFORE_END);
	CU_ASSERT_EQUAL(time_ns, 7000000000);
	CU_ASSERT_TRUE(ltt_time_parse("9223372036.854775807", &base, &time_ns, NULL));
	CU_ASSERT_EQUAL(time_ns, LTT_MAX_TIME_NS);
}

static void test_parse_time_refuses(void)
{
	static const char *const wrong[] = {"",
					    "+",
					    "-",
					    ".",
					    "1.2.3",
					    "1e3",
					    " 1",
					    "1 ",
					    "0x10",
					    "1.0000000000",
					    "9223372036.854775808",
					    "99999999999999999999"};
	LttTimeBase base;
	guint64 time_ns;

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_FALSE(ltt_time_parse(wrong[i], &base, &time_ns, &error));
		CU_ASSERT_PTR_NOT_NULL(error);
	}
}

/* The formula of doc/format.md, 6, in 128-bit arithmetic. */
static guint64 by_definition(const LttTimeValue *from, const LttRate *rate, guint64 cycles)
{
	const __int128 product = (__int128)(cycles - from->cycles) * rate->dt_ns;
	const __int128 dc = (__int128)rate->dc_cycles;
	const __int128 floored = product >= 0 ? product / dc : -((-product + dc - 1) / dc);
	const __int128 time_ns = (__int128)from->time_ns + floored;

	return time_ns < 0 ? 0 : time_ns > G_MAXINT64 ? G_MAXINT64 : (guint64)time_ns;
}

static guint64 random_bits(GRand *random, guint most_bits)
{
	const guint bits = (guint)g_rand_int_range(random, 0, (gint)most_bits + 1);
	const guint64 all = (guint64)g_rand_int(random) << 32 | g_rand_int(random);

	return bits == 0 ? 0 : all >> (64 - bits);
}

static void test_times_are_exact(void)
{
	GRand *random = g_rand_new_with_seed(20031105);
	guint n_wrong = 0;

	for (guint i = 0; i < 200000; i++) {
		const LttTimeValue from = {.cycles = random_bits(random, 64),
					   .time_ns = random_bits(random, 62)};
		const gint64 dt = (gint64)random_bits(random, 62) * (i % 4 == 0 ? -1 : 1);
		const LttRate rate = {.dt_ns = dt, .dc_cycles = random_bits(random, 63) + 1};
		const guint64 cycles[2] = {from.cycles + random_bits(random, i % 2 ? 32 : 63),
					   from.cycles};
		guint64 times[2];

		ltt_clock_times(&from, &rate, cycles, 2, times);
		n_wrong += times[0] != by_definition(&from, &rate, cycles[0]);
		n_wrong += times[1] != from.time_ns;
	}
	CU_ASSERT_EQUAL(n_wrong, 0);
	g_rand_free(random);
}

/* Around the point where the product of the cycles and the rate exceeds 2^64, and the slow path
 * begins. */
static void test_times_at_the_border(void)
{
	const LttTimeValue from = {.cycles = 77, .time_ns = 1050000000000000000};
	GRand *random = g_rand_new_with_seed(64);
	guint n_wrong = 0;

	for (guint i = 0; i < 20000; i++) {
		const guint64 dc = random_bits(random, 40) + 1;
		const LttRate rate = {.dt_ns = (gint64)random_bits(random, 34), .dc_cycles = dc};
		const guint64 x = G_MAXUINT64 / dc;
		const guint64 cycles[4] = {from.cycles + x - 1, from.cycles + x,
					   from.cycles + x + 1, from.cycles + x - x % dc - 1};

		for (guint n = 1; n <= 4; n++) {
			guint64 times[4];

			ltt_clock_times(&from, &rate, cycles, n, times);
			for (guint at = 0; at < n; at++)
				n_wrong += times[at] != by_definition(&from, &rate, cycles[at]);
		}
	}
	CU_ASSERT_EQUAL(n_wrong, 0);
	g_rand_free(random);
}

/* Quotients that are integers, or one nanosecond off: where floating point would be wrong. */
static void test_times_at_whole_nanoseconds(void)
{
	const LttTimeValue from = {.cycles = 5, .time_ns = 1000};
	guint n_wrong = 0;

	for (gint64 dt = 1; dt < 1000; dt += 7) {
		for (guint64 dc = 1; dc < 3000; dc += 11) {
			const LttRate rate = {.dt_ns = dt * 1000003, .dc_cycles = dc};
			const guint64 cycles[3] = {5 + dc - 1, 5 + dc, 5 + 3 * dc + 1};
			guint64 times[3];

			ltt_clock_times(&from, &rate, cycles, 3, times);
			for (guint i = 0; i < 3; i++)
				n_wrong += times[i] != by_definition(&from, &rate, cycles[i]);
		}
	}
	CU_ASSERT_EQUAL(n_wrong, 0);
}

static void test_no_rate_stands_still(void)
{
	const LttTimeValue a = {.cycles = 10, .time_ns = 700};
	const LttTimeValue b = {.cycles = 10, .time_ns = 900};
	const LttRate rate = ltt_rate_between(&a, &b);
	const guint64 cycles = 99;
	guint64 time_ns;

	ltt_clock_times(&a, &rate, &cycles, 1, &time_ns);
	CU_ASSERT_EQUAL(time_ns, 700);
}

UNIT_MAIN("clock", UNIT(test_time_as_text), UNIT(test_parse_time), UNIT(test_parse_time_refuses),
	  UNIT(test_times_are_exact), UNIT(test_times_at_the_border),
	  UNIT(test_times_at_whole_nanoseconds), UNIT(test_no_rate_stands_still))
