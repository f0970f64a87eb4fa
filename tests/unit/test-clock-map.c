/* Maps from one clock to another: lines, bends, rounding, limits. */
#include "unit.h"

#include "reader/clock-map-priv.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-time.h>

static LttClockMap *new_map(const LttClockPoint *points, guint n_points)
{
	g_autoptr(GError) error = NULL;
	LttClockMap *map = ltt_clock_map_new(points, n_points, &error);

	UNIT_ASSERT_OK(map != NULL, error);
	return map;
}

static void test_one_point_is_an_offset(void)
{
	const LttClockPoint point = {1000, 400};
	g_autoptr(LttClockMap) map = new_map(&point, 1);

	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 1000), 400);
	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 999999), 999399);
	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 600), 0);
	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 599), 0);
	CU_ASSERT_EQUAL(ltt_clock_map_get_offset(map, 1000), -600);
	CU_ASSERT_EQUAL(ltt_clock_map_get_offset(map, 599), -600); /* not kept within the range */
}

static void test_lines_between_points(void)
{
	static const LttClockPoint points[] = {{1000, 2000}, {2000, 4000}, {3000, 4001}};
	g_autoptr(LttClockMap) map = new_map(points, G_N_ELEMENTS(points));
	guint end;

	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 1000), 2000);
	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 1500), 3000);
	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 2000), 4000);
	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 2999), 4000);
	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 3000), 4001);
	/* The first and the last line go on. */
	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 999), 1998);
	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 0), 0);
	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 5999), 4003);
	CU_ASSERT_EQUAL(ltt_clock_map_find_bend(map, 500, &end), 1);
	CU_ASSERT_EQUAL(ltt_clock_map_find_bend(map, 1999, &end), 1);
	CU_ASSERT_EQUAL(ltt_clock_map_find_bend(map, 2000, &end), 2);
	CU_ASSERT_EQUAL(end, 2);
}

static void test_the_least_time_of_a_result(void)
{
	static const LttClockPoint points[] = {{1000, 2000}, {2000, 4000}, {3000, 4001}};
	g_autoptr(LttClockMap) map = new_map(points, G_N_ELEMENTS(points));

	CU_ASSERT_EQUAL(ltt_clock_map_find(map, 0), 0);
	CU_ASSERT_EQUAL(ltt_clock_map_find(map, 3000), 1500);
	CU_ASSERT_EQUAL(ltt_clock_map_find(map, 3001), 1501); /* 1500 gives 3000 */
	CU_ASSERT_EQUAL(ltt_clock_map_find(map, 4000), 2000);
	CU_ASSERT_EQUAL(ltt_clock_map_find(map, 4001), 3000);
	CU_ASSERT_EQUAL(ltt_clock_map_find(map, LTT_MAX_TIME_NS), LTT_MAX_TIME_NS);
}

static void test_limits(void)
{
	static const LttClockPoint points[] = {{0, 1}, {1, LTT_MAX_TIME_NS - 1}};
	g_autoptr(LttClockMap) map = new_map(points, G_N_ELEMENTS(points));

	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 2), LTT_MAX_TIME_NS);
	CU_ASSERT_EQUAL(ltt_clock_map_at(map, LTT_MAX_TIME_NS), LTT_MAX_TIME_NS);
	CU_ASSERT_EQUAL(ltt_clock_map_get_offset(map, 1), (gint64)LTT_MAX_TIME_NS - 2);
	CU_ASSERT_EQUAL(ltt_clock_map_get_offset(map, 2), G_MAXINT64);
}

static void test_points_that_do_not_rise(void)
{
	static const LttClockPoint wrong[][2] = {
		{{5, 1}, {5, 2}}, {{5, 1}, {6, 1}}, {{5, 1}, {4, 2}}};

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_PTR_NULL(ltt_clock_map_new(wrong[i], 2, &error));
		CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, LTT_ERROR_INVALID));
		UNIT_ASSERT_TEXT(error->message,
				 "map of clocks, point 1: expected times that rise, of "
				 "at most 9223372036854775807 ns");
	}
}

static void test_rates(void)
{
	static const LttClockPoint points[] = {{0, 0}, {1000000, 1000020}};
	g_autoptr(LttClockMap) map = new_map(points, G_N_ELEMENTS(points));
	LttRate rate = ltt_clock_map_convert_rate(map, (LttRate){1, 1});

	CU_ASSERT_EQUAL(rate.dt_ns, 1000020000);
	CU_ASSERT_EQUAL(rate.dc_cycles, 1000000000);
	rate = ltt_clock_map_convert_rate(map, (LttRate){1000000000, 2600000000});
	CU_ASSERT_EQUAL(rate.dt_ns, 1000020000);
	CU_ASSERT_EQUAL(rate.dc_cycles, 2600000000);
	/* Only rates of two smaller numbers are scaled. */
	rate = ltt_clock_map_convert_rate(map, (LttRate){1000000000, 1});
	CU_ASSERT_EQUAL(rate.dt_ns, 1000020000);
	CU_ASSERT_EQUAL(rate.dc_cycles, 1);
	rate = ltt_clock_map_convert_rate(map, (LttRate){1, 1000000000});
	CU_ASSERT_EQUAL(rate.dt_ns, 1);
	CU_ASSERT_EQUAL(rate.dc_cycles, 1000000000);
}

/* The rate between the first and the last point, in parts per million; and the points between them. */
static void test_properties(void)
{
	static const LttClockPoint points[] = {{0, 5}, {500000, 500010}, {1000000, 1000025}};
	g_autoptr(LttClockMap) one = new_map(points, 1);
	g_autoptr(LttClockMap) two = new_map(points, 2);
	g_autoptr(LttClockMap) three = new_map(points, 3);

	CU_ASSERT_DOUBLE_EQUAL(ltt_clock_map_get_rate_ppm(one), 0, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(ltt_clock_map_get_rate_ppm(two), 10, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(ltt_clock_map_get_rate_ppm(three), 20, 1e-6);
	CU_ASSERT_EQUAL(ltt_clock_map_get_n_bends(one), 0);
	CU_ASSERT_EQUAL(ltt_clock_map_get_n_bends(two), 0);
	CU_ASSERT_EQUAL(ltt_clock_map_get_n_bends(three), 1);
	CU_ASSERT_EQUAL(ltt_clock_map_get_bound(one), LTT_CLOCK_NO_BOUND);
	ltt_clock_map_set_bound(one, 7);
	CU_ASSERT_EQUAL(ltt_clock_map_get_bound(one), 7);
}

/* The largest time is valid, and no larger one. */
static void test_times_of_points(void)
{
	const LttClockPoint largest = {LTT_MAX_TIME_NS, LTT_MAX_TIME_NS};
	const LttClockPoint wrong[] = {{LTT_MAX_TIME_NS + 1, 1}, {1, LTT_MAX_TIME_NS + 1}};
	g_autoptr(LttClockMap) map = new_map(&largest, 1);

	CU_ASSERT_EQUAL(ltt_clock_map_at(map, 5), 5);
	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++)
		CU_ASSERT_PTR_NULL(ltt_clock_map_new(&wrong[i], 1, NULL));
}

UNIT_MAIN("clock-map", UNIT(test_one_point_is_an_offset), UNIT(test_lines_between_points),
	  UNIT(test_the_least_time_of_a_result), UNIT(test_limits),
	  UNIT(test_points_that_do_not_rise), UNIT(test_rates), UNIT(test_properties),
	  UNIT(test_times_of_points))
