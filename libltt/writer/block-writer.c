/* block-writer.c - events into bytes, each followed by the final word that makes the block valid.
 *
 * The bytes come zeroed from the system and only those that a block used are zeroed again for the
 * next one: a large block with few events costs little.
 */
#include "writer/block-writer-priv.h"

#include "base/bytes-priv.h"

#include <string.h>

gboolean ltt_block_writer_init(LttBlockWriter *block, gsize size_bytes, LttByteOrder byte_order)
{
	guint8 *bytes = g_try_malloc0(size_bytes);

	if (bytes == NULL)
		return FALSE;
	*block = (LttBlockWriter){
		.bytes = bytes, .size_bytes = size_bytes, .byte_order = byte_order};
	return TRUE;
}

void ltt_block_writer_clear(LttBlockWriter *block)
{
	g_free(block->bytes);
	*block = (LttBlockWriter){.bytes = NULL};
}

gsize ltt_block_writer_get_room(const LttBlockWriter *block)
{
	const gsize kept_bytes = LTT_BLOCK_EVENT_BYTES + LTT_FINAL_WORD_BYTES;

	if (!ltt_block_writer_is_open(block))
		return 0;
	return block->size_bytes - kept_bytes - block->used_bytes;
}

/* Returns: where the payload of the new event goes */
static guint8 *add_event(LttBlockWriter *block, guint16 id, guint32 delta_cycles,
			 gsize payload_bytes)
{
	guint8 *at = block->bytes + block->used_bytes;
	guint8 *final_word = block->bytes + block->size_bytes - LTT_FINAL_WORD_BYTES;

	ltt_store_u16(at, id, block->byte_order);
	ltt_store_u32(at + G_STRUCT_OFFSET(LttDiskEvent, delta_cycles), delta_cycles,
		      block->byte_order);
	ltt_store_u32(final_word, (guint32)block->used_bytes, block->byte_order);
	block->used_bytes += LTT_EVENT_HEADER_BYTES + payload_bytes;
	return at + LTT_EVENT_HEADER_BYTES;
}

/* The delta of a time value is redundant, so one that cannot be said is not an error. */
static guint32 saturated_delta(const LttBlockWriter *block, guint64 cycles)
{
	if (cycles <= block->base_cycles)
		return 0;
	return (guint32)MIN(cycles - block->base_cycles, G_MAXUINT32);
}

static void store_time_value(LttBlockWriter *block, guint8 *at, guint64 cycles, guint64 time_ns)
{
	g_assert(time_ns <= LTT_MAX_WRITTEN_NS);
	ltt_store_u32(at + G_STRUCT_OFFSET(LttDiskTime, seconds), (guint32)(time_ns / LTT_NS_PER_S),
		      block->byte_order);
	ltt_store_u32(at + G_STRUCT_OFFSET(LttDiskTime, nanoseconds),
		      (guint32)(time_ns % LTT_NS_PER_S), block->byte_order);
	ltt_store_u64(at + G_STRUCT_OFFSET(LttDiskTime, cycles), cycles, block->byte_order);
	block->base_cycles = cycles;
}

void ltt_block_writer_begin(LttBlockWriter *block, guint32 block_id, guint64 cycles,
			    guint64 time_ns)
{
	guint8 *at;

	memset(block->bytes, 0, block->used_bytes);
	block->used_bytes = 0;
	block->is_ended = FALSE;
	block->block_id = block_id;
	at = add_event(block, LTT_ID_BLOCK_START, 0, sizeof(LttDiskBlock));
	store_time_value(block, at, cycles, time_ns);
	ltt_store_u32(at + G_STRUCT_OFFSET(LttDiskBlock, block_id), block_id, block->byte_order);
}

void ltt_block_writer_event(LttBlockWriter *block, guint64 cycles, guint16 id,
			    gconstpointer payload, gsize payload_bytes)
{
	const guint64 delta_cycles = cycles - block->base_cycles;
	const gsize room = ltt_block_writer_get_room(block);
	guint8 *at;

	g_assert(room >= LTT_EVENT_HEADER_BYTES && payload_bytes <= room - LTT_EVENT_HEADER_BYTES);
	g_assert(delta_cycles <= G_MAXUINT32);
	at = add_event(block, id, (guint32)delta_cycles, payload_bytes);
	if (payload_bytes > 0)
		memcpy(at, payload, payload_bytes);
}

void ltt_block_writer_heartbeat(LttBlockWriter *block, guint64 cycles, guint64 time_ns)
{
	guint8 *at;

	g_assert(ltt_block_writer_get_room(block) >= LTT_HEARTBEAT_BYTES);
	at = add_event(block, LTT_ID_HEARTBEAT, saturated_delta(block, cycles),
		       sizeof(LttDiskTime));
	store_time_value(block, at, cycles, time_ns);
}

void ltt_block_writer_end(LttBlockWriter *block, guint64 cycles, guint64 time_ns)
{
	guint8 *at;

	g_assert(ltt_block_writer_is_open(block));
	at = add_event(block, LTT_ID_BLOCK_END, saturated_delta(block, cycles),
		       sizeof(LttDiskBlock));
	store_time_value(block, at, cycles, time_ns);
	ltt_store_u32(at + G_STRUCT_OFFSET(LttDiskBlock, block_id), block->block_id,
		      block->byte_order);
	block->is_ended = TRUE;
}
