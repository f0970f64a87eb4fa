/* join-size.c - find the block size of the joined trace.
 *
 * It is the largest of all traces, so that every block can be copied. An event that is written anew
 * can become larger than its block: a sequence of 32-bit longs doubles if another trace has 64-bit
 * ones. The block size is therefore doubled until every such event fits. Only events that might not
 * fit are encoded for this.
 */
#include "edit/join-priv.h"

#include "edit/recode-priv.h"

/* What a new block has besides an event: its frame, and the event that names the thread. */
#define THREAD_PAYLOAD_BYTES 8
#define FRAME_BYTES                                                                                \
	(2 * LTT_BLOCK_EVENT_BYTES + LTT_FINAL_WORD_BYTES + 2 * LTT_EVENT_HEADER_BYTES +           \
	 THREAD_PAYLOAD_BYTES)

/* An integer grows from 2 to 8 bytes at most (doc/format.md, 2). */
#define MAX_GROWTH 4

/* Returns: the size of a payload in the new trace */
static guint64 get_new_bytes(LttJoinWriting *writing, const LttTracefile *tracefile,
			     const LttSlot *slot, const guint8 *payload, guint64 payload_bytes,
			     GByteArray *out)
{
	const LttValue value = {
		.layout = slot->layout,
		.bytes = payload,
		.available = payload_bytes,
		.byte_order = ltt_system_get_arch(tracefile->trace->system)->byte_order,
	};

	g_byte_array_set_size(out, 0);
	if (slot->layout != NULL)
		ltt_recode(&value, ltt_join_find_layout(writing, slot->type),
			   writing->arch.byte_order, out);
	return out->len;
}

static void fit_block(LttJoinWriting *writing, const LttTracefile *tracefile, const LttBlock *block,
		      GByteArray *out)
{
	for (guint32 i = 0; i < block->n_events; i++) {
		const LttRecord *record = &block->records[i];
		const LttSlot *slot = &block->slots[record->id];
		const guint64 at = record->offset + LTT_EVENT_HEADER_BYTES;
		const guint64 old_bytes = record[1].offset - at;
		guint64 new_bytes;

		if (FRAME_BYTES + MAX_GROWTH * old_bytes <= writing->block_bytes ||
		    !ltt_join_is_written(slot->role))
			continue;
		new_bytes =
			get_new_bytes(writing, tracefile, slot, block->bytes + at, old_bytes, out);
		while (FRAME_BYTES + new_bytes > writing->block_bytes &&
		       writing->block_bytes < LTT_MAX_BLOCK_BYTES)
			writing->block_bytes = MIN(2 * writing->block_bytes, LTT_MAX_BLOCK_BYTES);
	}
}

static gboolean fit_tracefile(LttJoinWriting *writing, LttTracefile *tracefile, GByteArray *out,
			      GError **error)
{
	const guint64 n_blocks = ltt_tracefile_get_n_ordered(tracefile);
	gboolean ok = TRUE;
	LttBlock block;

	ltt_block_init(&block);
	for (guint64 i = 0; ok && i < n_blocks; i++) {
		/* The pass that writes the events reports blocks that cannot be read. */
		if (ltt_block_load_untimed(&block, tracefile, i, NULL))
			fit_block(writing, tracefile, &block, out);
		ok = ltt_job_progress(&writing->callbacks, LTT_PROGRESS_BLOCKS, 0,
				      writing->n_blocks, error);
	}
	ltt_block_clear(&block);
	return ok;
}

gboolean ltt_join_settle_block_bytes(LttJoinWriting *writing, GError **error)
{
	const GPtrArray *tracefiles = writing->joined->tracefiles;
	g_autoptr(GByteArray) out = g_byte_array_new();

	writing->block_bytes = ltt_system_get_block_bytes(writing->joined->system);
	for (guint i = 0; i < tracefiles->len; i++) {
		LttTracefile *tracefile = tracefiles->pdata[i];

		if (!ltt_join_can_copy(writing, tracefile->trace) &&
		    !fit_tracefile(writing, tracefile, out, error))
			return FALSE;
	}
	return TRUE;
}
