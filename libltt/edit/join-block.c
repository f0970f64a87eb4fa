/* join-block.c - adapt a copied block to the joined trace.
 *
 * Changes event ids, the block id, and the wall times if the trace has an offset. All other bytes,
 * and thus all deltas, stay the same.
 */
#include "edit/join-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "model/ondisk-priv.h"

#include <ltt/ltt-time.h>

#include <string.h>

/* Returns: FALSE if the converted time is out of range and was clamped */
static gboolean convert_time(const LttTrace *member, guint64 before_ns, guint64 *after_ns)
{
	*after_ns = ltt_trace_convert_time(member, before_ns);
	if (*after_ns == before_ns)
		return TRUE;
	if (*after_ns / LTT_NS_PER_S > G_MAXUINT32)
		return FALSE;
	return member->clock_map != NULL ? *after_ns > 0
					 : *after_ns - before_ns == (guint64)member->offset_ns;
}

static gboolean shift_time(const LttJoinCopy *copy, guint8 *seconds, guint8 *nanoseconds,
			   GError **error)
{
	const LttByteOrder order = copy->writing->arch.byte_order;
	const guint64 before_ns = (guint64)ltt_load_u32(seconds, order) * LTT_NS_PER_S +
				  ltt_load_u32(nanoseconds, order);
	guint64 after_ns;

	if (!convert_time(copy->member, before_ns, &after_ns))
		return ltt_fail_at(error, LTT_ERROR_INVALID, copy->tracefile->name, LTT_NOWHERE,
				   LTT_NOWHERE,
				   "the offset of its trace gives a time out of range: expected 0 "
				   "to 4294967295.999999999");
	if (after_ns == before_ns)
		return TRUE;
	ltt_store_u32(seconds, (guint32)(after_ns / LTT_NS_PER_S), order);
	ltt_store_u32(nanoseconds, (guint32)(after_ns % LTT_NS_PER_S), order);
	return TRUE;
}

static gboolean shift_stamp(const LttJoinCopy *copy, guint8 *payload, GError **error)
{
	return shift_time(copy, payload + G_STRUCT_OFFSET(LttDiskTime, seconds),
			  payload + G_STRUCT_OFFSET(LttDiskTime, nanoseconds), error);
}

static gboolean shift_clock(const LttJoinCopy *copy, guint8 *payload, GError **error)
{
	return shift_time(copy, payload + G_STRUCT_OFFSET(LttDiskClock, seconds),
			  payload + G_STRUCT_OFFSET(LttDiskClock, nanoseconds), error) &&
	       shift_time(copy, payload + G_STRUCT_OFFSET(LttDiskClock, next_seconds),
			  payload + G_STRUCT_OFFSET(LttDiskClock, next_nanoseconds), error);
}

/* Returns: (nullable): the facility that a load in the tracefile means; NULL: it was rejected */
static const LttFacility *find_loaded(const LttJoinCopy *copy, const char *name, guint32 checksum,
				      guint32 base_code)
{
	const LttLoad *load = ltt_slots_find(copy->member->slots, name, checksum, base_code);

	if (load == NULL && !copy->tracefile->lists_loads) {
		ltt_tracefile_find_local_loads(copy->tracefile);
		load = ltt_slots_find(copy->tracefile->local_slots, name, checksum, base_code);
	}
	return load != NULL ? load->facility : NULL;
}

/* Changes a load to that of its facility in the new trace, which describes the facility even if it has no events. */
static gboolean change_load(const LttJoinCopy *copy, guint8 *payload, guint32 size, GError **error)
{
	const char *name = (const char *)payload;
	const LttByteOrder order = copy->writing->arch.byte_order;
	guint8 *checksum_at = payload + strlen(name) + 1;
	guint8 *code_at = checksum_at + sizeof(guint32);
	const LttFacility *facility;
	guint32 checksum;
	guint32 base_code;

	if (code_at + sizeof(guint32) != payload + size)
		return TRUE;
	checksum = ltt_load_u32(checksum_at, order);
	base_code = ltt_load_u32(code_at, order);
	facility = find_loaded(copy, name, checksum, base_code);
	if (facility == NULL)
		return TRUE;
	if (!ltt_join_load(copy->writing, facility, &base_code, error))
		return FALSE;
	ltt_store_u32(checksum_at, ltt_facility_get_checksum(facility), order);
	ltt_store_u32(code_at, base_code, order);
	return TRUE;
}

static gboolean change_event(const LttJoinCopy *copy, const LttBlock *block, guint32 event,
			     GError **error)
{
	const LttRecord *record = &block->records[event];
	const LttSlot *slot = &block->slots[record->id];
	guint8 *at = block->bytes + record->offset;
	guint8 *payload = at + LTT_EVENT_HEADER_BYTES;
	const guint32 size = record[1].offset - record->offset - (guint32)LTT_EVENT_HEADER_BYTES;
	guint32 base_code;

	if (!ltt_join_load(copy->writing, slot->type->facility, &base_code, error))
		return FALSE;
	ltt_store_u16(at, (guint16)(base_code + slot->type->index), copy->writing->arch.byte_order);
	switch (slot->role) {
	case LTT_ROLE_BLOCK_START:
	case LTT_ROLE_BLOCK_END:
	case LTT_ROLE_HEARTBEAT:
		return shift_stamp(copy, payload, error);
	case LTT_ROLE_CLOCK:
		return shift_clock(copy, payload, error);
	case LTT_ROLE_FACILITY_LOAD:
		return change_load(copy, payload, size, error);
	default:
		return TRUE;
	}
}

/* Ids of a file are less than this above that of its first block: a reader sorts them by the signed difference from it
 * (doc/format.md, 3.5), and further blocks count on. */
#define MAX_ID_SPREAD ((guint32)1 << 30)

/* Blocks are passed in the order of their ids. If the reader would sort them differently, counts on
 * from the last id. */
static void settle_id(LttJoinCopy *copy, LttBlock *block)
{
	const guint32 id_at =
		G_STRUCT_OFFSET(LttDiskBlock, block_id) + (guint32)LTT_EVENT_HEADER_BYTES;
	guint8 *start = block->bytes + id_at;
	const guint32 last = block->records[block->n_events - 1].offset;
	guint32 id = ltt_load_u32(start, copy->writing->arch.byte_order);

	if (copy->n_written == 0)
		copy->first_id = id;
	else if ((gint32)(id - copy->last_id) <= 0 || id - copy->first_id >= MAX_ID_SPREAD)
		id = copy->last_id + 1;
	copy->last_id = id;
	ltt_store_u32(start, id, copy->writing->arch.byte_order);
	if (block->n_events > 1 && !block->is_open && block->damage == NULL)
		ltt_store_u32(block->bytes + last + id_at, id, copy->writing->arch.byte_order);
}

gboolean ltt_join_change_block(LttJoinCopy *copy, LttBlock *block, GError **error)
{
	for (guint32 i = 0; i < block->n_events; i++) {
		if (!change_event(copy, block, i, error))
			return FALSE;
	}
	settle_id(copy, block);
	return TRUE;
}
