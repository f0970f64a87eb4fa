/* raw-clock.c - see raw-clock-priv.h. */
#define _GNU_SOURCE
#include "record/kernel/raw-clock-priv.h"

#include "session/clock.h"

#include <time.h>

/* Reads of which the one with the least distance counts. */
#define READS 16

#define NS_PER_S 1000000000u

static LttRawInstant read_both(const struct lttp_head *head, guint64 *distance_cycles)
{
	LttRawInstant best = {0, 0};

	*distance_cycles = G_MAXUINT64;
	for (guint i = 0; i < READS; i++) {
		const guint64 before = lttp_clock_read(head);
		struct timespec raw;
		guint64 after;

		clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
		after = lttp_clock_read(head);
		if (after - before < *distance_cycles) {
			*distance_cycles = after - before;
			best.raw_ns = (guint64)raw.tv_sec * NS_PER_S + (guint64)raw.tv_nsec;
			best.cycles = before + (after - before) / 2;
		}
	}
	return best;
}

static LttRawInstant read_next(LttRawClock *clock)
{
	guint64 distance;
	const LttRawInstant instant = read_both(clock->head, &distance);

	clock->error_cycles = MAX(clock->error_cycles, distance);
	return instant;
}

/* Returns: @value * @part / @whole */
static guint64 scale(guint64 value, guint64 part, guint64 whole)
{
	return (guint64)((unsigned __int128)value * part / whole);
}

/* Before the first update the speed of the session's counter serves as an estimate. */
void ltt_raw_clock_init(LttRawClock *clock, const struct lttp_head *head)
{
	*clock = (LttRawClock){.head = head, .is_estimate = TRUE};
	clock->from = read_next(clock);
	clock->to = (LttRawInstant){clock->from.raw_ns + NS_PER_S,
				    clock->from.cycles + head->cycles_per_second};
}

void ltt_raw_clock_update(LttRawClock *clock)
{
	const LttRawInstant now = read_next(clock);

	if (now.raw_ns <= clock->from.raw_ns || now.cycles <= clock->from.cycles)
		return;
	if (!clock->is_estimate && clock->to.raw_ns < now.raw_ns && clock->to.cycles < now.cycles)
		clock->from = clock->to;
	clock->is_estimate = FALSE;
	clock->to = now;
}

guint64 ltt_raw_clock_convert(const LttRawClock *clock, guint64 raw_ns)
{
	const guint64 ns = clock->to.raw_ns - clock->from.raw_ns;
	const guint64 cycles = clock->to.cycles - clock->from.cycles;

	if (raw_ns >= clock->from.raw_ns)
		return clock->from.cycles + scale(raw_ns - clock->from.raw_ns, cycles, ns);
	return clock->from.cycles -
	       MIN(clock->from.cycles, scale(clock->from.raw_ns - raw_ns, cycles, ns));
}

guint64 ltt_raw_clock_get_error_ns(const LttRawClock *clock)
{
	return scale(clock->error_cycles, NS_PER_S, clock->head->cycles_per_second) + 1;
}
