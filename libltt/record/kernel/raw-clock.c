/* raw-clock.c - see raw-clock-priv.h. */
#define _GNU_SOURCE
#include "record/kernel/raw-clock-priv.h"

#include "session/clock.h"

#include <string.h>
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

/* Returns: @value * @part / @whole */
static guint64 scale(guint64 value, guint64 part, guint64 whole)
{
	return (guint64)((unsigned __int128)value * part / whole);
}

/* Drops every second one of the older half. */
static void thin(LttRawClock *clock)
{
	const guint n_older = LTT_RAW_INSTANTS / 2;

	for (guint i = 0; i < n_older / 2; i++)
		clock->instants[i] = clock->instants[2 * i];
	memmove(clock->instants + n_older / 2, clock->instants + n_older,
		(LTT_RAW_INSTANTS - n_older) * sizeof(*clock->instants));
	clock->n_instants -= n_older / 2;
}

void ltt_raw_clock_add(LttRawClock *clock, LttRawInstant instant)
{
	if (clock->n_instants > 0) {
		const LttRawInstant *last = &clock->instants[clock->n_instants - 1];

		if (instant.raw_ns <= last->raw_ns || instant.cycles <= last->cycles)
			return;
	}
	if (clock->n_instants == LTT_RAW_INSTANTS)
		thin(clock);
	clock->instants[clock->n_instants++] = instant;
}

void ltt_raw_clock_init(LttRawClock *clock, const struct lttp_head *head)
{
	clock->head = head;
	clock->n_instants = 0;
	clock->error_cycles = 0;
	ltt_raw_clock_update(clock);
}

void ltt_raw_clock_update(LttRawClock *clock)
{
	guint64 distance;
	const LttRawInstant instant = read_both(clock->head, &distance);

	clock->error_cycles = MAX(clock->error_cycles, distance);
	ltt_raw_clock_add(clock, instant);
}

/* Returns: the index of the last read before @raw_ns that has a successor, or 0. Most events are younger
 * than the last read but one. */
static guint find_read(const LttRawClock *clock, guint64 raw_ns)
{
	guint first = 0;
	guint end = clock->n_instants - 1; /* the result is less */

	if (clock->instants[end - 1].raw_ns <= raw_ns)
		return end - 1;
	while (end - first > 1) {
		const guint middle = first + (end - first) / 2;

		if (clock->instants[middle].raw_ns <= raw_ns)
			first = middle;
		else
			end = middle;
	}
	return first;
}

guint64 ltt_raw_clock_convert(const LttRawClock *clock, guint64 raw_ns)
{
	LttRawInstant from = clock->instants[0];
	guint64 ns = NS_PER_S;
	guint64 cycles = clock->head->cycles_per_second;

	if (clock->n_instants > 1) {
		const LttRawInstant *read = &clock->instants[find_read(clock, raw_ns)];

		from = read[0];
		ns = read[1].raw_ns - from.raw_ns;
		cycles = read[1].cycles - from.cycles;
	}
	if (raw_ns >= from.raw_ns)
		return from.cycles + scale(raw_ns - from.raw_ns, cycles, ns);
	return from.cycles - MIN(from.cycles, scale(from.raw_ns - raw_ns, cycles, ns));
}

guint64 ltt_raw_clock_get_error_ns(const LttRawClock *clock)
{
	return scale(clock->error_cycles, NS_PER_S, clock->head->cycles_per_second) + 1;
}
