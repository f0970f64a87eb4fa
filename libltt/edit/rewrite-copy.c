/* rewrite-copy.c - copy whole blocks. */
#include "edit/rewrite-in-priv.h"

#include "base/bytes-priv.h"

/* Changes the id in block_start and block_end of a block that was copied to @to. */
static void change_id(LttRewriter *rewriter, const LttBlock *block, guint64 to, guint32 id)
{
	const guint32 at = (guint32)LTT_EVENT_HEADER_BYTES + rewriter->block.form.block_id_at;
	const guint32 last = block->records[block->n_events - 1].offset;
	guint8 bytes[sizeof(guint32)];

	ltt_store_u32(bytes, id, rewriter->block.byte_order);
	ltt_rewriter_write(rewriter, bytes, sizeof(bytes), to + at);
	ltt_rewriter_write(rewriter, bytes, sizeof(bytes), to + last + at);
}

static guint32 get_block_id(const LttRewriter *rewriter, const LttBlock *block)
{
	return ltt_load_u32(block->bytes + LTT_EVENT_HEADER_BYTES +
				    rewriter->block.form.block_id_at,
			    rewriter->block.byte_order);
}

void ltt_rewriter_copy(LttRewriter *rewriter, const LttStoredFile *source, const LttBlock *block,
		       gboolean from_file)
{
	const LttTimeValue *stamps = (const LttTimeValue *)block->stamps->data;
	const guint64 from = source->offset + block->place * rewriter->block.size_bytes;
	const guint32 own_id = get_block_id(rewriter, block);
	guint64 to;
	guint32 id;

	ltt_rewriter_end_stretch(rewriter);
	if (rewriter->hold_ns > rewriter->most_ns && stamps[0].time_ns < rewriter->hold_ns) {
		rewriter->stretch_from = stamps[0];
		ltt_rewriter_put_hold(rewriter, rewriter->hold_ns);
	}
	ltt_rewriter_end_block(rewriter);
	to = rewriter->n_blocks * rewriter->block.size_bytes;
	id = ltt_rewriter_take_id(rewriter, own_id);
	if (from_file)
		ltt_rewriter_write_copy(rewriter, source->fd, from, to);
	else
		ltt_rewriter_write(rewriter, block->bytes, rewriter->block.size_bytes, to);
	if (id != own_id)
		change_id(rewriter, block, to, id);
	rewriter->n_blocks++;
	for (guint i = 0; i < block->stamps->len; i++)
		ltt_rewriter_note(rewriter, &stamps[i]);
	for (guint32 i = 0; i < block->n_events; i++)
		rewriter->most_ns = MAX(rewriter->most_ns, block->times_ns[i]);
}
