/* fit.c - find the simplest rate that reproduces the times of events.
 *
 * An event d cycles after the time value is q = floor(d * rate) nanoseconds after it. So the rate
 * is at least q/d and below (q+1)/d; the intersection over all events is an interval of rates, each
 * of which reproduces all times. The rate with the smallest denominator, found with continued
 * fractions, has the smallest step from one time value to the next, so a multiple of this step
 * lies close to the last event.
 *
 * A time that was clamped to either end of the range bounds the rate on one side only.
 */
#include "edit/fit-priv.h"

#include "writer/block-writer-priv.h"

#include <ltt/ltt-time.h>

typedef __int128 Wide;
typedef unsigned __int128 Natural;

typedef struct Fraction {
	Wide numerator;
	Wide denominator; /* above 0; in simplest() 0 means infinity */
} Fraction;

/* [low, high) */
typedef struct Interval {
	gboolean has_low;
	gboolean has_high;
	Fraction low;
	Fraction high;
} Interval;

/* All numbers here are below 2^64, one of the factors below 2^63. */
static gboolean is_less(const Fraction *a, const Fraction *b)
{
	return a->numerator * b->denominator < b->numerator * a->denominator;
}

static void raise_low(Interval *interval, Fraction low)
{
	if (!interval->has_low || is_less(&interval->low, &low))
		interval->low = low;
	interval->has_low = TRUE;
}

static void reduce_high(Interval *interval, Fraction high)
{
	if (!interval->has_high || is_less(&high, &interval->high))
		interval->high = high;
	interval->has_high = TRUE;
}

static Interval get_interval(const LttTimeValue *from, const LttInstant *events, gsize n_events)
{
	Interval interval = {.has_low = FALSE};

	for (gsize i = 0; i < n_events; i++) {
		const Wide d = (Wide)(events[i].cycles - from->cycles);
		const Wide q = (Wide)events[i].time_ns - (Wide)from->time_ns;

		if (d == 0)
			continue;
		if (events[i].time_ns > 0)
			raise_low(&interval, (Fraction){q, d});
		if (events[i].time_ns < LTT_MAX_TIME_NS)
			reduce_high(&interval, (Fraction){q + 1, d});
	}
	if (interval.has_high && !interval.has_low)
		raise_low(&interval, (Fraction){interval.high.numerator - interval.high.denominator,
						interval.high.denominator});
	if (interval.has_low && !interval.has_high)
		reduce_high(&interval, (Fraction){interval.low.numerator + interval.low.denominator,
						  interval.low.denominator});
	return interval;
}

/* ---- the simplest fraction ---- */

/* An end of an interval of non-negative fractions. */
typedef struct End {
	Natural numerator;
	Natural denominator; /* 0: infinity */
	gboolean is_included;
} End;

static gboolean is_below(Natural whole, const End *high)
{
	if (high->denominator == 0 || whole < high->numerator / high->denominator)
		return TRUE;
	if (whole > high->numerator / high->denominator)
		return FALSE;
	return high->numerator % high->denominator != 0 || high->is_included;
}

/* Finds the fraction with the smallest denominator in an interval. If the interval contains
 * integers, it is the smallest of these; else recurses into the reciprocal of the fraction. */
static void simplest(const End *low, const End *high, Natural *numerator, Natural *denominator)
{
	const Natural floor = low->numerator / low->denominator;
	const gboolean is_whole = low->numerator % low->denominator == 0 && low->is_included;
	const Natural whole = is_whole ? floor : floor + 1;
	End next_low;
	End next_high;
	Natural p;
	Natural q;

	if (is_below(whole, high)) {
		*numerator = whole;
		*denominator = 1;
		return;
	}
	next_low = (End){high->denominator, high->numerator - floor * high->denominator,
			 high->is_included};
	next_high = (End){low->denominator, low->numerator - floor * low->denominator,
			  low->is_included};
	simplest(&next_low, &next_high, &p, &q);
	*numerator = floor * p + q;
	*denominator = p;
}

static Wide floor_of(const Fraction *fraction)
{
	const Wide quotient = fraction->numerator / fraction->denominator;

	return quotient - (fraction->numerator % fraction->denominator < 0 ? 1 : 0);
}

/* Returns: FALSE if the numbers exceed all bounds */
static gboolean find_rate(const Interval *interval, Fraction *rate)
{
	const Wide shift = floor_of(&interval->low);
	Wide low_shift;
	Wide high_shift;
	Natural p;
	Natural q;
	End low;
	End high;

	if (__builtin_mul_overflow(shift, interval->low.denominator, &low_shift) ||
	    __builtin_mul_overflow(shift, interval->high.denominator, &high_shift))
		return FALSE;
	low = (End){(Natural)(interval->low.numerator - low_shift),
		    (Natural)interval->low.denominator, TRUE};
	high = (End){(Natural)(interval->high.numerator - high_shift),
		     (Natural)interval->high.denominator, FALSE};
	simplest(&low, &high, &p, &q);
	*rate = (Fraction){(Wide)p + shift * (Wide)q, (Wide)q};
	return TRUE;
}

/* ---- the time value ---- */

/* Returns: (nullable): the event with the most cycles, if the rate up to it reproduces all times;
 *   NULL: it does not, or its time cannot be written */
static const LttInstant *find_last(const LttTimeValue *from, const LttInstant *events,
				   gsize n_events, const Interval *interval)
{
	const LttInstant *last = events;
	Fraction rate;

	for (gsize i = 1; i < n_events; i++) {
		if (events[i].cycles - from->cycles > last->cycles - from->cycles)
			last = &events[i];
	}
	rate = (Fraction){(Wide)last->time_ns - (Wide)from->time_ns,
			  (Wide)(last->cycles - from->cycles)};
	if (last->cycles <= from->cycles || last->time_ns > LTT_MAX_FOUND_NS ||
	    is_less(&rate, &interval->low) || !is_less(&rate, &interval->high))
		return NULL;
	return last;
}

/* Returns: how many steps of @rate fit before the last event and the limit of writable times */
static Wide count_steps(const LttTimeValue *from, const Fraction *rate, Wide most_cycles)
{
	Wide n_steps = MIN(most_cycles, (Wide)(G_MAXUINT64 - from->cycles)) / rate->denominator;

	if (rate->numerator > 0)
		n_steps = MIN(n_steps, (Wide)(LTT_MAX_FOUND_NS - from->time_ns) / rate->numerator);
	else if (rate->numerator < 0)
		n_steps = MIN(n_steps, (Wide)from->time_ns / -rate->numerator);
	return n_steps;
}

gboolean ltt_fit(const LttTimeValue *from, const LttInstant *events, gsize n_events,
		 LttTimeValue *to)
{
	const Interval interval = get_interval(from, events, n_events);
	const LttInstant *last;
	Wide most_cycles = 0;
	Wide n_steps;
	Fraction rate;

	if (!interval.has_low) {
		*to = *from;
		return TRUE;
	}
	last = find_last(from, events, n_events, &interval);
	if (last != NULL) {
		*to = *last;
		return TRUE;
	}
	if (!is_less(&interval.low, &interval.high) || !find_rate(&interval, &rate))
		return FALSE;
	for (gsize i = 0; i < n_events; i++)
		most_cycles = MAX(most_cycles, (Wide)(events[i].cycles - from->cycles));
	n_steps = count_steps(from, &rate, most_cycles);
	if (n_steps == 0)
		return FALSE;
	to->cycles = from->cycles + (guint64)(n_steps * rate.denominator);
	to->time_ns = (guint64)((Wide)from->time_ns + n_steps * rate.numerator);
	return TRUE;
}
