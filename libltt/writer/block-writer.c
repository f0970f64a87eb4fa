/* block-writer.c - append events to a block; each append updates the final word.
 *
 * The system provides zeroed memory. Before a block is stored, only those bytes of the previous
 * contents that it does not overwrite are zeroed, so a large block with few events costs little.
 */
#include "writer/block-writer-priv.h"

#include "base/write-at-priv.h"

#include <string.h>

/* Longer padding becomes a hole in the file. */
#define MOST_PADDING_BYTES 65536

const LttBlockForm ltt_block_form = {
	.start_id = LTT_ID_BLOCK_START,
	.end_id = LTT_ID_BLOCK_END,
	.heartbeat_id = LTT_ID_HEARTBEAT,
	.block_payload_bytes = sizeof(LttDiskBlock),
	.heartbeat_payload_bytes = sizeof(LttDiskTime),
	.seconds_at = G_STRUCT_OFFSET(LttDiskTime, seconds),
	.nanoseconds_at = G_STRUCT_OFFSET(LttDiskTime, nanoseconds),
	.cycles_at = G_STRUCT_OFFSET(LttDiskTime, cycles),
	.block_id_at = G_STRUCT_OFFSET(LttDiskBlock, block_id),
};

gboolean ltt_block_writer_init(LttBlockWriter *block, gsize size_bytes, LttByteOrder byte_order)
{
	guint8 *bytes = g_try_malloc0(size_bytes);

	if (bytes == NULL)
		return FALSE;
	*block = (LttBlockWriter){
		.bytes = bytes,
		.size_bytes = size_bytes,
		.byte_order = byte_order,
		.form = ltt_block_form,
	};
	return TRUE;
}

void ltt_block_writer_clear(LttBlockWriter *block)
{
	g_free(block->bytes);
	*block = (LttBlockWriter){.bytes = NULL};
}

/* Returns: the delta of a time value. It is redundant, so a delta that does not fit is no error but
 *   becomes the maximum */
static guint32 saturated_delta(const LttBlockWriter *block, guint64 cycles)
{
	if (cycles <= block->base_cycles)
		return 0;
	return (guint32)MIN(cycles - block->base_cycles, G_MAXUINT32);
}

/* Writes the payload of a time value at @at. */
static void store_time_value(LttBlockWriter *block, guint8 *at, guint64 cycles, guint64 time_ns)
{
	const guint64 seconds = MIN(time_ns / LTT_NS_PER_S, G_MAXUINT32);

	g_assert(time_ns <= LTT_MAX_FOUND_NS);
	ltt_store_u32(at + block->form.seconds_at, (guint32)seconds, block->byte_order);
	ltt_store_u32(at + block->form.nanoseconds_at, (guint32)(time_ns - seconds * LTT_NS_PER_S),
		      block->byte_order);
	ltt_store_u64(at + block->form.cycles_at, cycles, block->byte_order);
	block->base_cycles = cycles;
	block->last_cycles = cycles;
	block->falls = ltt_block_writer_will_fall(block, time_ns);
	block->base_ns = time_ns;
	block->least_ns = MIN(block->least_ns, time_ns);
	block->most_ns = MAX(block->most_ns, time_ns);
}

void ltt_block_writer_begin(LttBlockWriter *block, guint32 block_id, guint64 cycles,
			    guint64 time_ns)
{
	guint8 *at;

	block->left_bytes = MAX(block->left_bytes, block->used_bytes);
	block->used_bytes = 0;
	block->is_ended = FALSE;
	block->block_id = block_id;
	block->falls = FALSE;
	block->base_ns = block->most_ns = 0;
	block->least_ns = G_MAXUINT64;
	at = ltt_block_writer_add_header(block, block->form.start_id, 0,
					 block->form.block_payload_bytes);
	store_time_value(block, at, cycles, time_ns);
	ltt_store_u32(at + block->form.block_id_at, block_id, block->byte_order);
}

guint8 *ltt_block_writer_add(LttBlockWriter *block, guint64 cycles, guint16 id, gsize payload_bytes)
{
	const gboolean is_dialect_22 = block->form.is_dialect_22;
	const guint64 delta_cycles =
		cycles - (is_dialect_22 ? block->last_cycles : block->base_cycles);
	const gsize room = ltt_block_writer_get_open_room(block);

	g_assert(room >= LTT_EVENT_HEADER_BYTES && payload_bytes <= room - LTT_EVENT_HEADER_BYTES);
	g_assert(delta_cycles <= G_MAXUINT32);
	block->last_cycles = cycles;
	return ltt_block_writer_add_header(
		block, id, (guint32)(is_dialect_22 ? cycles : delta_cycles), payload_bytes);
}

void ltt_block_writer_event(LttBlockWriter *block, guint64 cycles, guint16 id,
			    gconstpointer payload, gsize payload_bytes)
{
	guint8 *at = ltt_block_writer_add(block, cycles, id, payload_bytes);

	if (payload_bytes > 0)
		memcpy(at, payload, payload_bytes);
}

void ltt_block_writer_heartbeat(LttBlockWriter *block, guint64 cycles, guint64 time_ns)
{
	guint8 *at;

	g_assert(!block->form.is_dialect_22);
	g_assert(ltt_block_writer_get_open_room(block) >= LTT_HEARTBEAT_BYTES);
	at = ltt_block_writer_add_header(block, LTT_ID_HEARTBEAT, saturated_delta(block, cycles),
					 sizeof(LttDiskTime));
	store_time_value(block, at, cycles, time_ns);
}

/* Zeroes the bytes of an earlier block after the events of this one. */
static void zero_padding(LttBlockWriter *block)
{
	if (block->left_bytes > block->used_bytes)
		memset(block->bytes + block->used_bytes, 0, block->left_bytes - block->used_bytes);
	block->left_bytes = block->used_bytes;
}

/* Ends the times of a block at @cycles and @time_ns, and shows that they fall (doc/format.md, 6.5).
 * Returns: the time of its block_end */
static guint64 end_fall(LttBlockWriter *block, guint64 cycles, guint64 time_ns)
{
	const gsize end_bytes = LTT_EVENT_HEADER_BYTES + block->form.block_payload_bytes;

	if (ltt_block_writer_get_open_room(block) < end_bytes + LTT_FALL_BYTES)
		return time_ns;
	if (time_ns < block->most_ns && (block->base_cycles != cycles || block->base_ns != time_ns))
		ltt_block_writer_heartbeat(block, cycles, time_ns);
	ltt_block_writer_heartbeat(block, cycles, MAX(time_ns, block->most_ns));
	return MIN(time_ns, block->least_ns);
}

void ltt_block_writer_end(LttBlockWriter *block, guint64 cycles, guint64 time_ns)
{
	guint8 *at;

	g_assert(ltt_block_writer_is_open(block));
	g_assert(ltt_block_writer_get_open_room(block) >=
		 LTT_EVENT_HEADER_BYTES + block->form.block_payload_bytes);
	if (ltt_block_writer_will_fall(block, time_ns))
		time_ns = end_fall(block, cycles, time_ns);
	at = ltt_block_writer_add_header(block, block->form.end_id,
					 block->form.is_dialect_22 ? (guint32)cycles
								   : saturated_delta(block, cycles),
					 block->form.block_payload_bytes);
	store_time_value(block, at, cycles, time_ns);
	ltt_store_u32(at + block->form.block_id_at, block->block_id, block->byte_order);
	block->is_ended = TRUE;
	zero_padding(block);
}

int ltt_block_writer_store(LttBlockWriter *block, int fd, guint64 offset)
{
	const gsize final_at = block->size_bytes - LTT_FINAL_WORD_BYTES;
	int errnum;

	zero_padding(block);
	if (final_at - block->used_bytes <= MOST_PADDING_BYTES)
		return ltt_write_at(fd, block->bytes, block->size_bytes, offset);
	errnum = ltt_write_at(fd, block->bytes, block->used_bytes, offset);
	return errnum != 0 ? errnum
			   : ltt_write_at(fd, block->bytes + final_at, LTT_FINAL_WORD_BYTES,
					  offset + final_at);
}
