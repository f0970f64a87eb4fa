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

static void test_duration_as_text(void)
{
	static const struct {
		guint64 ns;
		const char *text;
	} cases[] = {
		{0, "0 ns"},
		{999, "999 ns"},
		{1000, "1.00 us"},
		{1125, "1.12 us"}, /* in the middle: the even one */
		{1375, "1.38 us"},
		{9994, "9.99 us"},
		{13400, "13.4 us"},
		{99950, "100 us"},
		{999499, "999 us"},
		{999500, "1.00 ms"},
		{999499999, "999 ms"},
		{999500000, "1.00 s"},
		{3600000000000, "3600 s"},
		{G_MAXUINT64, "18446744074 s"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = ltt_duration_to_string(cases[i].ns);

		UNIT_ASSERT_TEXT(text, cases[i].text);
	}
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

static void assert_time(const char *text, LttTimeBase expected_base, guint64 expected_ns)
{
	g_autoptr(GError) error = NULL;
	LttTimeBase base;
	guint64 time_ns;

	UNIT_ASSERT_OK(ltt_time_parse(text, &base, &time_ns, &error), error);
	CU_ASSERT_EQUAL(base, expected_base);
	CU_ASSERT_EQUAL(time_ns, expected_ns);
}

static void test_parse_units_and_dates(void)
{
	const guint64 seconds = 1050000000;
	const guint64 some_ns = seconds * LTT_NS_PER_S + 123456789;

	assert_time("+15ms", LTT_TIME_FROM_START, 15000000);
	assert_time("-1.5us", LTT_TIME_BEFORE_END, 1500);
	assert_time("+0.25h", LTT_TIME_FROM_START, 900 * (guint64)LTT_NS_PER_S);
	assert_time("+2m", LTT_TIME_FROM_START, 120 * (guint64)LTT_NS_PER_S);
	assert_time("1050000000123456789ns", LTT_TIME_ABSOLUTE, some_ns);
	assert_time("1050000000.123456789s", LTT_TIME_ABSOLUTE, some_ns);
	assert_time("2003-04-10T18:40:00.123456789+00:00", LTT_TIME_ABSOLUTE, some_ns);
	assert_time("2003-04-10 18:40:00.123456789Z", LTT_TIME_ABSOLUTE, some_ns);
	assert_time("2003-04-11T03:40:00.123456789+09:00", LTT_TIME_ABSOLUTE, some_ns);
	assert_time("2003-04-10T14:10:00.123456789-04:30", LTT_TIME_ABSOLUTE, some_ns);
	assert_time("1970-01-01T00:00:00Z", LTT_TIME_ABSOLUTE, 0);
	assert_time("2262-04-11T23:47:15.999999999Z", LTT_TIME_ABSOLUTE, 9223372035999999999U);
	assert_time("2262-04-11T23:47:16Z", LTT_TIME_ABSOLUTE, 9223372036000000000U);
	assert_time("2262-04-11T23:47:16.854775807+00:00", LTT_TIME_ABSOLUTE, LTT_MAX_TIME_NS);
	assert_time("2262-04-12T01:47:16.854775807+02:00", LTT_TIME_ABSOLUTE, LTT_MAX_TIME_NS);
	assert_time("00:00:00", LTT_TIME_OF_DAY, 0);
	assert_time("23:59:59.5", LTT_TIME_OF_DAY, (guint64)86399500 * 1000000);
}

static void test_parse_units_and_dates_refuses(void)
{
	static const char *const wrong[] = {"+15 ms",
					    "5x",
					    "ms",
					    "+ms",
					    "1.5ns",
					    "0.0001us",
					    "2562048h",
					    "+1h30m",
					    "1e3s",
					    "12:00",
					    "24:00:00",
					    "12:60:00",
					    "12:00:60",
					    "12:00:00.",
					    "12:00:00Z",
					    "+12:00:00",
					    "1:00:00",
					    "2003-13-01",
					    "2003-02-30",
					    "2003-04-10T",
					    "2003-04-10T18:40",
					    "2003-4-10",
					    "2003-04-10T18:40:00+9",
					    "2003-04-10T18:40:00 Z",
					    "1969-12-31T23:59:59Z",
					    "1970-01-01T00:00:00+00:01",
					    "2262-04-11T23:47:16.854775808Z",
					    "2262-04-11T23:47:17Z",
					    "2262-04-12T00:00:00Z",
					    "9999-12-31T00:00:00Z",
					    "2003-04-10T18:40:00.0000000001Z"};
	LttTimeBase base;
	guint64 time_ns;

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		if (ltt_time_parse(wrong[i], &base, &time_ns, &error))
			CU_FAIL(wrong[i]);
	}
}

static void test_parse_duration(void)
{
	g_autoptr(GError) error = NULL;
	guint64 ns;

	CU_ASSERT_TRUE(ltt_duration_parse("250us", 0, &ns, NULL));
	CU_ASSERT_EQUAL(ns, 250000);
	CU_ASSERT_TRUE(ltt_duration_parse("0.5", LTT_NS_PER_S, &ns, NULL));
	CU_ASSERT_EQUAL(ns, 500000000);
	CU_ASSERT_FALSE(ltt_duration_parse("5", 0, &ns, &error));
	UNIT_ASSERT_TEXT(error->message,
			 "\"5\" has no unit: expected one of ns, us, ms, s, m and h, "
			 "such as 5s or 5ms");
	CU_ASSERT_FALSE(ltt_duration_parse("-5s", 0, &ns, NULL));
	CU_ASSERT_FALSE(ltt_duration_parse("", LTT_NS_PER_S, &ns, NULL));
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

UNIT_MAIN("clock", UNIT(test_time_as_text), UNIT(test_duration_as_text), UNIT(test_parse_time),
	  UNIT(test_parse_time_refuses), UNIT(test_parse_units_and_dates),
	  UNIT(test_parse_units_and_dates_refuses), UNIT(test_parse_duration),
	  UNIT(test_times_are_exact), UNIT(test_times_at_the_border),
	  UNIT(test_times_at_whole_nanoseconds), UNIT(test_no_rate_stands_still))
