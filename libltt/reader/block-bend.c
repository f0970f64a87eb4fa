/* block-bend.c - see block-bend-priv.h. */
#include "reader/block-bend-priv.h"

/* Returns: the least cycle count whose time between @from and @to is at least @time_ns */
static guint64 find_cycles(const LttTimeValue *from, const LttTimeValue *to, guint64 time_ns)
{
	const unsigned __int128 dt_ns = to->time_ns - from->time_ns;
	const unsigned __int128 dc_cycles = to->cycles - from->cycles;

	return from->cycles +
	       (guint64)(((time_ns - from->time_ns) * dc_cycles + dt_ns - 1) / dt_ns);
}

static gboolean rises(const guint64 *cycles, guint32 first, guint32 end)
{
	for (guint32 i = first + 1; i < end; i++)
		if (cycles[i] < cycles[i - 1])
			return FALSE;
	return TRUE;
}

/* Returns: the first event from @first on with at least @cycles; @end: there is none */
static guint32 find_event(const LttBlock *block, guint32 first, guint32 end, guint64 cycles)
{
	while (first < end) {
		const guint32 middle = first + (end - first) / 2;

		if (block->cycles[middle] < cycles)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

void ltt_block_bend(LttBlock *block, const LttClockMap *map, const LttTimeValue *from,
		    const LttTimeValue *to, guint32 n_events)
{
	const guint n_stamps = block->stamps->len;
	guint32 first = g_array_index(block->stamp_events, guint32, n_stamps - 1);
	const LttClockPoint *points;
	guint n_points;
	guint bend;
	guint end;

	points = ltt_clock_map_get_points(map, &n_points);
	bend = ltt_clock_map_find_bend(map, from->time_ns, &end);
	if (bend >= end || points[bend].from_ns >= to->time_ns)
		return; /* the usual case */
	if (to->cycles <= from->cycles || !rises(block->cycles, first, n_events))
		return;
	for (; bend < end && points[bend].from_ns < to->time_ns; bend++) {
		const LttTimeValue value = {
			.cycles = find_cycles(from, to, points[bend].from_ns),
			.time_ns = points[bend].to_ns,
		};

		first = find_event(block, first, n_events, value.cycles);
		g_array_append_val(block->stamps, value);
		g_array_append_val(block->stamp_events, first);
	}
}
