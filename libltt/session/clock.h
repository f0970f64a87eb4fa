/* clock.h - the cycle counter, and the map from cycles to wall time.
 *
 * All tracefiles of a session share one map, so that times of different CPUs can be compared: a
 * chain of straight lines that meet in bends. Bends lie on a grid, start_cycles + k * bend_cycles,
 * so that one 64-bit word holds a bend: k, and by how much its time differs from what the speed
 * measured at the start would make of it. Such a word can be replaced by compare-and-exchange, and
 * so the map needs no lock. It follows CLOCK_MONOTONIC: each bend aims at where that will be.
 */
#ifndef LTTP_CLOCK_H
#define LTTP_CLOCK_H

#include "session/session-layout.h"

#include <stdbool.h>

/* A point of the map. */
struct lttp_instant {
	uint64_t cycles;
	uint64_t ns; /* since 1970-01-01 UTC */
};

/* Reads the counter of the session. Ordered behind all earlier loads. */
uint64_t lttp_clock_read(const struct lttp_head *head);

/* The counter that sessions of this machine use: an enum lttp_counter. */
uint32_t lttp_clock_counter(void);

/* Whether this thread may read that counter. */
bool lttp_clock_readable(uint32_t counter);

/* Sets the fixed parts of a new session that are about time, and the first bends. @heartbeat_ms is
 * not 0. Takes some 10 ms where the speed of the counter has to be measured. */
void lttp_clock_start(struct lttp_head *head, uint32_t heartbeat_ms);

/* Finds the line of the map that @cycles, a value just read, lies on, and makes more of the map if
 * it soon comes to its end.
 *
 * @now: (out): @cycles and the time there
 * @end: (out): the bend where the line ends, behind @cycles
 *
 * Returns: false if @cycles is too long ago; then the counter is to be read again. */
bool lttp_clock_map(struct lttp_head *head, uint64_t cycles, struct lttp_instant *now,
		    struct lttp_instant *end);

/* Reads the counter and finds the time. Returns false if the map is spoilt. */
bool lttp_clock_now(struct lttp_head *head, struct lttp_instant *now);

#endif /* LTTP_CLOCK_H */
