/* block.c - read a block and walk over its events (doc/format.md, 3 and 4).
 *
 * Nothing in the block is believed before it is compared: the final word, each id, each payload's
 * size. The walk goes from event to event and stops at the one that the final word names, or at the
 * first thing that is wrong; what was found until then is kept. Times are in block-times.c.
 */
#include "reader/block-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "model/ondisk-priv.h"
#include "reader/block-walk-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-time.h>
#include <ltt/ltt-value.h>

#include <string.h>

#define FIRST_CAPACITY 1024

void ltt_block_init(LttBlock *block)
{
	*block = (LttBlock){
		.stamps = g_array_new(FALSE, FALSE, sizeof(LttTimeValue)),
		.stamp_events = g_array_new(FALSE, FALSE, sizeof(guint32)),
		.threads = g_array_new(FALSE, FALSE, sizeof(LttThreadChange)),
	};
}

void ltt_block_clear(LttBlock *block)
{
	g_free(block->bytes);
	g_free(block->records);
	g_free(block->cycles);
	g_free(block->times_ns);
	g_free(block->damage);
	g_array_unref(block->stamps);
	g_array_unref(block->stamp_events);
	g_array_unref(block->threads);
}

/* Doubles the arrays; a block has at most one event for each 6 bytes, so this ends. */
static gboolean grow(LttBlock *block)
{
	const guint32 capacity = block->capacity > 0 ? block->capacity * 2 : FIRST_CAPACITY;
	gpointer records = g_try_realloc_n(block->records, (gsize)capacity + 1, sizeof(LttRecord));
	gpointer cycles;
	gpointer times;

	if (records == NULL)
		return FALSE;
	block->records = records;
	cycles = g_try_realloc_n(block->cycles, capacity, sizeof(guint64));
	if (cycles == NULL)
		return FALSE;
	block->cycles = cycles;
	times = g_try_realloc_n(block->times_ns, (gsize)capacity + 1, sizeof(guint64));
	if (times == NULL)
		return FALSE;
	block->times_ns = times;
	block->capacity = capacity;
	return TRUE;
}

static void damage(LttBlock *block, guint32 byte, const char *format, ...) G_GNUC_PRINTF(3, 4);

static void damage(LttBlock *block, guint32 byte, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	block->damage = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	block->damage_byte = byte;
}

/* ---- events that mean something to the reader ---- */

static void take_stamp(LttWalk *walk, const guint8 *payload, const LttStampPlan *plan,
		       guint32 event)
{
	const LttByteOrder order = walk->byte_order;
	LttTimeValue stamp = {
		.cycles = ltt_load_u64(payload + plan->cycles_at, order),
		.time_ns = (guint64)ltt_load_u32(payload + plan->seconds_at, order) * LTT_NS_PER_S +
			   ltt_load_u32(payload + plan->nanoseconds_at, order),
	};

	g_array_append_val(walk->block->stamps, stamp);
	g_array_append_val(walk->block->stamp_events, event);
	walk->block->cycles[event] = stamp.cycles;
	walk->base_cycles = stamp.cycles;
}

static void take_clock(LttWalk *walk, const guint8 *payload)
{
	const LttByteOrder order = walk->byte_order;
	const LttTimeValue now = {
		.cycles = ltt_load_u64(payload + G_STRUCT_OFFSET(LttDiskClock, cycles), order),
		.time_ns =
			(guint64)ltt_load_u32(payload + G_STRUCT_OFFSET(LttDiskClock, seconds),
					      order) *
				LTT_NS_PER_S +
			ltt_load_u32(payload + G_STRUCT_OFFSET(LttDiskClock, nanoseconds), order),
	};
	const LttTimeValue next = {
		.cycles = ltt_load_u64(payload + G_STRUCT_OFFSET(LttDiskClock, next_cycles), order),
		.time_ns = (guint64)ltt_load_u32(
				   payload + G_STRUCT_OFFSET(LttDiskClock, next_seconds), order) *
				   LTT_NS_PER_S +
			   ltt_load_u32(payload + G_STRUCT_OFFSET(LttDiskClock, next_nanoseconds),
					order),
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

/* What a facility_load says. */
typedef struct LoadEvent {
	const char *name;
	guint32 checksum;
	guint32 base_code;
} LoadEvent;

/* Returns: FALSE, and nothing set, if the event is described with other fields than builtin's */
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

	if (walk->on_load != NULL && parse_load(walk, slot, offset, size, &load))
		walk->on_load(walk, load.name, load.checksum, load.base_code, offset);
}

/* Whether a block_end at @offset is the last event though the final word, read as it should be,
 * names another byte: some writers of the historical dialect put the number of unused bytes there
 * (doc/format.md, 10.1). */
static gboolean is_last_of_22(const LttWalk *walk, guint32 offset)
{
	return walk->is_dialect_22 && offset == walk->last - (guint32)LTT_DIALECT_22_SLACK;
}

/* Returns: FALSE, with the damage told, if the event may not stand here */
static gboolean may_stand(LttWalk *walk, const LttSlot *slot, guint32 offset, guint32 size)
{
	const LttEventRole role = slot->role;
	LoadEvent load;

	if (role == LTT_ROLE_FACILITY_LOAD && parse_load(walk, slot, offset, size, &load) &&
	    load.name[0] == '\0') {
		damage(walk->block, offset, "facility_load without a name");
		return FALSE;
	}
	if (role == LTT_ROLE_BLOCK_START && offset != 0) {
		damage(walk->block, offset, "block_start in the middle of a block");
		return FALSE;
	}
	if (role == LTT_ROLE_BLOCK_END && is_last_of_22(walk, offset)) {
		walk->last = offset;
		walk->is_bounded = TRUE;
	}
	if (role == LTT_ROLE_BLOCK_END && walk->is_bounded && offset != walk->last) {
		damage(walk->block, offset,
		       "block_end here, but the final word says that the last event is at byte %u",
		       walk->last);
		return FALSE;
	}
	return TRUE;
}

static void take_special(LttWalk *walk, const LttSlot *slot, guint32 event, guint32 offset,
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

/* ---- the walk ---- */

/* The counter at an event of dialect 2.2, which gives its low half (doc/format.md, 10). */
static guint64 extend_cycles(LttWalk *walk, guint32 low)
{
	if (low < (guint32)walk->last_cycles)
		walk->last_cycles += (guint64)1 << 32;
	walk->last_cycles = (walk->last_cycles & ~(guint64)G_MAXUINT32) | low;
	return walk->last_cycles;
}

/* The slot of an id, which one of the file's own loads may cover from some place on. */
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

/* The bytes of a payload at @offset of the block. */
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
	damage(walk->block, offset, "event %s: %s", slot->type->full_name, why);
	return FALSE;
}

/* Takes the event at @offset. Returns: where it ends; 0, with the damage told, if it cannot be
 * taken */
static inline guint32 take_event(LttWalk *walk, guint32 offset)
{
	LttBlock *block = walk->block;
	const guint32 event = block->n_events;
	const LttSlot *slot;
	guint32 size;
	guint32 time;
	guint16 id;

	if (walk->end - offset < LTT_EVENT_HEADER_BYTES) {
		damage(block, offset,
		       "event header is cut off: needs %zu bytes, the block has %u left",
		       LTT_EVENT_HEADER_BYTES, walk->end - offset);
		return 0;
	}
	id = ltt_load_u16(block->bytes + offset, walk->byte_order);
	time = ltt_load_u32(block->bytes + offset + G_STRUCT_OFFSET(LttDiskEvent, delta_cycles),
			    walk->byte_order);
	slot = find_slot(walk, id, offset);
	if (G_UNLIKELY(slot == NULL)) {
		walk->met_unknown_id = TRUE;
		damage(block, offset, "event id %u: no loaded facility covers it", id);
		return 0;
	}
	if (!measure_payload(walk, slot, offset, &size) ||
	    (slot->role != LTT_ROLE_ORDINARY && !may_stand(walk, slot, offset, size)))
		return 0;
	if (G_UNLIKELY(event == block->capacity) && !grow(block)) {
		damage(block, offset, "no memory for more events of this block");
		return 0;
	}
	block->records[event] = (LttRecord){.offset = offset, .id = id};
	block->cycles[event] = walk->is_dialect_22 && event > 0 ? extend_cycles(walk, time)
								: walk->base_cycles + time;
	walk->last_role = slot->role;
	if (slot->role != LTT_ROLE_ORDINARY)
		take_special(walk, slot, event, offset, size); /* may move the slots */
	if (event == 0)
		walk->last_cycles = walk->base_cycles;
	block->n_events = event + 1;
	return offset + (guint32)LTT_EVENT_HEADER_BYTES + size;
}

/* Takes events of ordinary types of fixed size, from @offset on, as long as they end before the
 * last event of the block begins; nothing can be wrong with them. A run of one type is a loop of
 * its own: there the next event's place does not wait for this one's id. Returns: the offset behind
 * them */
static guint32 take_plain_events(LttWalk *walk, guint32 offset)
{
	LttBlock *block = walk->block;
	const GArray *strides = walk->slots->strides;
	const LttByteOrder order = walk->byte_order;
	const guint8 *bytes = block->bytes;
	const guint64 base_cycles = walk->base_cycles;
	guint32 n = block->n_events;

	while (offset < walk->last) {
		const guint16 id = ltt_load_u16(bytes + offset, order);
		const guint32 stride = id < strides->len ? g_array_index(strides, guint32, id) : 0;
		guint32 limit;

		if (stride == 0 || stride > walk->last - offset)
			break;
		limit = walk->last - stride;
		do {
			if (G_UNLIKELY(n == block->capacity) && !grow(block)) {
				block->n_events = n;
				return offset; /* take_event() tells of it */
			}
			block->records[n] = (LttRecord){.offset = offset, .id = id};
			block->cycles[n] =
				base_cycles +
				ltt_load_u32(bytes + offset +
						     G_STRUCT_OFFSET(LttDiskEvent, delta_cycles),
					     order);
			n++;
			offset += stride;
		} while (offset <= limit && ltt_load_u16(bytes + offset, order) == id);
	}
	if (n > block->n_events)
		walk->last_role = LTT_ROLE_ORDINARY;
	block->n_events = n;
	return offset;
}

/* Finds the last event's offset in the final word. Returns: FALSE if the block holds nothing */
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
		damage(block, 0, "the block begins with event id %u, expected block_start (%d)",
		       ltt_load_u16(block->bytes, walk->byte_order), walk->slots->block_start_id);
		return;
	}
	is_plain = walk->is_bounded && !walk->is_dialect_22 && walk->local_loads == NULL;
	for (;;) {
		if (is_plain && offset > 0)
			offset = take_plain_events(walk, offset);
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
		damage(block, walk->end,
		       "the final word is %u, which is no offset of an event in a block of %u "
		       "bytes",
		       word, walk->end + (guint32)LTT_FINAL_WORD_BYTES);
	} else if (next != 0 && offset != walk->last) {
		damage(block, walk->end,
		       "the final word says that the last event is at byte %u, but events lie at "
		       "%u and %u",
		       walk->last, offset, next);
	}
	block->is_open = block->damage == NULL && walk->last_role != LTT_ROLE_BLOCK_END;
}

static void reset(LttBlock *block)
{
	block->n_events = 0;
	block->is_open = FALSE;
	block->damage_byte = 0;
	block->clock_rate = (LttRate){0, 0};
	g_clear_pointer(&block->damage, g_free);
	g_array_set_size(block->stamps, 0);
	g_array_set_size(block->stamp_events, 0);
	g_array_set_size(block->threads, 0);
}

static gboolean read_bytes(LttBlock *block, LttTracefile *tracefile, guint64 position,
			   GError **error)
{
	block->position = position;
	block->place = ltt_tracefile_get_ordered(tracefile, position);
	if (block->bytes == NULL)
		block->bytes = g_try_malloc(tracefile->block_bytes);
	if (block->bytes == NULL || (block->capacity == 0 && !grow(block)))
		return ltt_fail_at(error, LTT_ERROR_LIMIT, tracefile->name, (gint64)block->place,
				   LTT_NOWHERE,
				   "no memory for a block of %" G_GUINT64_FORMAT " bytes",
				   tracefile->block_bytes);
	return ltt_tracefile_read(tracefile, block->place * tracefile->block_bytes, block->bytes,
				  tracefile->block_bytes, error);
}

gboolean ltt_block_walk(LttBlock *block, LttTracefile *tracefile, guint64 position, LttSlots *slots,
			GArray *local_loads, LttLoadFunc on_load, gpointer user_data,
			gboolean *met_unknown_id, GError **error)
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

	reset(block);
	if (!read_bytes(block, tracefile, position, error))
		return FALSE;
	walk_events(&walk);
	block->slots = (const LttSlot *)slots->slots->data;
	*met_unknown_id = walk.met_unknown_id;
	return TRUE;
}

gboolean ltt_block_load_untimed(LttBlock *block, LttTracefile *tracefile, guint64 position,
				GError **error)
{
	LttSlots *slots = tracefile->trace->slots;
	gboolean met_unknown_id;

	if (!ltt_block_walk(block, tracefile, position, slots, NULL, NULL, NULL, &met_unknown_id,
			    error))
		return FALSE;
	if (!met_unknown_id)
		return TRUE;
	ltt_tracefile_find_local_loads(tracefile);
	if (tracefile->local_loads->len == 0)
		return TRUE;
	return ltt_block_walk(block, tracefile, position, tracefile->local_slots,
			      tracefile->local_loads, NULL, NULL, &met_unknown_id, error);
}
