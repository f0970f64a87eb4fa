/* support-filter.h - events to evaluate filters on, without a trace.
 *
 *	A  f.all      every type; thread 100/101, time 1050000000.123456789
 *	B  f.all      the same with other values; thread 200/101, time 1050000001
 *	C  g.number   payload: uint 42          D  g.empty   no payload
 *	E  g.text     payload: "hello"          F  g.special fields called time, event, cpu, pid,
 *data G  g.choice   payload: a union          H  g.list    payload: an array I  g.inner    a struct
 *called data      J, K, L  g.pair  fields to compare with each other
 *
 * The time of C is 4.999999998 seconds, that of each further one a nanosecond later.
 */
#ifndef SUPPORT_FILTER_H
#define SUPPORT_FILTER_H

#include <ltt/ltt-event.h>

#define FILTER_N_EVENTS 12

typedef struct FilterEvents FilterEvents;

FilterEvents *filter_events_new(LttByteOrder byte_order);
void filter_events_free(FilterEvents *all);
const LttEvent *filter_events_get(const FilterEvents *all, guint index);

#define ALL   "ABCDEFGHIJKL"
#define NOT_F "CDEFGHIJKL" /* all except those of f.all */

/* A filter, and the letters of the events that it selects. */
typedef struct FilterCase {
	const char *expression;
	const char *events;
} FilterCase;

#endif
