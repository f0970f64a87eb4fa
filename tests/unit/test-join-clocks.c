/* The clocks of joined traces: wall times, offsets, and the conversions that are noted. */
#include "support-hand.h"
#include "unit.h"

#include "reader/conversions-priv.h"

#include <ltt/ltt-conversions.h>
#include <ltt/ltt-follow.h>
#include <ltt/ltt-join.h>

#define BLOCK 256

static void test_a_clock_that_all_share_is_kept(void)
{
	HandTrace hands[] = {
		hand_new(LTT_LITTLE_ENDIAN, BLOCK, "clock", "monotonic", "clock_zero", "9",
			 "monotonic_zero", "9", NULL),
		hand_new(LTT_LITTLE_ENDIAN, BLOCK, "clock", "monotonic", "clock_zero", "9", NULL)};
	static const gint64 offsets_ns[] = {0, 1};
	g_autoptr(LttTrace) same = hand_join(hands, 2, NULL);
	g_autoptr(LttTrace) moved = hand_join(hands, 2, offsets_ns);

	UNIT_ASSERT_TEXT(ltt_system_get(ltt_trace_get_system(same), "clock"), "monotonic");
	UNIT_ASSERT_TEXT(ltt_system_get(ltt_trace_get_system(same), "clock_zero"), "9");
	CU_ASSERT_PTR_NULL(ltt_system_get(ltt_trace_get_system(same), "monotonic_zero"));
	CU_ASSERT_PTR_NULL(ltt_system_get(ltt_trace_get_system(moved), "clock"));
	CU_ASSERT_PTR_NULL(ltt_system_get(ltt_trace_get_system(moved), "clock_zero"));
	hand_clear_all(hands, 2);
}

/* Whether a trace with a block at @start_ns has times of the wall clock. Times before 1991 are not. */
static gboolean is_wall(const char *clock, guint64 start_ns, gint64 *offset_ns)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, "clock_zero", "77",
				  clock != NULL ? "clock" : NULL, clock, NULL);
	g_autofree char *block = g_strdup_printf("@%" G_GUINT64_FORMAT, start_ns);
	g_autoptr(LttTrace) trace = NULL;
	gboolean is_wall;

	hand_add(&hand, "cpu/0", block);
	trace = hand_open(&hand);
	is_wall = ltt_trace_has_wall_times(trace);
	*offset_ns = 0;
	CU_ASSERT_EQUAL(ltt_trace_find_clock_offset(trace, offset_ns), !is_wall);
	hand_clear(&hand);
	return is_wall;
}

static void test_wall_times(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, "clock", "monotonic", NULL);
	g_autoptr(LttTrace) trace = hand_open(&hand);
	gint64 offset_ns;

	CU_ASSERT_FALSE(is_wall(NULL, 662687999999999999, &offset_ns));
	CU_ASSERT_EQUAL(offset_ns, 77);
	CU_ASSERT_TRUE(is_wall(NULL, 662688000000000000, &offset_ns));
	CU_ASSERT_EQUAL(offset_ns, 0);
	CU_ASSERT_TRUE(is_wall("wall", 5, &offset_ns));
	CU_ASSERT_FALSE(is_wall("monotonic", 662688000000000000, &offset_ns));
	/* Without clock_zero. */
	CU_ASSERT_FALSE(ltt_trace_has_wall_times(trace));
	CU_ASSERT_FALSE(ltt_trace_find_clock_offset(trace, &offset_ns));
	hand_clear(&hand);
}

/* A recording with a monotonic clock beside a trace of the same boot, whose monotonic clock began within a
 * second of that. */
static void test_offsets_beside_a_trace(void)
{
	static const struct {
		const char *clock, *zero, *beside;
		gint64 expected_ns; /* -1: none */
	} cases[] = {
		{"monotonic", "5000000000", "5000000000", 5000000000},
		{"monotonic", "5000000000", "5999999999", 5999999999},
		{"monotonic", "5999999999", "5000000000", 5000000000},
		{"monotonic", "5000000000", "6000000000", -1},
		{"monotonic", "6000000000", "5000000000", -1},
		{"monotonic_raw", "5000000000", "5000000000", -1},
		{"monotonic", "x", "5000000000", -1},
		{"monotonic", "5000000000", "x", -1},
		{"monotonic", NULL, "5000000000", -1},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		HandTrace hands[] = {hand_new(LTT_LITTLE_ENDIAN, BLOCK, "clock", cases[i].clock,
					      "clock_zero", cases[i].zero, NULL),
				     hand_new(LTT_LITTLE_ENDIAN, BLOCK, "monotonic_zero",
					      cases[i].beside, NULL)};
		g_autoptr(LttTrace) trace = hand_open(&hands[0]);
		g_autoptr(LttTrace) beside = hand_open(&hands[1]);
		gint64 offset_ns = -1;
		const gboolean found =
			ltt_trace_find_clock_offset_beside(trace, beside, &offset_ns);

		CU_ASSERT_EQUAL(offset_ns, cases[i].expected_ns);
		CU_ASSERT_EQUAL(found, cases[i].expected_ns >= 0);
		hand_clear_all(hands, 2);
	}
}

/* ---- conversions ---- */

/* The conversions of an attribute: "CPU HOST BOUND OFFSET; ...". */
static void expect_conversions(const char *attribute, const char *expected, int line)
{
	HandTrace hand =
		hand_new(LTT_LITTLE_ENDIAN, BLOCK, LTT_SYSTEM_CLOCK_CONVERSIONS, attribute, NULL);
	g_autoptr(LttTrace) trace = hand_open(&hand);
	g_autoptr(GPtrArray) found = ltt_trace_read_conversions(trace);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < found->len; i++) {
		const LttConversion *conversion = found->pdata[i];
		guint n_points;

		ltt_clock_map_get_points(conversion->map, &n_points);
		g_string_append_printf(text,
				       "%s%u [%s] %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " of %u",
				       i > 0 ? "; " : "", conversion->first_cpu, conversion->host,
				       (gint64)ltt_clock_map_get_bound(conversion->map),
				       ltt_conversion_get_offset_ns(conversion), n_points);
	}
	unit_assert_text(text->str, expected, __FILE__, line);
	hand_clear(&hand);
}
#define EXPECT_CONVERSIONS(attribute, expected) expect_conversions(attribute, expected, __LINE__)

static void test_conversions_are_parsed(void)
{
	EXPECT_CONVERSIONS("0:a:5:100+7", "0 [a] 5 7 of 1");
	EXPECT_CONVERSIONS("65536:b%20c:-:100-100,200-150 2::0:0+0",
			   "65536 [b c] -1 -100 of 2; 2 [] 0 0 of 1");
	EXPECT_CONVERSIONS("1:a:9223372036854775807:9223372036854775807-1",
			   "1 [a] 9223372036854775807 -1 of 1");
}

static void test_invalid_conversions_are_left_out(void)
{
	static const char *const invalid[] = {
		"1:a:5",
		"1:a:5:",
		"1:a:5:100",
		"1:a:5:100*7",
		"1:a:5:+7",
		"1:a:5:100+",
		"1:a:5:100+x",
		"1:a:5:100-101",
		"1:a:5:100+7,",
		"1:a:5:100+7,100+8",
		"65537:a:5:100+7",
		"x:a:5:100+7",
		"1:a%zz:5:100+7",
		"1:a:x:100+7",
		"1:a:9223372036854775808:1+7",
		"1:a:5:9223372036854775808+7",
		"1:a:5:1+9223372036854775808",
		"1:a:5:9223372036854775807+1",
	};

	for (guint i = 0; i < G_N_ELEMENTS(invalid); i++) {
		g_autofree char *text = g_strdup_printf("%s 3:b:-:1+2", invalid[i]);

		expect_conversions(text, "3 [b] -1 2 of 1", (int)(1000 + i));
	}
}

static void test_conversions_of_a_joined_trace(void)
{
	static const LttClockPoint lines[] = {{100, 200}, {200, 350}};
	static const LttClockPoint offset[] = {{1000000000, 900}};
	g_autoptr(LttClockMap) first = ltt_clock_map_new(lines, 2, NULL);
	g_autoptr(LttClockMap) second = ltt_clock_map_new(offset, 1, NULL);
	LttClockMap *maps[] = {first, second, NULL};
	HandTrace hands[3];
	LttTrace *traces[3];
	g_autoptr(LttTrace) joined = NULL;
	g_autoptr(LttTrace) again = NULL;

	hands[0] = hand_new(LTT_LITTLE_ENDIAN, BLOCK, "boot_id", "b1", "node_name", "one", NULL);
	hands[1] = hand_new(LTT_BIG_ENDIAN, BLOCK, "boot_id", "b1", "node_name", "one",
			    "kernel_release", "6.1", NULL);
	hands[2] = hand_new(LTT_LITTLE_ENDIAN, BLOCK, LTT_SYSTEM_CLOCK_CONVERSIONS, "3:old:-:1+2",
			    "node_name", NULL, NULL);
	hand_add(&hands[0], "cpu/1", "@900 E901");
	hand_add(&hands[2], "cpu/0", "@900 E901");
	for (guint i = 0; i < 3; i++)
		traces[i] = hand_open(&hands[i]);
	ltt_clock_map_set_bound(first, 12);
	joined = ltt_trace_join_by_maps(traces, 3, maps, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(joined);
	UNIT_ASSERT_TEXT(ltt_system_get(ltt_trace_get_system(joined), LTT_SYSTEM_CLOCK_CONVERSIONS),
			 "5:old:-:1+2 0:one:12:100+100,200+150 0:one:-:1000000000-999999100");
	UNIT_ASSERT_TEXT(ltt_system_get_text(ltt_trace_get_system(joined)),
			 "\n3 traces on one timeline:\n"
			 "1: from cpu/0 on: one, kernel unknown, times +0.000000100 at first, "
			 "+0.000000150 at last\n"
			 "2: from cpu/0 on: one, kernel 6.1, times -0.999999100\n"
			 "3: from cpu/2 on: unknown, kernel unknown, times +0.000000000\n");
	again = ltt_trace_reopen(joined, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(again);
	UNIT_ASSERT_TEXT(ltt_system_get_text(ltt_trace_get_system(again)),
			 ltt_system_get_text(ltt_trace_get_system(joined)));
	hand_clear_all(hands, 3);
}

/* A clock that is the same is converted, too. */
static void test_a_conversion_without_a_difference(void)
{
	static const LttClockPoint points[] = {{7, 7}};
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, "node_name", "one", NULL);
	g_autoptr(LttClockMap) map = ltt_clock_map_new(points, 1, NULL);
	g_autoptr(LttTrace) joined = NULL;
	LttTrace *trace = hand_open(&hand);

	joined = ltt_trace_join_by_maps(&trace, 1, &map, NULL);
	UNIT_ASSERT_TEXT(ltt_system_get(ltt_trace_get_system(joined), LTT_SYSTEM_CLOCK_CONVERSIONS),
			 "0:one:-:7+0");
	hand_clear(&hand);
}

UNIT_MAIN("join-clocks", UNIT(test_a_clock_that_all_share_is_kept), UNIT(test_wall_times),
	  UNIT(test_offsets_beside_a_trace), UNIT(test_conversions_are_parsed),
	  UNIT(test_invalid_conversions_are_left_out), UNIT(test_conversions_of_a_joined_trace),
	  UNIT(test_a_conversion_without_a_difference))
