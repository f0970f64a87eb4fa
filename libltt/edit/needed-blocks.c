/* needed-blocks.c - see needed-blocks-priv.h. */
#include "edit/needed-blocks-priv.h"

#include "base/job-priv.h"
#include "edit/edit-priv.h"
#include "reader/cursor-priv.h"

struct LttNeededBlocks {
	GHashTable *positions; /* LttTracefile to GArray of guint64, which rise */
};

static gboolean is_needed(const LttBlock *block, GHashTable *types)
{
	if (block->is_open)
		return TRUE; /* it may get further events */
	for (guint32 i = 0; i < block->n_events; i++) {
		if (g_hash_table_contains(types, block->slots[block->records[i].id].type))
			return TRUE;
	}
	return FALSE;
}

/* Damage is reported when the parts are written. Returns: FALSE if the caller cancelled */
static gboolean read_tracefile(LttTracefile *tracefile, GHashTable *types, GArray *positions,
			       const LttJobCallbacks *callbacks, LttProgress *progress,
			       GError **error)
{
	g_autoptr(LttCursor) cursor = ltt_cursor_new(tracefile);
	LttStep step;

	while ((step = ltt_cursor_need_event(cursor, NULL)) != LTT_STEP_END) {
		if (step == LTT_STEP_ERROR) {
			ltt_cursor_skip_block(cursor);
			continue;
		}
		if (is_needed(&cursor->block, types)) {
			const guint64 position = cursor->next_position - 1;

			g_array_append_val(positions, position);
		}
		cursor->next_event = cursor->block.n_events;
		progress->n_done = MIN(progress->n_done + 1, progress->n_total);
		if (!ltt_job_progress(callbacks, LTT_PROGRESS_BLOCKS, progress->n_done,
				      progress->n_total, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean read_all(LttNeededBlocks *blocks, LttTrace *trace, GHashTable *types,
			 const LttJobCallbacks *callbacks, GError **error)
{
	LttProgress progress = {.n_total = 0};

	for (guint i = 0; i < trace->tracefiles->len; i++)
		progress.n_total += ((LttTracefile *)trace->tracefiles->pdata[i])->n_blocks;
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];
		GArray *positions = g_array_new(FALSE, FALSE, sizeof(guint64));

		g_hash_table_insert(blocks->positions, tracefile, positions);
		if (!read_tracefile(tracefile, types, positions, callbacks, &progress, error))
			return FALSE;
	}
	return TRUE;
}

LttNeededBlocks *ltt_needed_blocks_new(LttTrace *trace, const LttJobCallbacks *callbacks,
				       GError **error)
{
	g_autoptr(LttNeededBlocks) blocks = g_new0(LttNeededBlocks, 1);
	LttEdit edit = {.trace = trace};
	g_autoptr(GHashTable) types = NULL;

	blocks->positions = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	ltt_edit_find_needed(&edit, TRUE);
	types = edit.needed;
	if (edit.has_named && !read_all(blocks, trace, types, callbacks, error))
		return NULL;
	return g_steal_pointer(&blocks);
}

void ltt_needed_blocks_free(LttNeededBlocks *blocks)
{
	if (blocks == NULL)
		return;
	g_hash_table_unref(blocks->positions);
	g_free(blocks);
}

guint64 ltt_needed_blocks_next(const LttNeededBlocks *blocks, const LttTracefile *tracefile,
			       guint64 position)
{
	const GArray *positions = g_hash_table_lookup(blocks->positions, tracefile);
	guint first = 0;
	guint last = positions != NULL ? positions->len : 0;

	while (first < last) {
		const guint middle = first + (last - first) / 2;

		if (g_array_index(positions, guint64, middle) < position)
			first = middle + 1;
		else
			last = middle;
	}
	return positions != NULL && first < positions->len
		       ? g_array_index(positions, guint64, first)
		       : G_MAXUINT64;
}
