/* block-writer-priv.h - a block being put together, event by event (doc/format.md, 3 and 4).
 *
 * The lowest level of writing: it knows nothing of files, facilities and lines, so cut and repair
 * can put down time values exactly as they found them. After every call the bytes are a valid
 * block, an open one until ltt_block_writer_end().
 *
 * What fits is the caller's matter, told by ltt_block_writer_get_room(). A block_end always fits.
 */
#ifndef LTT_BLOCK_WRITER_PRIV_H
#define LTT_BLOCK_WRITER_PRIV_H

#ifndef LTT_BUILDING
#error "writer/block-writer-priv.h is private to libltt; use <ltt/ltt-writer.h>"
#endif

#include "model/ondisk-priv.h"

#include <ltt/ltt-arch.h>
#include <ltt/ltt-time.h>

/* The greatest time that a time value can say: its seconds have 32 bits. */
#define LTT_MAX_WRITTEN_NS (((guint64)G_MAXUINT32 + 1) * LTT_NS_PER_S - 1)

/* The same of one whose nanoseconds are not below a second, as one that was found may be. */
#define LTT_MAX_FOUND_NS ((guint64)G_MAXUINT32 * LTT_NS_PER_S + G_MAXUINT32)

/* What a block holds besides events that are asked for. */
#define LTT_BLOCK_OVERHEAD_BYTES (2 * LTT_BLOCK_EVENT_BYTES + LTT_FINAL_WORD_BYTES)

/* How the events that make a block are written: those of the builtin facility, or of core in the
 * historical dialect (doc/format.md, 10). The offsets are in payloads. */
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

/* What ltt_block_writer_init() begins with. */
extern const LttBlockForm ltt_block_form;

typedef struct LttBlockWriter {
	guint8 *bytes; /* owned; size_bytes of them, zero between used_bytes and the final word */
	gsize size_bytes;
	gsize used_bytes;    /* by events; 0: no block was begun, and bytes are an empty one */
	gboolean is_ended;   /* by a block_end */
	guint32 block_id;    /* of the block begun last */
	guint64 base_cycles; /* of the last time value */
	guint64 last_cycles; /* dialect 2.2: of the last event */
	LttByteOrder byte_order;
	LttBlockForm form;
} LttBlockWriter;

/* @size_bytes: LTT_MIN_BLOCK_BYTES to LTT_MAX_BLOCK_BYTES. Memory is used only where events come.
 * Returns: FALSE, with nothing to clear, if there is not so much of it */
gboolean ltt_block_writer_init(LttBlockWriter *block, gsize size_bytes, LttByteOrder byte_order);
void ltt_block_writer_clear(LttBlockWriter *block);

/* Drops what was there and begins a block. For this and the following, @time_ns is at most
 * LTT_MAX_FOUND_NS. */
void ltt_block_writer_begin(LttBlockWriter *block, guint32 block_id, guint64 cycles,
			    guint64 time_ns);

/* Adds an event of LTT_EVENT_HEADER_BYTES + @payload_bytes. @cycles is at most 2^32 - 1 above that
 * of the last time value; in dialect 2.2, above that of the last event. */
void ltt_block_writer_event(LttBlockWriter *block, guint64 cycles, guint16 id,
			    gconstpointer payload, gsize payload_bytes);

/* The same, for a payload yet to be written. Returns: where it goes */
guint8 *ltt_block_writer_add(LttBlockWriter *block, guint64 cycles, guint16 id,
			     gsize payload_bytes);

/* Adds a time value of LTT_HEARTBEAT_BYTES; @cycles and @time_ns may be any. */
void ltt_block_writer_heartbeat(LttBlockWriter *block, guint64 cycles, guint64 time_ns);

/* Adds the block_end, for which there is room. */
void ltt_block_writer_end(LttBlockWriter *block, guint64 cycles, guint64 time_ns);

/* Writes the block at @offset of a file; long padding becomes a hole. Returns: 0 or an errno */
int ltt_block_writer_store(const LttBlockWriter *block, int fd, guint64 offset);

static inline gboolean ltt_block_writer_is_open(const LttBlockWriter *block)
{
	return block->used_bytes > 0 && !block->is_ended;
}

/* Returns: the bytes that further events may take, headers included, in a block that is to stay
 * open: nothing is kept for a block_end; 0 if no block is open */
static inline gsize ltt_block_writer_get_open_room(const LttBlockWriter *block)
{
	if (!ltt_block_writer_is_open(block))
		return 0;
	return block->size_bytes - LTT_FINAL_WORD_BYTES - block->used_bytes;
}

/* Returns: the same of a block that is to end */
static inline gsize ltt_block_writer_get_room(const LttBlockWriter *block)
{
	const gsize open_room = ltt_block_writer_get_open_room(block);
	const gsize end_bytes = LTT_EVENT_HEADER_BYTES + block->form.block_payload_bytes;

	return open_room > end_bytes ? open_room - end_bytes : 0;
}

#endif
