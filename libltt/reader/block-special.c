/* block-special.c - handle the events that the reader itself interprets (doc/format.md, 4.3 and
 * 11).
 */
#include "base/bytes-priv.h"
#include "model/ondisk-priv.h"
#include "reader/block-bend-priv.h"
#include "reader/block-walk-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-time.h>
#include <ltt/ltt-value.h>

static void take_stamp(LttWalk *walk, const guint8 *payload, const LttStampPlan *plan,
		       guint32 event)
{
	const LttByteOrder order = walk->byte_order;
	const guint64 time_ns =
		(guint64)ltt_load_u32(payload + plan->seconds_at, order) * LTT_NS_PER_S +
		ltt_load_u32(payload + plan->nanoseconds_at, order);
	const LttTrace *trace = walk->tracefile->trace;
	const LttTimeValue raw = {
		.cycles = ltt_load_u64(payload + plan->cycles_at, order),
		.time_ns = time_ns,
	};
	const LttTimeValue stamp = {
		.cycles = raw.cycles,
		.time_ns = ltt_trace_move_time(trace, time_ns),
	};

	if (trace->clock_map != NULL && event > 0)
		ltt_block_bend(walk->block, trace->clock_map, &walk->last_stamp, &raw, event);
	walk->last_stamp = raw;
	walk->block->is_beyond |= stamp.time_ns > LTT_MAX_TIME_NS;
	g_array_append_val(walk->block->stamps, stamp);
	g_array_append_val(walk->block->stamp_events, event);
	walk->block->cycles[event] = stamp.cycles;
	walk->base_cycles = stamp.cycles;
}

/* Reads a time of the payload of a tracer.clock. It is not clamped, because only a difference of two
 * such times is used. */
static guint64 load_time(const LttWalk *walk, const guint8 *payload, gsize seconds_at,
			 gsize nanoseconds_at)
{
	const guint32 seconds = ltt_load_u32(payload + seconds_at, walk->byte_order);
	const guint32 nanoseconds = ltt_load_u32(payload + nanoseconds_at, walk->byte_order);

	return ltt_trace_move_time(walk->tracefile->trace,
				   (guint64)seconds * LTT_NS_PER_S + nanoseconds);
}

static void take_clock(LttWalk *walk, const guint8 *payload)
{
	const LttByteOrder order = walk->byte_order;
	const LttTimeValue now = {
		.cycles = ltt_load_u64(payload + G_STRUCT_OFFSET(LttDiskClock, cycles), order),
		.time_ns = load_time(walk, payload, G_STRUCT_OFFSET(LttDiskClock, seconds),
				     G_STRUCT_OFFSET(LttDiskClock, nanoseconds)),
	};
	const LttTimeValue next = {
		.cycles = ltt_load_u64(payload + G_STRUCT_OFFSET(LttDiskClock, next_cycles), order),
		.time_ns = load_time(walk, payload, G_STRUCT_OFFSET(LttDiskClock, next_seconds),
				     G_STRUCT_OFFSET(LttDiskClock, next_nanoseconds)),
	};

	walk->block->clock_rate = ltt_rate_between(&now, &next);
}

static void take_thread(LttWalk *walk, const guint8 *payload, guint32 event)
{
	LttThreadChange change = {
		.first = event,
		.pid = ltt_load_u32(payload, walk->byte_order),
		.tid = ltt_load_u32(payload + 4, walk->byte_order),
	};

	g_array_append_val(walk->block->threads, change);
}

/* The fields of a facility_load. */
typedef struct LoadEvent {
	const char *name;
	guint32 checksum;
	guint32 base_code;
} LoadEvent;

/* Returns: FALSE, and sets nothing, if the description has other fields than that of builtin */
static gboolean parse_load(const LttWalk *walk, const LttSlot *slot, guint32 offset, guint32 size,
			   LoadEvent *load)
{
	const LttValue value = {.layout = slot->layout,
				.bytes = walk->block->bytes + offset + LTT_EVENT_HEADER_BYTES,
				.available = size,
				.byte_order = walk->byte_order};
	LttValue name;
	LttValue checksum;
	LttValue base_code;

	if (slot->layout == NULL || !ltt_value_find(&value, "name", &name) ||
	    name.layout->kind != LTT_STRING || !ltt_value_find(&value, "checksum", &checksum) ||
	    checksum.layout->kind != LTT_UINT || !ltt_value_find(&value, "base_code", &base_code) ||
	    base_code.layout->kind != LTT_UINT)
		return FALSE;
	load->name = ltt_value_get_string(&name, NULL);
	load->checksum = (guint32)ltt_value_get_uint(&checksum);
	load->base_code = (guint32)MIN(ltt_value_get_uint(&base_code), G_MAXUINT32);
	return TRUE;
}

static void take_load(LttWalk *walk, const LttSlot *slot, guint32 offset, guint32 size)
{
	LoadEvent load;

	if (!parse_load(walk, slot, offset, size, &load))
		return;
	if (walk->on_load != NULL)
		walk->on_load(walk, load.name, load.checksum, load.base_code, offset);
	else if (!ltt_slots_has(walk->slots, load.name, load.checksum, load.base_code))
		walk->met_unknown = TRUE;
}

/* Returns: whether a block_end at @offset is the last event although the final word names another
 * offset. Some writers of the historical dialect store the number of unused bytes there
 * (doc/format.md, 10.1). */
static gboolean is_last_of_22(const LttWalk *walk, guint32 offset)
{
	return walk->is_dialect_22 && offset == walk->last - (guint32)LTT_DIALECT_22_SLACK;
}

/* Returns: FALSE, with the damage noted, if the event is not allowed at this offset */
gboolean ltt_walk_may_stand(LttWalk *walk, const LttSlot *slot, guint32 offset, guint32 size)
{
	const LttEventRole role = slot->role;
	LoadEvent load;

	if (role == LTT_ROLE_FACILITY_LOAD && parse_load(walk, slot, offset, size, &load) &&
	    load.name[0] == '\0') {
		ltt_block_set_damage(walk->block, offset, "facility_load without a name");
		return FALSE;
	}
	if (role == LTT_ROLE_BLOCK_START && offset != 0) {
		ltt_block_set_damage(walk->block, offset, "block_start in the middle of a block");
		return FALSE;
	}
	if (role == LTT_ROLE_BLOCK_END && is_last_of_22(walk, offset)) {
		walk->last = offset;
		walk->is_bounded = TRUE;
	}
	if (role == LTT_ROLE_BLOCK_END && walk->is_bounded && offset != walk->last) {
		ltt_block_set_damage(
			walk->block, offset,
			"block_end here, but the final word says that the last event is at byte %u",
			walk->last);
		return FALSE;
	}
	return TRUE;
}

void ltt_walk_take_special(LttWalk *walk, const LttSlot *slot, guint32 event, guint32 offset,
			   guint32 size)
{
	const guint8 *payload = walk->block->bytes + offset + LTT_EVENT_HEADER_BYTES;

	switch (slot->role) {
	case LTT_ROLE_BLOCK_START:
	case LTT_ROLE_BLOCK_END:
		take_stamp(walk, payload, &walk->slots->block, event);
		break;
	case LTT_ROLE_HEARTBEAT:
		if (!walk->is_dialect_22)
			take_stamp(walk, payload, &walk->slots->stamp, event);
		break;
	case LTT_ROLE_FACILITY_LOAD:
		take_load(walk, slot, offset, size);
		break;
	case LTT_ROLE_THREAD:
		take_thread(walk, payload, event);
		break;
	case LTT_ROLE_CLOCK:
		take_clock(walk, payload);
		break;
	default:
		break;
	}
}
