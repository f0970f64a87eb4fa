/* edit-state.c - the state that a derived tracefile repeats: loads of facilities, lost events. */
#include "analysis/losses-priv.h"
#include "edit/work-priv.h"

/* The loads of the file itself are known only when an event needs them. */
void ltt_work_settle_loads(LttWork *work, const LttTimeValue *at)
{
	if (work->is_facilities || work->has_local_loads || work->tracefile->local_loads == NULL ||
	    work->tracefile->local_loads->len == 0)
		return;
	work->has_local_loads = TRUE;
	ltt_edit_load(work->edit, work->out, work->tracefile->local_slots->loads, at);
	ltt_rewriter_set_thread_id(
		work->out, ltt_edit_find_id(ltt_work_get_slots(work), LTT_ROLE_THREAD, NULL));
}

/* Finds the total of lost events that a reader meets before the first other event kept.
 * Returns: FALSE if there is none */
static gboolean has_total_first(const LttWork *work, gboolean is_copied, guint64 *total)
{
	const LttBlock *block = &work->cursor->block;
	guint next = 0;

	for (guint32 i = 0; i < block->n_events; i++) {
		const gboolean is_kept =
			is_copied ? !ltt_work_is_frame(ltt_work_get_role(block, i))
				  : next < work->wanted->len &&
					    g_array_index(work->wanted, LttWanted, next).index == i;

		if (!is_kept)
			continue;
		next++;
		if (ltt_work_get_role(block, i) != LTT_ROLE_EVENTS_LOST)
			return FALSE;
		*total = ltt_load_u64(block->bytes + block->records[i].offset +
					      LTT_EVENT_HEADER_BYTES,
				      ltt_system_get_arch(work->edit->trace->system)->byte_order);
		return TRUE;
	}
	return FALSE;
}

static void add_total(LttWork *work, gint id, guint64 total, const LttTimeValue *at)
{
	LttEditEvent event = {.cycles = at->cycles, .time_ns = at->time_ns, .id = (guint16)id};
	guint8 payload[sizeof(guint64)];

	ltt_store_u64(payload, total, ltt_system_get_arch(work->edit->trace->system)->byte_order);
	event.payload = payload;
	event.payload_bytes = sizeof(payload);
	ltt_rewriter_begin(work->out, at, at);
	ltt_rewriter_add(work->out, &event);
}

/* Writes the total of events lost before the cut at the beginning of the file. If the first events
 * have another total, a reader would use that one instead, so the beginning becomes a separate
 * block. Block 0 is the beginning of a recording, before which nothing is lost. */
void ltt_work_settle_lost(LttWork *work, const LttTimeValue *at, gboolean is_copied)
{
	const gint id = ltt_edit_find_id(ltt_work_get_slots(work), LTT_ROLE_EVENTS_LOST, NULL);
	const guint32 block_id = ltt_work_get_id_at(work, 0);
	guint64 total = 0;
	gboolean has_total;

	if (work->has_begun)
		return;
	work->has_begun = TRUE;
	has_total = has_total_first(work, is_copied, &total);
	ltt_rewriter_set_block_id(work->out, work->lost_before > 0 ? MAX(block_id, 1) : block_id);
	if (id < 0 || total == work->lost_before)
		return;
	if (work->lost_before == 0)
		ltt_rewriter_set_block_id(work->out, 0);
	if (work->lost_before == 0 && !is_copied)
		return;
	add_total(work, id, work->lost_before, at);
	if (has_total)
		ltt_rewriter_break(work->out);
}

/* ---- before the window ---- */

/* The first block of the window may begin before it. */
void ltt_work_find_window(LttWork *work)
{
	const LttEdit *edit = work->edit;
	g_autoptr(LttCursor) cursor = ltt_cursor_new(work->tracefile);
	const LttByteOrder order = ltt_system_get_arch(edit->trace->system)->byte_order;
	const LttEvent *event;

	ltt_cursor_set_window(cursor, edit->from_ns, edit->to_ns);
	work->first_in_window = cursor->first_position;
	if (cursor->first_position < ltt_tracefile_get_n_ordered(work->tracefile))
		work->lost_before =
			ltt_losses_before(work->tracefile, cursor->first_position).before;
	while (ltt_cursor_next(cursor, &event, NULL) == LTT_STEP_EVENT &&
	       event->time_ns < edit->from_ns) {
		if (event->role == LTT_ROLE_EVENTS_LOST)
			work->lost_before =
				MAX(work->lost_before, ltt_load_u64(event->payload, order));
	}
}

void ltt_work_skip_unneeded(LttWork *work)
{
	const LttEdit *edit = work->edit;
	LttCursor *cursor = work->cursor;
	guint64 next;

	if (edit->needed_blocks == NULL || cursor->next_position >= work->first_in_window ||
	    cursor->next_event < cursor->block.n_events || cursor->block.damage != NULL ||
	    cursor->error != NULL)
		return;
	next = ltt_needed_blocks_next(edit->needed_blocks, work->tracefile, cursor->next_position);
	cursor->next_position = MIN(next, work->first_in_window);
}

/* ---- losses ---- */

static gboolean is_end_id(const LttBlock *block, const LttEdit *edit)
{
	return block->damage_byte + LTT_EVENT_HEADER_BYTES <=
		       ltt_system_get_block_bytes(edit->trace->system) &&
	       ltt_load_u16(block->bytes + block->damage_byte,
			    ltt_system_get_arch(edit->trace->system)->byte_order) ==
		       edit->form.end_id;
}

/* Returns: a lower bound of the events lost with the rest of a damaged block: 0 if it was read up
 *   to its block_end, or if only that is damaged */
guint64 ltt_work_count_gone(const LttWork *work)
{
	const LttBlock *block = &work->cursor->block;

	if (work->cursor->load_failed || block->n_events == 0)
		return 1;
	if (ltt_work_get_role(block, block->n_events - 1) == LTT_ROLE_BLOCK_END)
		return 0;
	return is_end_id(block, work->edit) ? 0 : 1;
}

/* Bytes after the last complete block may be the beginning of another one. */
static gboolean has_torn_block(const LttWork *work)
{
	const LttTracefile *tracefile = work->tracefile;
	const guint64 at = tracefile->n_blocks * tracefile->block_bytes;
	const gsize length = (gsize)(tracefile->size_bytes - at);
	g_autofree guint8 *bytes = g_try_malloc(length);

	if (length == 0 || bytes == NULL ||
	    ltt_stored_file_read(&work->source, at, bytes, length) != 0)
		return length > 0;
	for (gsize i = 0; i < length; i++) {
		if (bytes[i] != 0)
			return TRUE;
	}
	return FALSE;
}

static void add_loss(LttWork *work)
{
	LttRepairLoss *loss = g_new(LttRepairLoss, 1);

	*loss = (LttRepairLoss){g_strdup(work->tracefile->name), work->n_gone};
	g_ptr_array_add(work->edit->losses, loss);
}

/* Returns: the id of events_lost; loads the tracer facility if necessary */
static gint need_lost_id(LttWork *work)
{
	LttEdit *edit = work->edit;
	const gint id = ltt_edit_find_id(ltt_work_get_slots(work), LTT_ROLE_EVENTS_LOST, NULL);

	if (id >= 0 || edit->tracer == NULL)
		return id;
	edit->needs_tracer = TRUE;
	return (gint)(edit->tracer_base +
		      ltt_facility_find_event(edit->tracer, "events_lost")->index);
}

void ltt_work_write_loss(LttWork *work)
{
	const LttTimeValue at = {work->last.cycles, MIN(work->last.time_ns, LTT_MAX_FOUND_NS)};
	gint id = -1;

	work->n_gone += has_torn_block(work) ? 1 : 0;
	work->n_gone += ltt_rewriter_get_n_lost(work->out);
	if (work->n_gone > 0) {
		add_loss(work);
		id = need_lost_id(work);
	}
	if (work->is_facilities && work->edit->needs_tracer)
		ltt_edit_load_tracer(work->edit, work->out);
	if (id >= 0)
		add_total(work, id,
			  work->lost_total + MIN(work->n_gone, G_MAXUINT64 - work->lost_total),
			  &at);
	else if (work->n_gone > 0)
		work->edit->has_uncounted = TRUE;
}
