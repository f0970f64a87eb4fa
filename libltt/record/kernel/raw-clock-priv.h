/* raw-clock-priv.h - convert times of CLOCK_MONOTONIC_RAW to the counter of the session.
 *
 * The kernel can stamp its events with this clock where it cannot use the counter of the session. The
 * clock is read together with the counter at each pass over the ring buffers, and the conversion
 * is linear between two reads:
 *
 *	counter                  o    read k + 1: (ns, cycles)
 *	 ^                  .-*-'     an event
 *	 |      o------*---'          read k
 *	 +----------------------> CLOCK_MONOTONIC_RAW
 *
 * A read of the clock lies between two reads of the counter, and their distance is the bound of the
 * error. Reads are kept, because a late recorder converts events that are older than the last
 * reads: the speed between two reads that follow each other at once is too inexact for these.
 */
#ifndef LTT_RECORD_KERNEL_RAW_CLOCK_PRIV_H
#define LTT_RECORD_KERNEL_RAW_CLOCK_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/raw-clock-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "session/session-layout.h"

#include <glib.h>

typedef struct LttRawInstant {
	guint64 raw_ns;
	guint64 cycles;
} LttRawInstant;

/* Reads that are kept. When there are more, every second one of the older half is dropped. */
#define LTT_RAW_INSTANTS 1024

typedef struct LttRawClock {
	const struct lttp_head *head; /* borrowed */
	LttRawInstant instants[LTT_RAW_INSTANTS];
	guint n_instants;
	guint64 error_cycles; /* the largest bound of all reads */
} LttRawClock;

/* Reads both clocks. Until the first update the speed of the session's counter is an estimate. */
void ltt_raw_clock_init(LttRawClock *clock, const struct lttp_head *head);

/* Reads both clocks again. Events since the read before can then be converted. */
void ltt_raw_clock_update(LttRawClock *clock);

/* Adds a read. One that is not later than the last one in both clocks is ignored. */
void ltt_raw_clock_add(LttRawClock *clock, LttRawInstant instant);

/* Returns: the counter at @raw_ns. Never decreases with @raw_ns between two updates */
guint64 ltt_raw_clock_convert(const LttRawClock *clock, guint64 raw_ns);

/* Returns: the largest possible error of a converted time */
guint64 ltt_raw_clock_get_error_ns(const LttRawClock *clock);

#endif
