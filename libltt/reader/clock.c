/* clock.c - piecewise linear time in exact integers.
 *
 * The definition is a 128-bit product and a division. In nearly all cases a multiplication by the
 * rate replaces the division. The rate is computed once as a fixed-point number with 64 fractional
 * bits, rounded up. The result is exact as long as the rounding error cannot reach the next
 * integer. For larger counts the rate is rounded down; the quotient is then at most one too small,
 * and the remainder corrects it. So a time costs one to three multiplications and is exact.
 */
#include "reader/clock-priv.h"

#include "base/prefetch-priv.h"

#include <ltt/ltt-time.h>

LttRate ltt_rate_between(const LttTimeValue *from, const LttTimeValue *to)
{
	if (to->cycles <= from->cycles)
		return (LttRate){0, 0};
	return (LttRate){.dt_ns = (gint64)(to->time_ns - from->time_ns),
			 .dc_cycles = to->cycles - from->cycles};
}

static guint64 clamp_time(__int128 time_ns)
{
	if (time_ns < 0)
		return 0;
	return time_ns > (__int128)LTT_MAX_TIME_NS ? LTT_MAX_TIME_NS : (guint64)time_ns;
}

/* Computes times by the definition. */
static guint64 time_at(const LttTimeValue *from, const LttRate *rate, guint64 cycles)
{
	const __int128 dc = (__int128)rate->dc_cycles;
	const __int128 product = (__int128)(cycles - from->cycles) * rate->dt_ns;
	__int128 quotient = product / dc;

	if (product % dc < 0)
		quotient--;
	return clamp_time((__int128)from->time_ns + quotient);
}

/* Returns: whether fixed-point arithmetic is in range up to @most_cycles from the time value */
static gboolean is_plain(const LttTimeValue *from, const LttRate *rate, guint64 most_cycles)
{
	return rate->dt_ns >= 0 && rate->dc_cycles <= (guint64)1 << 62 &&
	       (unsigned __int128)most_cycles * (guint64)rate->dt_ns / rate->dc_cycles <=
		       LTT_MAX_TIME_NS - from->time_ns;
}

/* A rate as x*dt/dc = x*whole + x*part/dc with part < dc. */
typedef struct Split {
	guint64 whole;
	guint64 part;
} Split;

static inline guint64 high_half(guint64 x, guint64 y)
{
	return (guint64)(((unsigned __int128)x * y) >> 64);
}

/* With places = ceil(part * 2^64 / dc), x*places/2^64 is above x*part/dc by less than x/2^64. The
 * next whole number above x*part/dc is at least 1/dc away; so the floor is right as long as x*dc
 * is at most 2^64.
 *
 * Returns: no less than the greatest x, so that the caller can check that condition */
static inline __attribute__((always_inline)) guint64 short_times(const LttTimeValue *from,
								 guint64 whole, guint64 places,
								 const guint64 *cycles,
								 gsize n_events, guint64 *times_ns)
{
	const guint64 base_cycles = from->cycles;
	const guint64 base_ns = from->time_ns;
	guint64 all_x = 0;

	for (gsize i = 0; i < n_events; i++) {
		const guint64 x = cycles[i] - base_cycles;

		ltt_prefetch_behind(times_ns + i);
		times_ns[i] = base_ns + x * whole + high_half(x, places);
		all_x |= x;
	}
	return all_x;
}

/* Returns: FALSE if the times are not valid */
static gboolean set_short_times(const LttTimeValue *from, const LttRate *rate, const Split *split,
				const guint64 *cycles, gsize n_events, guint64 *times_ns)
{
	const guint64 dc = rate->dc_cycles;
	const guint64 places = (guint64)((((unsigned __int128)split->part << 64) + dc - 1) / dc);
	guint64 most;

	/* The usual case: the counter is faster than 1 GHz. */
	if (split->whole == 0)
		most = short_times(from, 0, places, cycles, n_events, times_ns);
	else
		most = short_times(from, split->whole, places, cycles, n_events, times_ns);
	return (unsigned __int128)most * dc <= (unsigned __int128)1 << 64 &&
	       is_plain(from, rate, most);
}

/* With places = floor(part * 2^64 / dc), x*places/2^64 is less than one below x*part/dc, so its
 * floor is right or one too small. Returns: as set_short_times() */
static gboolean set_long_times(const LttTimeValue *from, const LttRate *rate, const Split *split,
			       const guint64 *cycles, gsize n_events, guint64 *times_ns)
{
	const guint64 dc = rate->dc_cycles;
	const guint64 places = (guint64)(((unsigned __int128)split->part << 64) / dc);
	guint64 all_x = 0;

	for (gsize i = 0; i < n_events; i++) {
		const guint64 x = cycles[i] - from->cycles;
		const guint64 quotient = high_half(x, places);
		const guint64 rest = x * split->part - quotient * dc;

		times_ns[i] = from->time_ns + x * split->whole + quotient + (rest >= dc);
		all_x |= x;
	}
	return is_plain(from, rate, all_x);
}

void ltt_clock_times(const LttTimeValue *from, const LttRate *rate, const guint64 *cycles,
		     gsize n_events, guint64 *times_ns)
{
	if (rate->dc_cycles == 0) {
		for (gsize i = 0; i < n_events; i++)
			times_ns[i] = clamp_time(from->time_ns);
		return;
	}
	if (is_plain(from, rate, 0)) {
		const Split split = {.whole = (guint64)rate->dt_ns / rate->dc_cycles,
				     .part = (guint64)rate->dt_ns % rate->dc_cycles};

		if (set_short_times(from, rate, &split, cycles, n_events, times_ns) ||
		    set_long_times(from, rate, &split, cycles, n_events, times_ns))
			return;
	}
	for (gsize i = 0; i < n_events; i++)
		times_ns[i] = time_at(from, rate, cycles[i]);
}
