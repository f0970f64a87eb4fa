/* clock-map-priv.h - the bends of a map of clocks. */
#ifndef LTT_CLOCK_MAP_PRIV_H
#define LTT_CLOCK_MAP_PRIV_H

#ifndef LTT_BUILDING
#error "reader/clock-map-priv.h is private to libltt; use <ltt/ltt-clock-map.h>"
#endif

#include "reader/clock-priv.h"

#include <ltt/ltt-clock-map.h>

/* Returns: the index of the first bend after @time_ns. A bend is a point at which the rate of the map
 * changes: each point except the first and the last. @end: (out): one more than the last bend */
guint ltt_clock_map_find_bend(const LttClockMap *map, guint64 time_ns, guint *end);

/* Converts a rate of the mapped clock to one of the other clock, for times after the last bend. */
LttRate ltt_clock_map_convert_rate(const LttClockMap *map, LttRate rate);

#endif
