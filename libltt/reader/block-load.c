/* block-load.c - load a block for a cursor (doc/format.md, 4.4 and 6). Finds its events, including
 * those of facilities that the file itself loads, and computes their times.
 *
 * The times of an open block may depend on the blocks before it. The walk reads those, but does not
 * load them.
 */
#include "reader/block-walk-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-time.h>

/* Returns: (nullable): the loads of control/facilities, for a walk over control/facilities, where they
 * are valid only for the events after them */
static GArray *get_own_loads(const LttTracefile *tracefile)
{
	return tracefile->lists_loads ? tracefile->local_loads : NULL;
}

/* Walks over a block with an unknown id again, as long as its trace has got further loads. A block
 * that is being written may get events of these in the meantime. */
static gboolean walk_with_new_loads(LttBlock *block, LttTracefile *tracefile, guint64 position,
				    gboolean *met_unknown, GError **error)
{
	const LttSlots *before = tracefile->trace->slots;

	while (*met_unknown && !tracefile->lists_loads) {
		LttSlots *slots = ltt_trace_get_new_slots(tracefile->trace);

		if (slots == before)
			return TRUE;
		before = slots;
		if (!ltt_block_walk(block, tracefile, position, slots, NULL, NULL, NULL,
				    met_unknown, error))
			return FALSE;
	}
	return TRUE;
}

/* Returns: whether a block with an unknown id ends before it, because its facility is hidden (ltt_trace_hold_loads()) */
static gboolean end_before_hidden(LttBlock *block, LttTracefile *tracefile)
{
	LttTrace *trace = tracefile->trace;
	guint16 id;

	if (block->damage == NULL || block->position + 1 < ltt_tracefile_get_n_ordered(tracefile))
		return FALSE;
	id = ltt_load_u16(block->bytes + block->damage_byte,
			  ltt_system_get_arch(trace->system)->byte_order);
	if (ltt_slots_get(trace->slots, id) != NULL || !ltt_trace_holds_back(trace, id))
		return FALSE;
	g_clear_pointer(&block->damage, g_free);
	block->damage_byte = 0;
	block->is_open = TRUE;
	return TRUE;
}

gboolean ltt_block_load_untimed(LttBlock *block, LttTracefile *tracefile, guint64 position,
				GError **error)
{
	LttTrace *trace = tracefile->trace;
	gboolean met_unknown;

	if (!ltt_block_walk(block, tracefile, position, trace->slots, get_own_loads(tracefile),
			    NULL, NULL, &met_unknown, error))
		return FALSE;
	if (met_unknown && trace->is_followed) {
		/* The facility of an event is loaded before the event is written. */
		ltt_trace_read_new_loads(trace);
		return ltt_block_walk(block, tracefile, position, trace->slots,
				      get_own_loads(tracefile), NULL, NULL, &met_unknown, error);
	}
	if (met_unknown && !walk_with_new_loads(block, tracefile, position, &met_unknown, error))
		return FALSE;
	if (!met_unknown || tracefile->lists_loads || end_before_hidden(block, tracefile))
		return TRUE;
	ltt_tracefile_find_local_loads(tracefile);
	if (tracefile->local_loads->len == 0)
		return TRUE;
	return ltt_block_walk(block, tracefile, position, tracefile->local_slots,
			      tracefile->local_loads, NULL, NULL, &met_unknown, error);
}

static const LttTimeValue *stamp(const LttBlock *block, guint index)
{
	return &g_array_index(block->stamps, LttTimeValue, index);
}

LttRate ltt_block_get_rate(const LttBlock *block)
{
	if (block->stamps->len < 2)
		return (LttRate){0, 0};
	return ltt_rate_between(stamp(block, 0), stamp(block, block->stamps->len - 1));
}

/* Returns: the rate, from block_start to the last time value, of the nearest block before @position
 * that has one; no rate if no block has one */
static LttRate get_rate_before(LttTracefile *tracefile, guint64 position)
{
	LttBlock block;
	LttRate rate = {0, 0};

	ltt_block_init(&block);
	g_rec_mutex_lock(&tracefile->lock);
	for (guint64 at = position; at > 0 && rate.dc_cycles == 0; at--) {
		g_autoptr(GError) error = NULL;

		if (at == tracefile->rate_position) {
			rate = tracefile->rate;
			break;
		}
		if (ltt_block_load_untimed(&block, tracefile, at - 1, &error))
			rate = ltt_block_get_rate(&block);
		ltt_tracefile_note_failure(tracefile, error);
	}
	tracefile->rate_position = position;
	tracefile->rate = rate;
	g_rec_mutex_unlock(&tracefile->lock);
	ltt_block_clear(&block);
	return rate;
}

static LttRate get_rate_of_system(const LttTrace *trace)
{
	const guint64 hz = ltt_system_get_cycle_frequency(trace->system);
	const LttRate rate = hz > 0 ? (LttRate){LTT_NS_PER_S, hz} : (LttRate){1, 1};

	return trace->clock_map != NULL ? ltt_clock_map_convert_rate(trace->clock_map, rate) : rate;
}

/* Returns: the rate after the last time value, if the block itself gives it (doc/format.md, 6.3) */
static LttRate get_own_open_rate(const LttBlock *block)
{
	const guint n_stamps = block->stamps->len;

	if (block->clock_rate.dc_cycles == 0 && n_stamps >= 2)
		return ltt_rate_between(stamp(block, n_stamps - 2), stamp(block, n_stamps - 1));
	return block->clock_rate;
}

/* The same, from the first source that gives a rate. */
static LttRate open_rate(LttBlock *block, LttTracefile *tracefile)
{
	LttRate rate = get_own_open_rate(block);

	if (rate.dc_cycles == 0)
		rate = get_rate_before(tracefile, block->position);
	block->rests_on_system = rate.dc_cycles == 0;
	return block->rests_on_system ? get_rate_of_system(tracefile->trace) : rate;
}

/* Returns: whether events follow the last time value, so that the open rate matters */
static gboolean has_open_end(const LttBlock *block)
{
	const guint n_stamps = block->stamps->len;

	return n_stamps > 0 &&
	       block->n_events - g_array_index(block->stamp_events, guint32, n_stamps - 1) > 1;
}

static void compute_times(LttBlock *block, LttTracefile *tracefile)
{
	block->rests_on_system = FALSE;
	for (guint i = 0; i < block->stamps->len; i++) {
		const gboolean is_last = i + 1 == block->stamps->len;
		const guint32 *events = &g_array_index(block->stamp_events, guint32, i);
		const guint32 end = is_last ? block->n_events : events[1];
		LttRate rate = {0, 0};

		if (!is_last)
			rate = ltt_rate_between(stamp(block, i), stamp(block, i + 1));
		else if (has_open_end(block))
			rate = open_rate(block, tracefile);
		ltt_clock_times(stamp(block, i), &rate, block->cycles + events[0], end - events[0],
				block->times_ns + events[0]);
	}
}

static void move_stamps(LttBlock *block, guint64 by_ns)
{
	for (guint i = 0; i < block->stamps->len; i++)
		g_array_index(block->stamps, LttTimeValue, i).time_ns += by_ns;
}

/* Computes times of which some are out of range. Clamped time values would also change the times between them that are
 * in range. So the times are first computed relative to @base_ns, which lies so far below the first time value that
 * all are in range, and then clamped. */
static void compute_times_beyond(LttBlock *block, LttTracefile *tracefile)
{
	const guint64 base_ns = stamp(block, 0)->time_ns - (guint64)LTT_MAX_BELOW_NS;

	move_stamps(block, -base_ns);
	compute_times(block, tracefile);
	move_stamps(block, base_ns);
	for (guint i = 0; i < block->stamps->len; i++) {
		LttTimeValue *value = &g_array_index(block->stamps, LttTimeValue, i);

		value->time_ns = ltt_time_clamp_moved(value->time_ns);
	}
	for (guint32 i = 0; i < block->n_events; i++)
		block->times_ns[i] = ltt_time_clamp_moved(block->times_ns[i] + base_ns);
}

static void set_times(LttBlock *block, LttTracefile *tracefile)
{
	if (block->is_beyond)
		compute_times_beyond(block, tracefile);
	else
		compute_times(block, tracefile);
}

gboolean ltt_block_load(LttBlock *block, LttTracefile *tracefile, guint64 position, GError **error)
{
	if (!ltt_block_load_untimed(block, tracefile, position, error))
		return FALSE;
	set_times(block, tracefile);
	return TRUE;
}

gboolean ltt_block_try_load(LttBlock *block, LttTracefile *tracefile, guint64 position)
{
	gboolean met_unknown;

	if (!ltt_block_walk(block, tracefile, position, tracefile->trace->slots,
			    get_own_loads(tracefile), NULL, NULL, &met_unknown, NULL) ||
	    met_unknown)
		return FALSE;
	if (has_open_end(block) && get_own_open_rate(block).dc_cycles == 0)
		return FALSE;
	set_times(block, tracefile);
	return TRUE;
}
