/* clock-map.c - see ltt-clock-map.h. */
#include "reader/clock-map-priv.h"

#include "base/error-priv.h"

#include <ltt/ltt-time.h>

/* Rates of smaller numbers are scaled by this, so that their product with a rate near 1 is not rounded
 * to the same number. */
#define SCALE 1000000000

struct LttClockMap {
	guint64 bound_ns;
	guint n_points;
	LttClockPoint points[];
};

static gboolean check_points(const LttClockPoint *points, guint n_points, GError **error)
{
	for (guint i = 0; i < n_points; i++) {
		if (points[i].from_ns > LTT_MAX_TIME_NS || points[i].to_ns > LTT_MAX_TIME_NS ||
		    (i > 0 && (points[i].from_ns <= points[i - 1].from_ns ||
			       points[i].to_ns <= points[i - 1].to_ns)))
			return ltt_fail(error, LTT_ERROR_INVALID,
					"map of clocks, point %u: expected times that rise, of at "
					"most %" G_GUINT64_FORMAT " ns",
					i, LTT_MAX_TIME_NS);
	}
	return TRUE;
}

LttClockMap *ltt_clock_map_new(const LttClockPoint *points, guint n_points, GError **error)
{
	LttClockMap *map;

	g_return_val_if_fail(n_points > 0, NULL);
	if (!check_points(points, n_points, error))
		return NULL;
	map = g_malloc(sizeof(*map) + n_points * sizeof(*points));
	map->bound_ns = LTT_CLOCK_NO_BOUND;
	map->n_points = n_points;
	for (guint i = 0; i < n_points; i++)
		map->points[i] = points[i];
	return map;
}

LttClockMap *ltt_clock_map_dup(const LttClockMap *map)
{
	return g_memdup2(map, sizeof(*map) + map->n_points * sizeof(*map->points));
}

void ltt_clock_map_free(LttClockMap *map)
{
	g_free(map);
}

const LttClockPoint *ltt_clock_map_get_points(const LttClockMap *map, guint *n_points)
{
	*n_points = map->n_points;
	return map->points;
}

void ltt_clock_map_set_bound(LttClockMap *map, guint64 bound_ns)
{
	map->bound_ns = bound_ns;
}

guint64 ltt_clock_map_get_bound(const LttClockMap *map)
{
	return map->bound_ns;
}

double ltt_clock_map_get_rate_ppm(const LttClockMap *map)
{
	const LttClockPoint *first = &map->points[0];
	const LttClockPoint *last = &map->points[map->n_points - 1];

	if (map->n_points < 2)
		return 0;
	return ((double)(last->to_ns - first->to_ns) / (double)(last->from_ns - first->from_ns) -
		1) *
	       1e6;
}

guint ltt_clock_map_get_n_bends(const LttClockMap *map)
{
	return map->n_points > 2 ? map->n_points - 2 : 0;
}

/* Returns: the number of points at or before @time_ns */
static guint count_before(const LttClockMap *map, guint64 time_ns)
{
	guint low = 0;
	guint high = map->n_points;

	while (low < high) {
		const guint middle = low + (high - low) / 2;

		if (map->points[middle].from_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static guint64 clamp_time(__int128 time_ns)
{
	return time_ns < 0 ? 0 : (guint64)MIN(time_ns, (__int128)LTT_MAX_TIME_NS);
}

/* Returns: floor(a * b / c); @c is positive */
static __int128 multiply_divide(__int128 a, __int128 b, __int128 c)
{
	const __int128 product = a * b;

	return product / c - (product % c < 0);
}

static __int128 convert(const LttClockMap *map, guint64 time_ns)
{
	const guint before = count_before(map, time_ns);
	const LttClockPoint *from = &map->points[0];

	if (map->n_points == 1)
		return (__int128)time_ns - from->from_ns + from->to_ns;
	from = &map->points[CLAMP(before, 1, map->n_points - 1) - 1];
	return from->to_ns + multiply_divide((__int128)time_ns - from->from_ns,
					     from[1].to_ns - from->to_ns,
					     from[1].from_ns - from->from_ns);
}

guint64 ltt_clock_map_at(const LttClockMap *map, guint64 time_ns)
{
	return clamp_time(convert(map, time_ns));
}

gint64 ltt_clock_map_get_offset(const LttClockMap *map, guint64 time_ns)
{
	const __int128 offset_ns = convert(map, time_ns) - time_ns;

	return (gint64)CLAMP(offset_ns, G_MININT64, G_MAXINT64);
}

/* Searches, because the map rounds: an inverse line would be off by one. */
guint64 ltt_clock_map_find(const LttClockMap *map, guint64 time_ns)
{
	guint64 low = 0;
	guint64 high = LTT_MAX_TIME_NS;

	while (low < high) {
		const guint64 middle = low + (high - low) / 2;

		if (ltt_clock_map_at(map, middle) >= time_ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

guint ltt_clock_map_find_bend(const LttClockMap *map, guint64 time_ns, guint *end)
{
	*end = MAX(map->n_points, 1) - 1;
	return MAX(count_before(map, time_ns), 1);
}

LttRate ltt_clock_map_convert_rate(const LttClockMap *map, LttRate rate)
{
	const LttClockPoint *last = &map->points[map->n_points - 1];
	const gboolean is_coarse = ABS(rate.dt_ns) < SCALE && rate.dc_cycles < SCALE;
	const gint64 scale = is_coarse ? SCALE : 1;
	__int128 dt_ns;

	if (map->n_points == 1)
		return rate;
	dt_ns = multiply_divide((__int128)rate.dt_ns * scale, last->to_ns - last[-1].to_ns,
				last->from_ns - last[-1].from_ns);
	return (LttRate){.dt_ns = (gint64)CLAMP(dt_ns, G_MININT64, G_MAXINT64),
			 .dc_cycles = rate.dc_cycles * (guint64)scale};
}
