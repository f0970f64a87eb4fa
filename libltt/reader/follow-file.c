/* follow-file.c - see follow-priv.h.
 *
 * The reader reads a growing file block by block. The writer closes a block before it begins the
 * next one. So the reader leaves an open block only when the next one has begun and a second look
 * at the open one shows no new data. In a flight recorder the next block has the next id. It lies
 * in the next place of the ring or, after a snapshot, in the next place of the ring's second half.
 * If the current block has been overwritten, the reader continues with the oldest remaining block.
 */
#include "reader/follow-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "model/ondisk-priv.h"
#include "reader/trace-priv.h"

#include <string.h>

#define READ_TRIES 3

/* Identifies one use of a block, and records its fill level. */
typedef struct Label {
	gboolean is_used; /* the block is in use */
	gboolean has_start;
	guint32 id;
	guint32 word;
} Label;

gint ltt_tracefile_compare(const LttTracefile *a, const LttTracefile *b)
{
	if (a->cpu >= 0 || b->cpu >= 0)
		return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
	return strcmp(a->name, b->name);
}

LttFollowed *ltt_followed_new(LttTracefile *tracefile, const LttLive *live, guint64 first_place)
{
	LttFollowed *followed = g_new0(LttFollowed, 1);

	followed->tracefile = tracefile;
	followed->cursor = ltt_cursor_new(tracefile);
	followed->n_ring = tracefile->cpu >= 0 ? ltt_live_get_flight_blocks(live) : 0;
	followed->place = first_place;
	return followed;
}

void ltt_followed_free(LttFollowed *followed)
{
	ltt_cursor_free(followed->cursor);
	g_free(followed);
}

/* The number of places in the file that can hold a block. */
static guint64 count_places(const LttFollowed *followed)
{
	const guint64 n_blocks = followed->tracefile->n_blocks;

	return followed->n_ring > 0 ? MIN(n_blocks, 2 * followed->n_ring) : n_blocks;
}

/* Reads the state of the block at @place; a block after the end of the file is not in use. Reads
 * the final word first: if it is set, the events it covers are complete. */
static Label read_label(const LttFollowed *followed, guint64 place)
{
	LttTracefile *tracefile = followed->tracefile;
	const LttSlots *slots = tracefile->trace->slots;
	const LttByteOrder order = ltt_system_get_arch(tracefile->trace->system)->byte_order;
	const guint64 at = place * tracefile->block_bytes;
	guint8 word[LTT_FINAL_WORD_BYTES];
	guint8 start[LTT_BLOCK_EVENT_BYTES];
	Label label = {0};

	if (place >= tracefile->n_blocks)
		ltt_tracefile_measure(tracefile);
	if (place >= tracefile->n_blocks ||
	    !ltt_tracefile_read(tracefile, at + tracefile->block_bytes - sizeof(word), word,
				sizeof(word), NULL))
		return label;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (!ltt_tracefile_read(tracefile, at, start, sizeof(start), NULL))
		return label;
	label.word = ltt_load_u32(word, order);
	label.has_start = ltt_load_u16(start, order) == slots->block_start_id;
	label.id = ltt_load_u32(start + LTT_EVENT_HEADER_BYTES + slots->block.block_id_at, order);
	label.is_used = label.word != 0 || label.has_start;
	return label;
}

static gboolean is_current(const LttFollowed *followed, const Label *label)
{
	return followed->n_ring == 0 || (label->has_start && label->id == followed->id);
}

/* Sets the order of the blocks so that the current one has a position, after those written before
 * it. */
static guint64 set_order(LttFollowed *followed)
{
	LttTracefile *tracefile = followed->tracefile;
	const guint64 n_places = count_places(followed);

	if (followed->n_ring == 0) {
		ltt_tracefile_set_order(tracefile, n_places, 0);
		return followed->place;
	}
	ltt_tracefile_set_order(tracefile, n_places, (followed->place + 1) % MAX(n_places, 1));
	return MAX(n_places, 1) - 1;
}

/* Reloads the current block and keeps the read position. Reports damage only if no process wrote to
 * the block during the read. */
static gboolean read_block(LttFollowed *followed, const Label *label, GError **error)
{
	LttCursor *cursor = followed->cursor;
	const guint32 n_taken = cursor->next_event;
	Label after = *label;

	for (guint i = 0; i == 0 || (i < READ_TRIES && cursor->block.damage != NULL &&
				     after.word != followed->word);
	     i++) {
		followed->word = after.word;
		if (!ltt_block_load(&cursor->block, followed->tracefile, set_order(followed),
				    error)) {
			cursor->block.n_events = cursor->next_event = 0;
			followed->is_complete = TRUE;
			return FALSE;
		}
		after = read_label(followed, followed->place);
	}
	followed->is_complete = !cursor->block.is_open;
	cursor->event.block = cursor->block.place;
	if (!is_current(followed, &after) || cursor->block.n_events < n_taken) {
		/* The writer overwrote the block during the read. */
		g_clear_pointer(&cursor->block.damage, g_free);
		cursor->block.n_events = n_taken;
		followed->is_complete = FALSE;
	}
	return TRUE;
}

/* Continues in the block at @place. */
static gboolean begin_block(LttFollowed *followed, guint64 place, const Label *label,
			    GError **error)
{
	LttCursor *cursor = followed->cursor;

	cursor->next_event = cursor->next_thread = 0;
	cursor->event.has_thread = FALSE;
	followed->has_block = TRUE;
	followed->place = place;
	followed->id = label->id;
	return read_block(followed, label, error);
}

/* ---- a growing file ---- */

static gboolean find_next_place(LttFollowed *followed, guint64 *place, Label *label)
{
	*place = followed->place + (followed->has_block ? 1 : 0);
	*label = read_label(followed, *place);
	/* After the end of the recording no writer fills a hole. */
	while (followed->is_last && !label->is_used && *place + 1 < followed->tracefile->n_blocks)
		*label = read_label(followed, ++*place);
	return label->is_used;
}

/* ---- a flight recorder ---- */

static gboolean is_newer(const LttFollowed *followed, const Label *label)
{
	return label->has_start && (gint32)(label->id - followed->id) > 0;
}

/* Makes the block at @at the next one if it is newer than the current one and older than the
 * candidate so far. */
static gboolean consider(const LttFollowed *followed, guint64 at, gboolean found, guint64 *place,
			 Label *label)
{
	const Label here = read_label(followed, at);

	if (!here.has_start || (followed->has_block && !is_newer(followed, &here)) ||
	    (found && (gint32)(here.id - label->id) >= 0))
		return found;
	*place = at;
	*label = here;
	return TRUE;
}

/* Finds the oldest remaining block that is newer than the current one. */
static gboolean find_oldest(const LttFollowed *followed, guint64 *place, Label *label)
{
	gboolean found = FALSE;

	ltt_tracefile_measure(followed->tracefile);
	for (guint64 at = 0; at < count_places(followed); at++)
		found = consider(followed, at, found, place, label);
	return found;
}

/* Finds the block after the current one in the ring, if the writer has begun it. Otherwise its
 * place holds a block of the previous round. */
static gboolean find_behind(const LttFollowed *followed, guint64 *place, Label *label)
{
	const guint64 next = (followed->place + 1) % followed->n_ring;
	const gboolean found = consider(followed, next, FALSE, place, label);

	return consider(followed, next + followed->n_ring, found, place, label);
}

static gboolean find_next_in_ring(LttFollowed *followed, guint64 *place, Label *label)
{
	if (followed->has_block && followed->is_complete) {
		if (!find_behind(followed, place, label))
			return FALSE;
		if (label->id == followed->id + 1)
			return TRUE;
	}
	if (!find_oldest(followed, place, label))
		return FALSE;
	if (followed->has_block)
		followed->n_missed += label->id - followed->id - (followed->is_complete ? 1 : 0);
	return TRUE;
}

/* ---- both ---- */

static gboolean begin_next(LttFollowed *followed, GError **error)
{
	guint64 place;
	Label label;

	/* Only a live writer wraps around; this check ends a loop over forged ids. */
	if (followed->n_ring > 0 && followed->n_begun > count_places(followed))
		return FALSE;
	if (followed->n_ring > 0 ? !find_next_in_ring(followed, &place, &label)
				 : !find_next_place(followed, &place, &label))
		return FALSE;
	followed->n_begun++;
	return begin_block(followed, place, &label, error);
}

/* Returns: whether the block after an open one shows that the writer has left the open one */
static gboolean is_left(LttFollowed *followed)
{
	guint64 place;
	Label label;

	if (followed->n_ring == 0)
		return find_next_place(followed, &place, &label);
	return find_behind(followed, &place, &label);
}

/* Looks for unread data. Returns: FALSE if there is none, or with an error */
static gboolean look(LttFollowed *followed, GError **error)
{
	const gboolean was_left =
		followed->has_block && !followed->is_complete && is_left(followed);
	Label label;

	if (!followed->has_block || followed->is_complete)
		return begin_next(followed, error);
	label = read_label(followed, followed->place);
	if (!is_current(followed, &label))
		return begin_next(followed, error);
	if (label.word != followed->word)
		return read_block(followed, &label, error);
	followed->is_complete = was_left;
	return was_left && begin_next(followed, error);
}

LttStep ltt_followed_need_event(LttFollowed *followed, GError **error)
{
	LttCursor *cursor = followed->cursor;

	while (cursor->next_event == cursor->block.n_events) {
		if (cursor->error == NULL && cursor->block.damage != NULL)
			ltt_fail_at(&cursor->error, LTT_ERROR_CORRUPT, followed->tracefile->name,
				    (gint64)cursor->block.place, cursor->block.damage_byte, "%s",
				    cursor->block.damage);
		if (cursor->error == NULL && look(followed, &cursor->error))
			continue;
		if (cursor->error == NULL)
			return LTT_STEP_WAIT;
		if (error != NULL)
			*error = g_error_copy(cursor->error);
		return LTT_STEP_ERROR;
	}
	return LTT_STEP_EVENT;
}

void ltt_followed_skip_block(LttFollowed *followed)
{
	LttCursor *cursor = followed->cursor;

	g_clear_error(&cursor->error);
	g_clear_pointer(&cursor->block.damage, g_free);
	followed->is_complete = TRUE;
}
