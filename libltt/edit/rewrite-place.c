/* rewrite-place.c - put events into blocks, between the time values that define their times.
 *
 * Each stretch needs a time value before and one after its events. Between two stretches a block
 * has both, or one if they are equal. In the historical dialect only the ends of a block are time
 * values, so each stretch gets a block of its own.
 *
 *	| start |  stretch 1  | to 1 | from 2 |  stretch 2  | to 2 = from 3 |  stretch 3  | end |
 *
 * A thread event marks each change of the thread. An event without a known thread cannot follow one
 * with a known thread in the same block, so it begins a new block.
 */
#include "edit/rewrite-in-priv.h"

#include "base/bytes-priv.h"

/* Period of the low half of the counter in the historical dialect (doc/format.md, 10.2). */
#define HALF_CYCLES ((guint64)1 << 32)

#define THREAD_PAYLOAD_BYTES 8

/* The time value after the events of a stretch. */
typedef struct Ending {
	LttTimeValue to;
	LttTimeValue end;
	gsize bytes; /* to reserve for it */
} Ending;

static const LttWaiting *get_waiting(const LttRewriter *rewriter, guint index)
{
	return &g_array_index(rewriter->waiting, LttWaiting, index);
}

static gboolean is_same(const LttTimeValue *a, const LttTimeValue *b)
{
	return a->cycles == b->cycles && a->time_ns == b->time_ns;
}

/* ---- blocks ---- */

static void put_stamp(LttRewriter *rewriter, const LttTimeValue *value)
{
	ltt_block_writer_heartbeat(&rewriter->block, value->cycles, value->time_ns);
	rewriter->stamp = *value;
	ltt_rewriter_note(rewriter, value);
}

static void store_block(LttRewriter *rewriter)
{
	int errnum = 0;

	ltt_rewriter_flush_run(rewriter);
	if (rewriter->error == NULL)
		errnum = ltt_block_writer_store(&rewriter->block, rewriter->fd,
						rewriter->n_blocks * rewriter->block.size_bytes);
	if (errnum != 0)
		ltt_rewriter_fail(rewriter, "write", errnum);
	rewriter->n_blocks++;
	rewriter->block.is_ended = TRUE;
}

void ltt_rewriter_end_block(LttRewriter *rewriter)
{
	LttTimeValue end = rewriter->needs_to ? rewriter->to : rewriter->stamp;

	if (!ltt_block_writer_is_open(&rewriter->block))
		return;
	if (rewriter->needs_to && !rewriter->block.form.is_dialect_22 &&
	    !is_same(&rewriter->to, &rewriter->end)) {
		put_stamp(rewriter, &rewriter->to);
		end = rewriter->end;
	}
	ltt_block_writer_end(&rewriter->block, end.cycles, end.time_ns);
	ltt_rewriter_note(rewriter, &end);
	store_block(rewriter);
	rewriter->needs_to = FALSE;
}

static void begin_block(LttRewriter *rewriter, const LttTimeValue *from)
{
	const guint32 wanted = rewriter->has_ids ? rewriter->last_id + 1 : rewriter->first_id;

	ltt_rewriter_end_block(rewriter);
	ltt_block_writer_begin(&rewriter->block, ltt_rewriter_take_id(rewriter, wanted),
			       from->cycles, from->time_ns);
	rewriter->stamp = *from;
	rewriter->thread.is_known = FALSE;
	rewriter->needs_to = FALSE;
	ltt_rewriter_note(rewriter, from);
}

/* Returns: the size of the time values needed in the current block before events of a stretch from
 *   @from */
static gsize joint_bytes(const LttRewriter *rewriter, const LttTimeValue *from)
{
	if (!rewriter->needs_to)
		return is_same(&rewriter->stamp, from) ? 0 : LTT_HEARTBEAT_BYTES;
	return is_same(&rewriter->to, from) ? LTT_HEARTBEAT_BYTES : 2 * LTT_HEARTBEAT_BYTES;
}

/* Whether the times of a stretch fall. */
static gboolean falls(const LttTimeValue *from, const Ending *ending)
{
	return ending->to.time_ns < from->time_ns || ending->end.time_ns < ending->to.time_ns;
}

/* Returns: the size that the end of the current block needs in addition if the times fall with a
 *   stretch from @from. @ending: (nullable): of the stretch */
static gsize fall_bytes(const LttRewriter *rewriter, const LttTimeValue *from, const Ending *ending)
{
	guint64 before_ns = rewriter->stamp.time_ns;
	gboolean will_fall = FALSE;

	if (rewriter->block.form.is_dialect_22 || rewriter->block.falls)
		return 0;
	if (rewriter->needs_to) {
		will_fall = rewriter->to.time_ns < before_ns;
		before_ns = rewriter->to.time_ns;
	}
	will_fall =
		will_fall || from->time_ns < before_ns || (ending != NULL && falls(from, ending));
	return will_fall ? LTT_FALL_BYTES : 0;
}

static void put_joint(LttRewriter *rewriter, const LttTimeValue *from)
{
	if (rewriter->needs_to)
		put_stamp(rewriter, &rewriter->to);
	rewriter->needs_to = FALSE;
	if (!is_same(&rewriter->stamp, from))
		put_stamp(rewriter, from);
}

static gboolean may_go_on(const LttRewriter *rewriter)
{
	return ltt_block_writer_is_open(&rewriter->block) && !rewriter->block.form.is_dialect_22;
}

void ltt_rewriter_put_hold(LttRewriter *rewriter, guint64 time_ns)
{
	const LttTimeValue value = {rewriter->stretch_from.cycles, time_ns};

	if (may_go_on(rewriter) &&
	    joint_bytes(rewriter, &value) + fall_bytes(rewriter, &value, NULL) <=
		    ltt_block_writer_get_room(&rewriter->block))
		put_joint(rewriter, &value);
	else
		begin_block(rewriter, &value);
	if (rewriter->block.form.is_dialect_22)
		ltt_rewriter_end_block(rewriter);
}

/* ---- sizes of events ---- */

/* What must precede an event in a block, besides time values. */
typedef struct Needs {
	gboolean is_possible; /* in a block of that thread */
	gboolean thread;      /* a thread event */
	guint64 n_wraps;      /* dialect 2.2: heartbeats that lead up to its cycles */
	gsize bytes;          /* with the event itself */
} Needs;

static Needs get_needs(const LttRewriter *rewriter, const LttEditEvent *event,
		       const LttThread *thread, guint64 last_cycles)
{
	const LttBlockForm *form = &rewriter->block.form;
	Needs needs = {.is_possible =
			       event->has_thread || !thread->is_known || rewriter->thread_id < 0};

	needs.thread =
		rewriter->thread_id >= 0 && event->has_thread &&
		(!thread->is_known || thread->pid != event->pid || thread->tid != event->tid);
	if (form->is_dialect_22)
		needs.n_wraps = (event->cycles - last_cycles) / HALF_CYCLES;
	else if (event->cycles - rewriter->stretch_from.cycles > G_MAXUINT32)
		needs.is_possible = FALSE;
	needs.bytes = LTT_EVENT_HEADER_BYTES + event->payload_bytes;
	if (needs.thread)
		needs.bytes += LTT_EVENT_HEADER_BYTES + THREAD_PAYLOAD_BYTES;
	needs.bytes += needs.n_wraps * (LTT_EVENT_HEADER_BYTES + form->heartbeat_payload_bytes);
	return needs;
}

static void set_thread(LttThread *thread, const LttEditEvent *event)
{
	*thread = (LttThread){event->has_thread, event->pid, event->tid};
}

/* Returns: how many pending events, from number @first on, fit into @room after time value
 *   stretch_from, in the current block or in a new one */
static guint count_fitting(const LttRewriter *rewriter, guint first, gsize room, gboolean is_new)
{
	LttThread thread = rewriter->thread;
	guint64 last_cycles = rewriter->stretch_from.cycles;
	guint i;

	if (is_new)
		thread.is_known = FALSE;
	for (i = first; i < rewriter->waiting->len; i++) {
		const LttEditEvent *event = &get_waiting(rewriter, i)->event;
		const Needs needs = get_needs(rewriter, event, &thread, last_cycles);

		if (!needs.is_possible || needs.bytes > room)
			break;
		room -= needs.bytes;
		set_thread(&thread, event);
		last_cycles = event->cycles;
	}
	return i - first;
}

/* ---- events into the current block ---- */

static void put_thread(LttRewriter *rewriter, const LttEditEvent *event)
{
	guint8 payload[THREAD_PAYLOAD_BYTES];

	ltt_store_u32(payload, event->pid, rewriter->block.byte_order);
	ltt_store_u32(payload + 4, event->tid, rewriter->block.byte_order);
	ltt_block_writer_event(&rewriter->block, event->cycles, (guint16)rewriter->thread_id,
			       payload, sizeof(payload));
}

static void put_wraps(LttRewriter *rewriter, guint64 n_wraps)
{
	const LttBlockForm *form = &rewriter->block.form;
	g_autofree guint8 *payload = g_malloc0(form->heartbeat_payload_bytes);

	for (guint64 i = 0; i < n_wraps; i++)
		ltt_block_writer_event(&rewriter->block,
				       rewriter->block.last_cycles + HALF_CYCLES - 1,
				       form->heartbeat_id, payload, form->heartbeat_payload_bytes);
}

static void put_event(LttRewriter *rewriter, guint index)
{
	const LttWaiting *waiting = get_waiting(rewriter, index);
	const LttEditEvent *event = &waiting->event;
	const guint8 *payload =
		event->payload_bytes > 0 ? rewriter->payloads->data + waiting->payload_at : NULL;
	const Needs needs =
		get_needs(rewriter, event, &rewriter->thread, rewriter->block.last_cycles);

	put_wraps(rewriter, needs.n_wraps);
	if (needs.thread)
		put_thread(rewriter, event);
	ltt_block_writer_event(&rewriter->block, event->cycles, event->id, payload,
			       event->payload_bytes);
	set_thread(&rewriter->thread, event);
}

static void put_events(LttRewriter *rewriter, guint first, guint n, const LttTimeValue *to,
		       const LttTimeValue *end)
{
	for (guint i = first; i < first + n; i++)
		put_event(rewriter, i);
	rewriter->needs_to = TRUE;
	rewriter->to = *to;
	rewriter->end = *end;
}

/* ---- a single event ---- */

static void lose(LttRewriter *rewriter, guint index)
{
	rewriter->n_lost++;
	rewriter->n_ordinary_lost += get_waiting(rewriter, index)->event.is_ordinary ? 1 : 0;
}

/* Writes an event after its own time value. Without room for a block_end, the block stays open. */
static void put_alone(LttRewriter *rewriter, guint index)
{
	const LttInstant own = g_array_index(rewriter->instants, LttInstant, index);
	const LttTimeValue stretch_from = rewriter->stretch_from;

	if (own.time_ns > LTT_MAX_FOUND_NS) {
		lose(rewriter, index);
		return;
	}
	rewriter->stretch_from = own;
	if (may_go_on(rewriter)) {
		const gsize joint = joint_bytes(rewriter, &own) + fall_bytes(rewriter, &own, NULL);
		const gsize room = ltt_block_writer_get_room(&rewriter->block);

		if (room >= joint && count_fitting(rewriter, index, room - joint, FALSE) > 0)
			put_joint(rewriter, &own);
		else
			ltt_rewriter_end_block(rewriter);
	}
	if (!may_go_on(rewriter))
		begin_block(rewriter, &own);
	if (count_fitting(rewriter, index, ltt_block_writer_get_room(&rewriter->block), FALSE) >
	    0) {
		put_events(rewriter, index, 1, &own, &own);
	} else if (count_fitting(rewriter, index, ltt_block_writer_get_open_room(&rewriter->block),
				 FALSE) > 0) {
		put_event(rewriter, index);
		store_block(rewriter);
	} else {
		rewriter->n_large++;
		lose(rewriter, index);
	}
	rewriter->stretch_from = stretch_from;
}

/* ---- all pending events ---- */

/* Computes an ending for @n events of a stretch without one. Returns: FALSE if there is none */
static gboolean fit(const LttRewriter *rewriter, guint first, guint n, Ending *ending)
{
	const LttInstant *instants = &g_array_index(rewriter->instants, LttInstant, first);
	gboolean is_there = ltt_fit(&rewriter->stretch_from, instants, n, &ending->to);

	ending->end = ending->to;
	ending->bytes = LTT_HEARTBEAT_BYTES;
	for (guint i = 0; is_there && i < n; i++) {
		if (instants[i].cycles > ending->end.cycles &&
		    instants[i].time_ns <= LTT_MAX_FOUND_NS)
			ending->end = instants[i];
	}
	return is_there;
}

/* Puts all events from @first on into the current block. Returns: FALSE if they do not fit */
static gboolean join(LttRewriter *rewriter, guint first, const Ending *ending)
{
	const LttTimeValue *from = &rewriter->stretch_from;
	const guint n = rewriter->waiting->len - first;
	gsize kept;

	if (!may_go_on(rewriter))
		return FALSE;
	kept = joint_bytes(rewriter, from) + ending->bytes + fall_bytes(rewriter, from, ending);
	if (ltt_block_writer_get_room(&rewriter->block) < kept ||
	    count_fitting(rewriter, first, ltt_block_writer_get_room(&rewriter->block) - kept,
			  FALSE) < n)
		return FALSE;
	put_joint(rewriter, from);
	put_events(rewriter, first, n, &ending->to, &ending->end);
	return TRUE;
}

/* Puts as many events as fit, from @first on, into a new block. Returns: their number */
static guint put_into_new(LttRewriter *rewriter, guint first, const Ending *ending)
{
	const gsize end_bytes = LTT_EVENT_HEADER_BYTES + rewriter->block.form.block_payload_bytes;
	const gsize fall =
		!rewriter->block.form.is_dialect_22 && falls(&rewriter->stretch_from, ending)
			? LTT_FALL_BYTES
			: 0;
	const gsize taken = LTT_FINAL_WORD_BYTES + 2 * end_bytes + fall;
	const gsize room =
		rewriter->block.size_bytes > taken ? rewriter->block.size_bytes - taken : 0;
	const guint n_all = rewriter->waiting->len - first;
	Ending part = *ending;
	guint n = 0;

	if (room >= part.bytes)
		n = count_fitting(rewriter, first, room - part.bytes, TRUE);
	if (n < n_all) {
		n = room >= LTT_HEARTBEAT_BYTES
			    ? count_fitting(rewriter, first, room - LTT_HEARTBEAT_BYTES, TRUE)
			    : 0;
		if (n == 0 || !fit(rewriter, first, n, &part)) {
			put_alone(rewriter, first);
			return 1;
		}
	}
	begin_block(rewriter, &rewriter->stretch_from);
	put_events(rewriter, first, n, &part.to, &part.end);
	return n;
}

void ltt_rewriter_place(LttRewriter *rewriter, const LttTimeValue *to)
{
	const guint n_waiting = rewriter->waiting->len;
	guint first = 0;
	Ending ending;
	gboolean has_ending = TRUE;

	if (to != NULL)
		ending = (Ending){*to, *to, 0};
	else if (n_waiting > 0)
		has_ending = fit(rewriter, 0, n_waiting, &ending);
	while (first < n_waiting) {
		if (!has_ending)
			put_alone(rewriter, first++);
		else if (join(rewriter, first, &ending))
			first = n_waiting;
		else
			first += put_into_new(rewriter, first, &ending);
	}
	g_array_set_size(rewriter->waiting, 0);
	g_array_set_size(rewriter->instants, 0);
	g_byte_array_set_size(rewriter->payloads, 0);
}

void ltt_rewriter_end_stretch(LttRewriter *rewriter)
{
	ltt_rewriter_place(rewriter, rewriter->stretch_has_to ? &rewriter->stretch_to : NULL);
}
