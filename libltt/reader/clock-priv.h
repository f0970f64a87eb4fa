/* clock-priv.h - convert cycle counts to wall time, exactly (doc/format.md, 6). */
#ifndef LTT_CLOCK_PRIV_H
#define LTT_CLOCK_PRIV_H

#ifndef LTT_BUILDING
#error "clock-priv.h is private to libltt"
#endif

#include <ltt/ltt-time.h>

/* A wall time and the cycle counter at that time. */
typedef struct LttTimeValue {
	guint64 cycles;
	guint64 time_ns;
} LttTimeValue;

/* A rate: dt_ns nanoseconds per dc_cycles cycles. */
typedef struct LttRate {
	gint64 dt_ns;      /* negative where the clock was set back */
	guint64 dc_cycles; /* 0: no rate; the time stays constant */
} LttRate;

/* Returns: @time_ns moved by @offset_ns, kept within 0 ... LTT_MAX_TIME_NS */
static inline guint64 ltt_time_shift(guint64 time_ns, gint64 offset_ns)
{
	if (offset_ns < 0)
		return time_ns - MIN(time_ns, -(guint64)offset_ns);
	return time_ns >= LTT_MAX_TIME_NS - (guint64)offset_ns ? LTT_MAX_TIME_NS
							       : time_ns + (guint64)offset_ns;
}

/* A time that was moved, before it is clamped: below 0 it is stored modulo 2^64. It is never more than this
 * below 0: a time value of a file (doc/format.md, 4.3) that is moved further is below 0 like all others. */
#define LTT_MAX_BELOW_NS ((gint64)1 << 62)

/* Returns: @time_ns of a time value moved by @offset_ns, not clamped */
static inline guint64 ltt_time_move(guint64 time_ns, gint64 offset_ns)
{
	return time_ns + (guint64)MAX(offset_ns, -LTT_MAX_BELOW_NS);
}

/* Returns: such a time, kept within 0 ... LTT_MAX_TIME_NS */
static inline guint64 ltt_time_clamp_moved(guint64 time_ns)
{
	if (G_LIKELY(time_ns <= LTT_MAX_TIME_NS))
		return time_ns;
	return time_ns >= -(guint64)LTT_MAX_BELOW_NS ? 0 : LTT_MAX_TIME_NS;
}

/* Returns: the rate from @from to @to; none if the counter does not rise */
LttRate ltt_rate_between(const LttTimeValue *from, const LttTimeValue *to);

/* Times of events with @cycles, on the line through @from with @rate:
 * from.time + floor((cycles - from.cycles) * dt / dc), kept within 0 ... LTT_MAX_TIME_NS. */
void ltt_clock_times(const LttTimeValue *from, const LttRate *rate, const guint64 *cycles,
		     gsize n_events, guint64 *times_ns);

#endif
