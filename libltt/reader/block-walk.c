/* block-walk.c - walk over the events of a block (doc/format.md, 3.3 and 3.6).
 *
 * The walk validates each value before it uses it: the final word, each id, the size of each
 * payload. It stops at the event that the final word names, or at the first damage. It keeps the
 * events found before.
 */
#include "base/bytes-priv.h"
#include "base/prefetch-priv.h"
#include "model/ondisk-priv.h"
#include "reader/block-walk-priv.h"
#include "reader/trace-priv.h"

G_STATIC_ASSERT(LTT_EXTENT_SLACK_BYTES <= LTT_BLOCK_SLACK_BYTES);

/* After a shorter run of events of one type, the walk assumes that types alternate: it handles this
 * many events one by one before it searches the next run. */
#define MIN_RUN_EVENTS 8
#define MIXED_EVENTS   256

/* Returns: the cycle counter at an event of dialect 2.2, which contains its low 32 bits
 * (doc/format.md, 10) */
static guint64 extend_cycles(LttWalk *walk, guint32 low)
{
	if (low < (guint32)walk->last_cycles)
		walk->last_cycles += (guint64)1 << 32;
	walk->last_cycles = (walk->last_cycles & ~(guint64)G_MAXUINT32) | low;
	return walk->last_cycles;
}

/* Returns: the slot of an id; a local load of the file may cover the id from some offset on */
static const LttSlot *find_slot(LttWalk *walk, guint16 id, guint32 offset)
{
	const LttSlot *slot = ltt_slots_get(walk->slots, id);

	if (slot == NULL || walk->local_loads == NULL)
		return slot;
	for (guint i = 0; i < walk->local_loads->len; i++) {
		const LttLocalLoad *load = &g_array_index(walk->local_loads, LttLocalLoad, i);

		if (id >= load->base_code && id - load->base_code < load->n_events)
			return load->position < walk->block->position ||
					       (load->position == walk->block->position &&
						load->offset_bytes < offset)
				       ? slot
				       : NULL;
	}
	return slot;
}

/* Measures the payload of the event at @offset of the block. Returns: FALSE, with the damage noted,
 * if it does not fit */
static gboolean measure_payload(LttWalk *walk, const LttSlot *slot, guint32 offset, guint32 *size)
{
	const guint32 at = offset + (guint32)LTT_EVENT_HEADER_BYTES;
	const guint32 available = walk->end - at;
	const char *why = "its payload runs past the end of the block";
	gsize measured;

	if (slot->payload_bytes != LTT_PAYLOAD_VARIES) {
		if (G_LIKELY(slot->payload_bytes <= available)) {
			*size = slot->payload_bytes;
			return TRUE;
		}
	} else if (ltt_layout_measure(slot->layout, walk->block->bytes + at, available,
				      walk->byte_order, &measured, &why)) {
		*size = (guint32)measured;
		return TRUE;
	}
	ltt_block_set_damage(walk->block, offset, "event %s: %s", slot->type->full_name, why);
	return FALSE;
}

/* Adds the event at @offset to the arrays. Returns: the offset of its end; 0, with the damage
 * noted, if it is invalid */
static inline guint32 take_event(LttWalk *walk, guint32 offset)
{
	LttBlock *block = walk->block;
	const guint32 event = block->n_events;
	const LttSlot *slot;
	guint32 size;
	guint32 time;
	guint16 id;

	if (walk->end - offset < LTT_EVENT_HEADER_BYTES) {
		ltt_block_set_damage(
			block, offset,
			"event header is cut off: needs %zu bytes, the block has %u left",
			LTT_EVENT_HEADER_BYTES, walk->end - offset);
		return 0;
	}
	id = ltt_load_u16(block->bytes + offset, walk->byte_order);
	time = ltt_load_u32(block->bytes + offset + G_STRUCT_OFFSET(LttDiskEvent, delta_cycles),
			    walk->byte_order);
	slot = find_slot(walk, id, offset);
	if (G_UNLIKELY(slot == NULL)) {
		walk->met_unknown = TRUE;
		ltt_block_set_damage(block, offset, "event id %u: no loaded facility covers it",
				     id);
		return 0;
	}
	if (!measure_payload(walk, slot, offset, &size) ||
	    (slot->role != LTT_ROLE_ORDINARY && !ltt_walk_may_stand(walk, slot, offset, size)))
		return 0;
	if (G_UNLIKELY(event == block->capacity) && !ltt_block_grow(block)) {
		ltt_block_set_damage(block, offset, "no memory for more events of this block");
		return 0;
	}
	block->records[event] = (LttRecord){.offset = offset, .id = id};
	block->cycles[event] = walk->is_dialect_22 && event > 0 ? extend_cycles(walk, time)
								: walk->base_cycles + time;
	walk->last_role = slot->role;
	if (slot->role != LTT_ROLE_ORDINARY)
		ltt_walk_take_special(walk, slot, event, offset, size); /* may reallocate the
									 * slots */
	if (event == 0)
		walk->last_cycles = walk->base_cycles;
	block->n_events = event + 1;
	return offset + (guint32)LTT_EVENT_HEADER_BYTES + size;
}

/* Copies of the members that the loops use. Stores to the arrays of the block cannot change them, so
 * they stay in registers. */
typedef struct Loop {
	const guint8 *bytes;
	LttRecord *records;
	guint64 *cycles;
	guint64 base_cycles;
	const LttSlot *slots;
	guint32 last;
	guint32 capacity;
} Loop;

static inline Loop begin_loop(const LttWalk *walk)
{
	const LttBlock *block = walk->block;

	return (Loop){
		.bytes = block->bytes,
		.records = block->records,
		.cycles = block->cycles,
		.base_cycles = walk->base_cycles,
		.slots = (const LttSlot *)(gpointer)walk->slots->slots->data,
		.last = walk->last,
		.capacity = block->capacity,
	};
}

/* Adds an event of an ordinary type to the arrays. */
static inline void put_record(const Loop *loop, guint32 event, guint32 offset, guint16 id,
			      LttByteOrder order)
{
	const guint8 *delta = loop->bytes + offset + G_STRUCT_OFFSET(LttDiskEvent, delta_cycles);

	ltt_prefetch_behind(loop->records + event);
	ltt_prefetch_behind(loop->cycles + event);
	loop->records[event] = (LttRecord){.offset = offset, .id = id};
	loop->cycles[event] = loop->base_cycles + ltt_load_u32(delta, order);
}

/* Adds a run of events of one type of fixed size, from @offset up to @limit, as far as the arrays
 * have room. The fixed size lets the CPU compute the next offset without waiting for this id.
 * Returns: the offset after them */
static inline __attribute__((always_inline)) guint32 take_run(LttWalk *walk, guint32 offset,
							      guint32 stride, LttByteOrder order)
{
	const Loop loop = begin_loop(walk);
	const guint16 id = ltt_load_u16(loop.bytes + offset, order);
	const guint32 limit = loop.last - stride;
	guint32 event = walk->block->n_events;

	do {
		put_record(&loop, event++, offset, id, order);
		offset += stride;
	} while (offset <= limit && event < loop.capacity &&
		 ltt_load_u16(loop.bytes + offset, order) == id);
	walk->block->n_events = event;
	return offset;
}

/* The same for a type of variable size: adds events that end at the last one of the block or
 * before. Returns: the offset after them; @offset if no valid event begins there */
static inline __attribute__((always_inline)) guint32 take_varying_run(LttWalk *walk, guint32 offset,
								      LttByteOrder order)
{
	const Loop loop = begin_loop(walk);
	const guint16 id = ltt_load_u16(loop.bytes + offset, order);
	const LttExtent extent = *loop.slots[id].extent;
	guint32 event = walk->block->n_events;

	do {
		const gsize next = ltt_extent_end(
			&extent, loop.bytes, offset + LTT_EVENT_HEADER_BYTES, loop.last, order);

		if (next == 0)
			break;
		put_record(&loop, event++, offset, id, order);
		offset = (guint32)next;
	} while (event < loop.capacity && offset < loop.last &&
		 ltt_load_u16(loop.bytes + offset, order) == id);
	walk->block->n_events = event;
	return offset;
}

/* Adds at most MIXED_EVENTS events of any ordinary types. Returns: the offset after them */
static inline __attribute__((always_inline)) guint32 take_mixed(LttWalk *walk, guint32 offset,
								LttByteOrder order)
{
	const Loop loop = begin_loop(walk);
	const guint32 *strides = (const guint32 *)(gpointer)walk->slots->strides->data;
	const guint32 n_ids = walk->slots->strides->len;
	guint32 event = walk->block->n_events;
	const guint32 end = MIN(loop.capacity - event, MIXED_EVENTS) + event;

	while (event < end && offset < loop.last) {
		const guint16 id = ltt_load_u16(loop.bytes + offset, order);
		const guint32 stride = id < n_ids ? strides[id] : 0;
		gsize next = (gsize)offset + stride;

		if (stride == LTT_STRIDE_VARIES)
			next = ltt_extent_end(loop.slots[id].extent, loop.bytes,
					      offset + LTT_EVENT_HEADER_BYTES, loop.last, order);
		if (next == 0 || stride == 0 || next > loop.last)
			break;
		put_record(&loop, event++, offset, id, order);
		offset = (guint32)next;
	}
	walk->block->n_events = event;
	return offset;
}

/* Adds valid events of ordinary types from @offset on that end before the last event of the block.
 * Returns: the offset after them */
static inline __attribute__((always_inline)) guint32 take_plain_events(LttWalk *walk,
								       guint32 offset,
								       LttByteOrder order)
{
	LttBlock *block = walk->block;
	const GArray *strides = walk->slots->strides;

	while (offset < walk->last) {
		const guint16 id = ltt_load_u16(block->bytes + offset, order);
		const guint32 stride = id < strides->len ? g_array_index(strides, guint32, id) : 0;
		const guint32 begin = offset;
		const guint32 n_before = block->n_events;

		if (stride == 0 || (stride != LTT_STRIDE_VARIES && stride > walk->last - offset))
			break;
		if (G_UNLIKELY(block->n_events == block->capacity) && !ltt_block_grow(block))
			break; /* take_event() reports it */
		offset = stride == LTT_STRIDE_VARIES ? take_varying_run(walk, offset, order)
						     : take_run(walk, offset, stride, order);
		if (offset == begin)
			break;
		walk->last_role = LTT_ROLE_ORDINARY;
		if (block->n_events - n_before < MIN_RUN_EVENTS)
			offset = take_mixed(walk, offset, order);
	}
	return offset;
}

/* The byte order is a constant in each of these. */
static G_GNUC_NO_INLINE guint32 take_plain_little(LttWalk *walk, guint32 offset)
{
	return take_plain_events(walk, offset, LTT_LITTLE_ENDIAN);
}

static G_GNUC_NO_INLINE guint32 take_plain_big(LttWalk *walk, guint32 offset)
{
	return take_plain_events(walk, offset, LTT_BIG_ENDIAN);
}

/* Reads the offset of the last event from the final word. Returns: FALSE if the block is empty */
static gboolean read_final_word(LttWalk *walk, guint32 *word)
{
	const guint32 block_bytes = walk->end + (guint32)LTT_FINAL_WORD_BYTES;
	const guint16 first_id = ltt_load_u16(walk->block->bytes, walk->byte_order);

	*word = ltt_load_u32(walk->block->bytes + walk->end, walk->byte_order);
	if (*word == 0 && (walk->is_dialect_22 || first_id != walk->slots->block_start_id))
		return FALSE;
	walk->last = walk->is_dialect_22 ? block_bytes - *word : *word;
	walk->is_bounded = walk->last <= walk->end - LTT_EVENT_HEADER_BYTES &&
			   (!walk->is_dialect_22 || *word <= block_bytes);
	return TRUE;
}

static void walk_events(LttWalk *walk)
{
	LttBlock *block = walk->block;
	gboolean is_plain;
	guint32 offset = 0;
	guint32 next = 0;
	guint32 word;

	if (!read_final_word(walk, &word))
		return;
	if (ltt_load_u16(block->bytes, walk->byte_order) != walk->slots->block_start_id) {
		ltt_block_set_damage(
			block, 0, "the block begins with event id %u, expected block_start (%d)",
			ltt_load_u16(block->bytes, walk->byte_order), walk->slots->block_start_id);
		return;
	}
	is_plain = walk->is_bounded && !walk->is_dialect_22 && walk->local_loads == NULL;
	for (;;) {
		if (is_plain)
			offset = walk->byte_order == LTT_LITTLE_ENDIAN
					 ? take_plain_little(walk, offset)
					 : take_plain_big(walk, offset);
		next = take_event(walk, offset);
		if (next == 0)
			break;
		if (walk->is_bounded ? next > walk->last : walk->last_role == LTT_ROLE_BLOCK_END)
			break;
		offset = next;
	}
	if (block->n_events > 0)
		block->records[block->n_events].offset = next != 0 ? next : offset;
	if (!walk->is_bounded) {
		g_clear_pointer(&block->damage, g_free);
		ltt_block_set_damage(
			block, walk->end,
			"the final word is %u, which is no offset of an event in a block of %u "
			"bytes",
			word, walk->end + (guint32)LTT_FINAL_WORD_BYTES);
	} else if (next != 0 && offset != walk->last) {
		ltt_block_set_damage(
			block, walk->end,
			"the final word says that the last event is at byte %u, but events lie at "
			"%u and %u",
			walk->last, offset, next);
	}
	block->is_open = block->damage == NULL && walk->last_role != LTT_ROLE_BLOCK_END;
}

gboolean ltt_block_walk(LttBlock *block, LttTracefile *tracefile, guint64 position, LttSlots *slots,
			GArray *local_loads, LttLoadFunc on_load, gpointer user_data,
			gboolean *met_unknown, GError **error)
{
	LttWalk walk = {
		.block = block,
		.tracefile = tracefile,
		.slots = slots,
		.local_loads = local_loads,
		.on_load = on_load,
		.user_data = user_data,
		.end = (guint32)(tracefile->block_bytes - LTT_FINAL_WORD_BYTES),
		.byte_order = ltt_system_get_arch(tracefile->trace->system)->byte_order,
		.is_dialect_22 = ltt_system_is_dialect_22(tracefile->trace->system),
	};

	if (!ltt_block_read(block, tracefile, position, error))
		return FALSE;
	walk_events(&walk);
	block->slots = (const LttSlot *)slots->slots->data;
	block->n_slots = slots->slots->len;
	*met_unknown = walk.met_unknown;
	return TRUE;
}
