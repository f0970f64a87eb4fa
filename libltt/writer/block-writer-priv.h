/* block-writer-priv.h - build a block in memory, event by event (doc/format.md, 3 and 4).
 *
 * This is the lowest level of writing. It does not depend on files, facilities or clock lines, so
 * cut and repair can write time values exactly as they were in the source. After every call the
 * bytes are a valid block, which is open until ltt_block_writer_end().
 *
 * The caller checks with ltt_block_writer_get_room() that an event fits. A block_end always fits.
 *
 * If the times of the time values fall, the block ends with two further ones, so that a reader knows
 * all its times from its ends (doc/format.md, 6.5): one with the latest time and a block_end with the
 * earliest. ltt_block_writer_get_stamp_bytes() tells a caller how much room that needs.
 */
#ifndef LTT_BLOCK_WRITER_PRIV_H
#define LTT_BLOCK_WRITER_PRIV_H

#ifndef LTT_BUILDING
#error "writer/block-writer-priv.h is private to libltt; use <ltt/ltt-writer.h>"
#endif

#include "base/bytes-priv.h"
#include "model/ondisk-priv.h"

#include <ltt/ltt-arch.h>
#include <ltt/ltt-time.h>

/* The maximum time of a time value, whose seconds have 32 bits. */
#define LTT_MAX_WRITTEN_NS (((guint64)G_MAXUINT32 + 1) * LTT_NS_PER_S - 1)

/* The same for a time value from a file, whose nanoseconds may exceed a second. */
#define LTT_MAX_FOUND_NS ((guint64)G_MAXUINT32 * LTT_NS_PER_S + G_MAXUINT32)

/* Overhead of a block: what it holds besides the caller's events. */
#define LTT_BLOCK_OVERHEAD_BYTES (2 * LTT_BLOCK_EVENT_BYTES + LTT_FINAL_WORD_BYTES)

/* What a block whose times fall has before its block_end. */
#define LTT_FALL_BYTES (2 * LTT_HEARTBEAT_BYTES)

/* The events that frame a block: those of the builtin facility, or of core in the historical
 * dialect (doc/format.md, 10). Offsets count from the start of the payload. */
typedef struct LttBlockForm {
	gboolean is_dialect_22;
	guint16 start_id;
	guint16 end_id;
	guint16 heartbeat_id;
	guint32 block_payload_bytes; /* of block_start and block_end */
	guint32 heartbeat_payload_bytes;
	guint32 seconds_at; /* in a block_start or block_end */
	guint32 nanoseconds_at;
	guint32 cycles_at;
	guint32 block_id_at;
} LttBlockForm;

/* The form of the builtin facility, the default. */
extern const LttBlockForm ltt_block_form;

typedef struct LttBlockWriter {
	guint8 *bytes; /* owned; size_bytes long, zero from left_bytes up to the final word */
	gsize size_bytes;
	gsize used_bytes;    /* by events; 0: no block was begun, and bytes are an empty block */
	gsize left_bytes;    /* bytes that are not events of this block may extend to here */
	gboolean is_ended;   /* has a block_end */
	guint32 block_id;    /* of the current block */
	guint64 base_cycles; /* of the last time value */
	guint64 last_cycles; /* dialect 2.2: of the last event */
	guint64 base_ns;     /* of the last time value */
	guint64 least_ns;    /* of all time values of the block */
	guint64 most_ns;
	gboolean falls; /* a time value is earlier than the one before it */
	LttByteOrder byte_order;
	LttBlockForm form;
} LttBlockWriter;

/* @size_bytes: LTT_MIN_BLOCK_BYTES to LTT_MAX_BLOCK_BYTES. The system provides memory only for the
 * pages that events touch.
 * Returns: FALSE, with nothing to clear, if out of memory */
gboolean ltt_block_writer_init(LttBlockWriter *block, gsize size_bytes, LttByteOrder byte_order);
void ltt_block_writer_clear(LttBlockWriter *block);

/* Discards the current block and begins a new one. Here and below, @time_ns is at most
 * LTT_MAX_FOUND_NS. */
void ltt_block_writer_begin(LttBlockWriter *block, guint32 block_id, guint64 cycles,
			    guint64 time_ns);

/* Adds an event of LTT_EVENT_HEADER_BYTES + @payload_bytes. @cycles exceeds that of the last time
 * value, or in dialect 2.2 that of the last event, by at most 2^32 - 1. */
void ltt_block_writer_event(LttBlockWriter *block, guint64 cycles, guint16 id,
			    gconstpointer payload, gsize payload_bytes);

/* Adds an event header. Returns: the address of the payload */
static inline guint8 *ltt_block_writer_add_header(LttBlockWriter *block, guint16 id,
						  guint32 delta_cycles, gsize payload_bytes)
{
	guint8 *at = block->bytes + block->used_bytes;
	guint8 *final_word = block->bytes + block->size_bytes - LTT_FINAL_WORD_BYTES;

	ltt_store_u16(at, id, block->byte_order);
	ltt_store_u32(at + G_STRUCT_OFFSET(LttDiskEvent, delta_cycles), delta_cycles,
		      block->byte_order);
	ltt_store_u32(final_word,
		      (guint32)(block->form.is_dialect_22 ? block->size_bytes - block->used_bytes
							  : block->used_bytes),
		      block->byte_order);
	block->used_bytes += LTT_EVENT_HEADER_BYTES + payload_bytes;
	return at + LTT_EVENT_HEADER_BYTES;
}

/* Adds an event without its payload. Returns: where the caller writes the payload */
guint8 *ltt_block_writer_add(LttBlockWriter *block, guint64 cycles, guint16 id,
			     gsize payload_bytes);

/* Lends the free space of the block, so that the caller can build an event before it knows its
 * size. @bytes: at most ltt_block_writer_get_room(). Returns: where the event begins */
static inline guint8 *ltt_block_writer_lend(LttBlockWriter *block, gsize bytes)
{
	block->left_bytes = MAX(block->left_bytes, block->used_bytes + bytes);
	return block->bytes + block->used_bytes;
}

/* Adds a time value of LTT_HEARTBEAT_BYTES, of any @cycles and @time_ns. */
void ltt_block_writer_heartbeat(LttBlockWriter *block, guint64 cycles, guint64 time_ns);

/* Adds the block_end, which always fits. In a block whose times fall, it has another time than @time_ns. */
void ltt_block_writer_end(LttBlockWriter *block, guint64 cycles, guint64 time_ns);

/* Writes the block at @offset of a file; long padding becomes a hole. Returns: 0 or an errno */
int ltt_block_writer_store(LttBlockWriter *block, int fd, guint64 offset);

static inline gboolean ltt_block_writer_is_open(const LttBlockWriter *block)
{
	return block->used_bytes > 0 && !block->is_ended;
}

/* Returns: the bytes left for events, including headers, in a block that will stay open: no room is
 *   reserved for a block_end; 0 if no block is open */
static inline gsize ltt_block_writer_get_open_room(const LttBlockWriter *block)
{
	if (!ltt_block_writer_is_open(block))
		return 0;
	return block->size_bytes - LTT_FINAL_WORD_BYTES - block->used_bytes;
}

/* Returns: whether the times of the block fall once it has a time value at @time_ns */
static inline gboolean ltt_block_writer_will_fall(const LttBlockWriter *block, guint64 time_ns)
{
	return !block->form.is_dialect_22 && (block->falls || time_ns < block->base_ns);
}

/* Returns: the room that a time value at @time_ns needs: its own, and what it adds to the end of the block */
static inline gsize ltt_block_writer_get_stamp_bytes(const LttBlockWriter *block, guint64 time_ns)
{
	return LTT_HEARTBEAT_BYTES +
	       (!block->falls && ltt_block_writer_will_fall(block, time_ns) ? LTT_FALL_BYTES : 0);
}

/* Returns: the bytes left for events, including headers, with room reserved for the end of the block */
static inline gsize ltt_block_writer_get_room(const LttBlockWriter *block)
{
	const gsize open_room = ltt_block_writer_get_open_room(block);
	const gsize end_bytes = LTT_EVENT_HEADER_BYTES + block->form.block_payload_bytes +
				(block->falls ? LTT_FALL_BYTES : 0);

	return open_room > end_bytes ? open_room - end_bytes : 0;
}

#endif
