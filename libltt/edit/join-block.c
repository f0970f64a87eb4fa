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
				   "its offset gives a time that cannot be written: "
				   "expected one from 1970 on whose seconds have 32 bits");
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

/* Gives a load the base code that its facility has in the new trace, which has already loaded the
 * facility. */
static void change_load(const LttJoinCopy *copy, guint8 *payload, guint32 size)
{
	const guint32 name_bytes = (guint32)strlen((const char *)payload) + 1;
	const guint32 checksum = ltt_load_u32(payload + name_bytes, copy->writing->arch.byte_order);
	GHashTableIter iter;
	gpointer facility;
	gpointer base_code;

	g_hash_table_iter_init(&iter, copy->writing->codes);
	while (size == name_bytes + 8 && g_hash_table_iter_next(&iter, &facility, &base_code)) {
		if (ltt_facility_get_checksum(facility) == checksum &&
		    g_str_equal(ltt_facility_get_name(facility), (const char *)payload))
			ltt_store_u32(payload + name_bytes + 4, GPOINTER_TO_UINT(base_code),
				      copy->writing->arch.byte_order);
	}
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
		change_load(copy, payload, size);
		return TRUE;
	default:
		return TRUE;
	}
}

/* Blocks are passed in the order of their ids. If the reader would sort them differently, counts on
 * from the last id. */
static void settle_id(LttJoinCopy *copy, LttBlock *block)
{
	const guint32 id_at =
		G_STRUCT_OFFSET(LttDiskBlock, block_id) + (guint32)LTT_EVENT_HEADER_BYTES;
	guint8 *start = block->bytes + id_at;
	const guint32 last = block->records[block->n_events - 1].offset;
	guint32 id = ltt_load_u32(start, copy->writing->arch.byte_order);

	if (copy->n_written > 0 && (gint32)(id - copy->last_id) <= 0)
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
