/* join-rewrite.c - convert a tracefile of another byte order, other sizes or the historical
 * dialect to the form of the joined trace.
 *
 * Its blocks cannot be copied, so each event is read and written to a new block. Times and the
 * merged order do not change. Loads of facilities are left out, because the new trace has already
 * loaded all of them.
 */
#include "edit/join-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "edit/recode-priv.h"
#include "reader/cursor-priv.h"

typedef struct Rewriting {
	LttJoinWriting *writing;
	const LttTracefile *tracefile;
	LttCursor *cursor;
	LttRewriter *out;
	GByteArray *payload;
	guint stamp;     /* index of the time value of the block that begins the current stretch */
	guint64 most_ns; /* of the events read so far, written or not */
	gboolean has_begun;
} Rewriting;

/* Converts the payload of the event to the new trace. */
static void recode(const Rewriting *rewriting, const LttEvent *event)
{
	const LttLayout *layout = ltt_join_find_layout(rewriting->writing, event->type);
	LttValue value;

	g_byte_array_set_size(rewriting->payload, 0);
	if (ltt_event_get_value(event, &value))
		ltt_recode(&value, layout, rewriting->writing->arch.byte_order, rewriting->payload);
}

/* Begins the stretch of the event at @index, unless it is the current one. */
static void settle_stretch(Rewriting *rewriting, guint32 index)
{
	const LttBlock *block = &rewriting->cursor->block;
	const LttTimeValue *stamps = (const LttTimeValue *)block->stamps->data;
	const guint n_stamps = block->stamps->len;
	guint stamp = rewriting->stamp == G_MAXUINT ? 0 : rewriting->stamp;

	while (stamp + 1 < n_stamps &&
	       g_array_index(block->stamp_events, guint32, stamp + 1) <= index)
		stamp++;
	if (stamp == rewriting->stamp)
		return;
	rewriting->stamp = stamp;
	ltt_rewriter_begin(rewriting->out, &stamps[stamp],
			   stamp + 1 < n_stamps ? &stamps[stamp + 1] : NULL);
}

static gboolean write_event(Rewriting *rewriting, const LttEvent *event, guint32 index,
			    GError **error)
{
	LttEditEvent added = {
		.cycles = event->cycles,
		.time_ns = event->time_ns,
		.has_thread = event->has_thread,
		.pid = event->pid,
		.tid = event->tid,
	};

	if (!ltt_join_find_id(rewriting->writing, event->type, &added.id, error))
		return FALSE;
	recode(rewriting, event);
	added.payload = rewriting->payload->data;
	added.payload_bytes = rewriting->payload->len;
	settle_stretch(rewriting, index);
	ltt_rewriter_hold(rewriting->out, rewriting->most_ns);
	ltt_rewriter_add(rewriting->out, &added);
	return TRUE;
}

static gboolean take_event(Rewriting *rewriting, GError **error)
{
	const guint32 index = rewriting->cursor->next_event;
	const LttEvent *event = ltt_cursor_take(rewriting->cursor);
	guint16 thread_id;

	if (event->role == LTT_ROLE_THREAD) {
		if (!ltt_join_find_id(rewriting->writing, event->type, &thread_id, error))
			return FALSE;
		ltt_rewriter_set_thread_id(rewriting->out, thread_id);
	} else if (ltt_join_is_written(event->role) &&
		   !write_event(rewriting, event, index, error)) {
		return FALSE;
	}
	rewriting->most_ns = MAX(rewriting->most_ns, event->time_ns);
	return TRUE;
}

/* Block ids count up from that of the first block: from 0 if it is the beginning of the
 * recording. */
static void settle_block_id(Rewriting *rewriting)
{
	const LttBlock *block = &rewriting->cursor->block;
	const LttTrace *member = rewriting->tracefile->trace;
	const LttByteOrder order = ltt_system_get_arch(member->system)->byte_order;

	if (!rewriting->has_begun)
		ltt_rewriter_set_block_id(rewriting->out,
					  ltt_load_u32(block->bytes + LTT_EVENT_HEADER_BYTES +
							       member->slots->block.block_id_at,
						       order));
	rewriting->has_begun = TRUE;
}

static gboolean take_block(Rewriting *rewriting, GError **error)
{
	LttCursor *cursor = rewriting->cursor;

	settle_block_id(rewriting);
	rewriting->stamp = G_MAXUINT;
	while (cursor->next_event < cursor->block.n_events) {
		if (!take_event(rewriting, error))
			return FALSE;
	}
	return ltt_join_tell_progress(rewriting->writing, error);
}

/* Skips the rest of a block. Returns: FALSE if out of memory */
static gboolean pass_damage(Rewriting *rewriting, GError *reason, GError **error)
{
	if (!ltt_join_pass_damage(rewriting->writing, reason, error))
		return FALSE;
	ltt_cursor_skip_block(rewriting->cursor);
	return TRUE;
}

static gboolean take_blocks(Rewriting *rewriting, GError **error)
{
	while (TRUE) {
		GError *reason = NULL;
		const LttStep step = ltt_cursor_need_event(rewriting->cursor, &reason);

		if (step == LTT_STEP_END)
			return TRUE;
		if (step == LTT_STEP_ERROR ? !pass_damage(rewriting, reason, error)
					   : !take_block(rewriting, error))
			return FALSE;
	}
}

gboolean ltt_join_rewrite(LttJoinWriting *writing, LttTracefile *tracefile, const char *path,
			  GError **error)
{
	Rewriting rewriting = {.writing = writing, .tracefile = tracefile};
	gboolean ok;

	rewriting.out =
		ltt_rewriter_new(path, writing->block_bytes, writing->arch.byte_order, error);
	if (rewriting.out == NULL)
		return FALSE;
	rewriting.cursor = ltt_cursor_new(tracefile);
	rewriting.payload = g_byte_array_new();
	ok = take_blocks(&rewriting, error) && ltt_rewriter_close(rewriting.out, error);
	if (ok)
		ltt_join_tell_unwritten(writing, tracefile->name, rewriting.out);
	g_byte_array_unref(rewriting.payload);
	ltt_cursor_free(rewriting.cursor);
	ltt_rewriter_free(rewriting.out);
	return ok;
}
