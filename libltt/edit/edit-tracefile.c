/* edit-tracefile.c - derive one tracefile from another.
 *
 * Reads the blocks that a dump with the same window reads. Copies blocks of which all events are
 * selected; of other blocks, passes the selected events to the rewriter, each in its stretch, with
 * the latest time so far, so that the merged order does not change.
 */
#include "analysis/losses-priv.h"
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "edit/work-priv.h"

/* ---- selection ---- */

static gboolean is_in_window(const LttEdit *edit, guint64 time_ns)
{
	return !edit->has_window || (time_ns >= edit->from_ns && time_ns < edit->to_ns);
}

static guint64 get_total(const LttWork *work, const LttEvent *event)
{
	return ltt_load_u64(event->payload,
			    ltt_system_get_arch(work->edit->trace->system)->byte_order);
}

static gboolean wants_lost(LttWork *work, const LttEvent *event)
{
	const guint64 total = get_total(work, event);

	work->lost_total = MAX(work->lost_total, total);
	if (is_in_window(work->edit, event->time_ns))
		return TRUE;
	if (!work->has_begun && work->wanted->len == 0)
		work->lost_before = MAX(work->lost_before, total);
	return FALSE;
}

static gboolean wants_ordinary(const LttWork *work, const LttEvent *event)
{
	if (ltt_edit_needs(work->edit, event))
		return TRUE;
	if (!work->is_selected || !is_in_window(work->edit, event->time_ns))
		return FALSE;
	return !work->edit->asks_events || ltt_select_matches(work->edit->request->select, event);
}

/* Returns: whether anything of the event is written */
static gboolean wants(LttWork *work, const LttEvent *event, gboolean *is_alive)
{
	gboolean is_wanted = FALSE;

	*is_alive = FALSE;
	if (work->edit->redactor != NULL && ltt_redactor_drops(work->edit->redactor, event))
		return FALSE;
	switch (event->role) {
	case LTT_ROLE_ORDINARY:
		is_wanted = wants_ordinary(work, event);
		work->edit->summary.n_events += is_wanted ? 1 : 0;
		break;
	case LTT_ROLE_MACHINE:
		is_wanted = wants_ordinary(work, event);
		break;
	case LTT_ROLE_EVENTS_LOST:
		return wants_lost(work, event);
	case LTT_ROLE_TRACER:
		is_wanted = is_in_window(work->edit, event->time_ns) ||
			    ltt_edit_needs(work->edit, event);
		break;
	default:
		return FALSE;
	}
	*is_alive = !is_wanted && work->alive != NULL && ltt_alive_has(work->alive, event);
	return is_wanted || *is_alive;
}

/* ---- blocks that are copied ---- */

/* Returns: whether a block is finished and undamaged */
static gboolean is_sound(const LttWork *work)
{
	const LttBlock *block = &work->cursor->block;

	return !work->edit->must_rewrite && block->damage == NULL && !block->is_open &&
	       block->n_events >= 2 &&
	       ltt_work_get_role(block, block->n_events - 1) == LTT_ROLE_BLOCK_END &&
	       ltt_work_get_id_at(work, 0) ==
		       ltt_work_get_id_at(work, block->records[block->n_events - 1].offset);
}

/* Returns: whether all times of the block are in the window, including block_start and block_end */
static gboolean is_inside(const LttWork *work)
{
	const LttBlock *block = &work->cursor->block;
	guint64 least = G_MAXUINT64;
	guint64 most = 0;

	for (guint32 i = 0; i < block->n_events; i++) {
		least = MIN(least, block->times_ns[i]);
		most = MAX(most, block->times_ns[i]);
	}
	return block->n_events > 0 && is_in_window(work->edit, least) &&
	       is_in_window(work->edit, most);
}

/* Counts the events of a block to copy. Returns: FALSE if it has loads of facilities, which are
 * written separately */
static gboolean look_through(LttWork *work, guint64 *n_ordinary)
{
	const LttBlock *block = &work->cursor->block;
	const LttByteOrder order = ltt_system_get_arch(work->edit->trace->system)->byte_order;

	*n_ordinary = 0;
	for (guint32 i = 0; i < block->n_events; i++) {
		const LttEventRole role = ltt_work_get_role(block, i);

		if (role == LTT_ROLE_FACILITY_LOAD)
			return FALSE;
		*n_ordinary += role == LTT_ROLE_ORDINARY ? 1 : 0;
		if (role == LTT_ROLE_EVENTS_LOST) {
			const guint64 total = ltt_load_u64(block->bytes + block->records[i].offset +
								   LTT_EVENT_HEADER_BYTES,
							   order);

			work->lost_total = MAX(work->lost_total, total);
		}
	}
	return TRUE;
}

/* ---- writing ---- */

static void add_event(LttWork *work, const LttWanted *wanted)
{
	LttCursor *cursor = work->cursor;
	const LttEvent *event;
	LttEditEvent added;

	cursor->next_event = wanted->index;
	event = ltt_cursor_fill(cursor, ltt_cursor_peek(cursor));
	added = (LttEditEvent){
		.cycles = event->cycles,
		.time_ns = event->time_ns,
		.id = event->id,
		.has_thread = wanted->has_thread,
		.is_ordinary = event->role == LTT_ROLE_ORDINARY,
		.pid = wanted->pid,
		.tid = wanted->tid,
		.payload = event->payload,
		.payload_bytes = event->payload_bytes,
	};
	g_byte_array_set_size(work->payload, 0);
	if (wanted->is_alive)
		added.id = ltt_alive_convert(work->alive, event, work->payload);
	if (work->edit->redactor != NULL)
		ltt_redactor_apply(work->edit->redactor, event, work->payload);
	if (work->payload->len > 0) {
		added.payload = work->payload->data;
		added.payload_bytes = work->payload->len;
	}
	ltt_rewriter_add(work->out, &added);
}

/* Updates the latest time with the events [@from, @end). */
static void pass_times(LttWork *work, guint32 from, guint32 end)
{
	const LttBlock *block = &work->cursor->block;

	for (guint32 i = from; i < end; i++)
		work->most_ns = MAX(work->most_ns, block->times_ns[i]);
	if (end > from)
		work->last = (LttTimeValue){block->cycles[end - 1], block->times_ns[end - 1]};
}

static void write_wanted(LttWork *work)
{
	const LttBlock *block = &work->cursor->block;
	const guint n_stamps = block->stamps->len;
	guint stamp = G_MAXUINT;
	guint32 passed = 0;

	for (guint i = 0; i < work->wanted->len; i++) {
		const LttWanted *wanted = &g_array_index(work->wanted, LttWanted, i);
		guint next = stamp == G_MAXUINT ? 0 : stamp;

		while (next + 1 < n_stamps &&
		       g_array_index(block->stamp_events, guint32, next + 1) <= wanted->index)
			next++;
		pass_times(work, passed, wanted->index);
		passed = wanted->index;
		if (next != stamp) {
			if (i == 0) {
				ltt_work_settle_loads(work, ltt_work_get_stamp(block, next));
				ltt_work_settle_lost(work, ltt_work_get_stamp(block, next), FALSE);
			}
			ltt_rewriter_begin(work->out, ltt_work_get_stamp(block, next),
					   next + 1 < n_stamps ? ltt_work_get_stamp(block, next + 1)
							       : NULL);
			stamp = next;
		}
		ltt_rewriter_hold(work->out, work->most_ns);
		add_event(work, wanted);
	}
	pass_times(work, passed, block->n_events);
}

/* ---- a block ---- */

static void copy_block(LttWork *work)
{
	const LttBlock *block = &work->cursor->block;

	ltt_work_settle_loads(work, ltt_work_get_stamp(block, 0));
	ltt_work_settle_lost(work, ltt_work_get_stamp(block, 0), TRUE);
	ltt_rewriter_hold(work->out, work->most_ns);
	ltt_rewriter_copy(work->out, &work->source, block, !work->edit->is_live);
	work->edit->summary.n_copied++;
	pass_times(work, 0, block->n_events);
}

/* Checks each event. Returns: whether all are selected unchanged */
static gboolean choose(LttWork *work)
{
	LttCursor *cursor = work->cursor;
	gboolean all = TRUE;

	g_array_set_size(work->wanted, 0);
	while (cursor->next_event < cursor->block.n_events) {
		const LttEvent *event = ltt_cursor_take(cursor);
		LttWanted wanted = {.index = cursor->next_event - 1,
				    .has_thread = event->has_thread,
				    .pid = event->pid,
				    .tid = event->tid};

		if (wants(work, event, &wanted.is_alive))
			g_array_append_val(work->wanted, wanted);
		else if (!ltt_work_is_frame(event->role) || event->role == LTT_ROLE_FACILITY_LOAD)
			all = FALSE;
		all = all && !wanted.is_alive;
	}
	return all;
}

/* Copies the block without checking each event, if possible. */
static gboolean copy_unseen(LttWork *work)
{
	guint64 n_ordinary;

	if (!work->is_selected || work->edit->asks_events || work->alive != NULL ||
	    !is_sound(work) || !is_inside(work) || !look_through(work, &n_ordinary))
		return FALSE;
	work->edit->summary.n_events += n_ordinary;
	copy_block(work);
	return TRUE;
}

static void take_block(LttWork *work)
{
	LttCursor *cursor = work->cursor;
	const guint32 n_events = cursor->block.n_events;
	guint64 n_ordinary;

	if (!copy_unseen(work)) {
		if (choose(work) && work->wanted->len > 0 && is_sound(work) && is_inside(work) &&
		    look_through(work, &n_ordinary))
			copy_block(work);
		else
			write_wanted(work);
	}
	cursor->next_event = n_events;
}

/* ---- damage ---- */

static void tell(const LttEdit *edit, const GError *error)
{
	LttProblem problem;

	ltt_problem_from_error(error, &problem);
	ltt_job_report(&edit->request->callbacks, &problem);
}

/* ---- the file ---- */

static gboolean open_work(LttWork *work, LttEdit *edit, LttTracefile *tracefile, GError **error)
{
	const LttSelect *select = edit->request->select;

	*work = (LttWork){.edit = edit, .tracefile = tracefile, .source = {.fd = -1}};
	work->is_selected = select == NULL || ltt_select_wants_tracefile(select, tracefile);
	work->is_facilities = g_str_equal(tracefile->name, "control/facilities");
	if (!ltt_store_open(edit->trace->store, tracefile->name, &work->source, error))
		return FALSE;
	work->out = ltt_edit_open(edit, tracefile->name, error);
	if (work->out == NULL)
		return FALSE;
	work->cursor = ltt_cursor_new(tracefile);
	work->alive = ltt_alive_new(edit, tracefile);
	work->wanted = g_array_new(FALSE, FALSE, sizeof(LttWanted));
	work->payload = g_byte_array_new();
	work->last = edit->origin;
	if (edit->has_window && !work->is_facilities && work->alive == NULL &&
	    !(edit->has_bookkeeping && tracefile->cpu < 0))
		ltt_cursor_set_window(work->cursor, edit->has_named ? 0 : edit->from_ns,
				      edit->to_ns);
	/* 0 without a window. */
	if (work->cursor->first_position < ltt_tracefile_get_n_ordered(tracefile))
		work->lost_before =
			ltt_losses_before(tracefile, work->cursor->first_position).before;
	if (edit->has_named && work->cursor->has_window)
		ltt_work_find_window(work);
	ltt_rewriter_set_thread_id(work->out,
				   ltt_edit_find_id(edit->trace->slots, LTT_ROLE_THREAD, NULL));
	return TRUE;
}

static void close_work(LttWork *work)
{
	ltt_rewriter_free(work->out);
	ltt_cursor_free(work->cursor);
	ltt_alive_free(work->alive);
	ltt_stored_file_close(&work->source);
	g_clear_pointer(&work->wanted, g_array_unref);
	g_clear_pointer(&work->payload, g_byte_array_unref);
}

static gboolean show_progress(LttWork *work, GError **error)
{
	LttEdit *edit = work->edit;

	edit->n_done = MIN(edit->n_done + 1, edit->n_total);
	return ltt_job_progress(&edit->request->callbacks, LTT_PROGRESS_BLOCKS, edit->n_done,
				edit->n_total, error);
}

/* Reads all blocks. Returns: FALSE if out of memory for a block, or if the caller cancelled */
static gboolean take_blocks(LttWork *work, GError **error)
{
	LttStep step;

	do {
		g_autoptr(GError) reason = NULL;

		ltt_work_skip_unneeded(work);
		step = ltt_cursor_need_event(work->cursor, &reason);
		if (step == LTT_STEP_EVENT) {
			take_block(work);
		} else if (step == LTT_STEP_ERROR) {
			if (g_error_matches(reason, LTT_ERROR, LTT_ERROR_LIMIT)) {
				g_propagate_error(error, g_steal_pointer(&reason));
				return FALSE;
			}
			tell(work->edit, reason);
			work->n_gone += ltt_work_count_gone(work);
			ltt_cursor_skip_block(work->cursor);
		}
		if (!show_progress(work, error))
			return FALSE;
	} while (step != LTT_STEP_END);
	return TRUE;
}

static gboolean finish(LttWork *work, GError **error)
{
	LttEdit *edit = work->edit;
	LttEditSpan span = {.cpu = work->tracefile->cpu};

	ltt_rewriter_begin(work->out, &work->last, NULL);
	if (edit->is_repair)
		ltt_work_write_loss(work);
	if (!ltt_rewriter_close(work->out, error))
		return FALSE;
	if (span.cpu >= 0 &&
	    ltt_rewriter_get_cycles(work->out, &span.least_cycles, &span.most_cycles))
		g_array_append_val(edit->spans, span);
	edit->summary.n_unwritable += ltt_rewriter_get_n_lost(work->out);
	edit->summary.n_events -= ltt_rewriter_get_n_ordinary_lost(work->out);
	edit->summary.n_bytes += ltt_rewriter_get_bytes(work->out);
	return TRUE;
}

gboolean ltt_edit_tracefile(LttEdit *edit, LttTracefile *tracefile, GError **error)
{
	LttWork work;
	gboolean done = open_work(&work, edit, tracefile, error);

	if (done && work.is_facilities)
		ltt_edit_load(edit, work.out, edit->trace->slots->loads, &edit->origin);
	done = done && take_blocks(&work, error) && finish(&work, error);
	close_work(&work);
	return done;
}
