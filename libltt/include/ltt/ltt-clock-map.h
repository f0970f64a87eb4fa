/* ltt-clock-map.h - convert the times of one clock to those of another clock.
 *
 * Two clocks differ by an offset, and run at different rates. A map has points, each a time of both
 * clocks. Between two points, and beyond the first and the last two, it is a straight line; with a
 * single point it is an offset:
 *
 *	to_ns     │          ╱
 *	          │       ,•'
 *	          │    ,•'
 *	          │  ╱
 *	          └────────────── from_ns
 */
#ifndef LTT_CLOCK_MAP_H
#define LTT_CLOCK_MAP_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct LttClockPoint {
	guint64 from_ns;
	guint64 to_ns; /* at the same moment */
} LttClockPoint;

typedef struct LttClockMap LttClockMap;

/* @points: (array length=n_points): copied; both times rise strictly, and are at most
 *   LTT_MAX_TIME_NS
 * @n_points: 1 or more
 *
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_INVALID if the times do not rise */
LttClockMap *ltt_clock_map_new(const LttClockPoint *points, guint n_points, GError **error);
LttClockMap *ltt_clock_map_dup(const LttClockMap *map);
void ltt_clock_map_free(LttClockMap *map); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttClockMap, ltt_clock_map_free)

/* Returns: @time_ns of the other clock: rounded down, and kept within 0 ... LTT_MAX_TIME_NS. It does
 * not decrease as @time_ns increases */
guint64 ltt_clock_map_at(const LttClockMap *map, guint64 time_ns);

/* Returns: what is added to @time_ns to get that of the other clock, in nanoseconds. It differs from what
 *   ltt_clock_map_at() adds if that would be outside of its range */
gint64 ltt_clock_map_get_offset(const LttClockMap *map, guint64 time_ns);

/* Returns: the least time that ltt_clock_map_at() converts to @time_ns or later; LTT_MAX_TIME_NS if
 *   none does */
guint64 ltt_clock_map_find(const LttClockMap *map, guint64 time_ns);

/* Returns: (array length=n_points) (transfer none): the points, in order */
const LttClockPoint *ltt_clock_map_get_points(const LttClockMap *map, guint *n_points);

/* The error of a converted time is at most this, in nanoseconds; LTT_CLOCK_NO_BOUND, of a new map: it is
 * unknown. */
#define LTT_CLOCK_NO_BOUND G_MAXUINT64
void ltt_clock_map_set_bound(LttClockMap *map, guint64 bound_ns);
guint64 ltt_clock_map_get_bound(const LttClockMap *map);

/* Returns: the difference of the rates, from the first point to the last, in parts per million;
 * positive if the target clock runs faster */
double ltt_clock_map_get_rate_ppm(const LttClockMap *map);

/* Returns: the number of points at which the rate changes */
guint ltt_clock_map_get_n_bends(const LttClockMap *map);

G_END_DECLS

#endif /* LTT_CLOCK_MAP_H */
