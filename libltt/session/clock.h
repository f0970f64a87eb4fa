/* clock.h - the cycle counter, and the map from cycles to wall time.
 *
 * All tracefiles of a session share one map, so that times of different CPUs can be compared. It is
 * a chain of straight lines that meet in bends:
 *
 *	time                          .-'
 *	 ^                      _.-o-'         bend k + 1, published in advance
 *	 |             __..--o-'               bend k
 *	 |     o----'''
 *	 +-----+-------------+-----+---------> cycles
 *	       |<bend_cycles>|
 *
 * Bends lie on a grid, start_cycles + k * bend_cycles. So one 64-bit word holds a bend: k, and the
 * deviation of its time from an extrapolation with the initial speed. Such a word is replaced by
 * compare-and-exchange, and the map needs no lock. Each bend is an estimate of CLOCK_MONOTONIC.
 *
 * After some years there is no word for another bend. From then on the map is a straight line.
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

/* Reads the counter of the session, after all earlier loads. */
uint64_t lttp_clock_read(const struct lttp_head *head);

/* Returns: the counter that sessions on this machine use, an enum lttp_counter */
uint32_t lttp_clock_counter(void);

/* Whether this thread may read that counter. */
bool lttp_clock_readable(uint32_t counter);

/* Sets the time values of a new session and the first bends. @heartbeat_ms: not 0. Takes about 10
 * ms if the speed of the counter has to be measured. */
void lttp_clock_start(struct lttp_head *head, uint32_t heartbeat_ms);

/* Finds the line of the map for @cycles, a value just read, and extends the map if it ends soon.
 *
 * @now: (out): @cycles and the time there
 * @end: (out): the bend where the line ends, after @cycles
 *
 * Returns: false if @cycles is too old; then read the counter again */
bool lttp_clock_map(struct lttp_head *head, uint64_t cycles, struct lttp_instant *now,
		    struct lttp_instant *end);

/* Reads the counter and finds the time. Returns: false if the map is damaged */
bool lttp_clock_now(struct lttp_head *head, struct lttp_instant *now);

#endif /* LTTP_CLOCK_H */
