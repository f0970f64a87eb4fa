/* order.c - determine the order of the blocks of a tracefile (doc/format.md, 3.5).
 *
 * A full scan reads both ends of every block: a small read per block. In a large file this scan
 * would dominate the search for a time window. There the reader samples a few dozen places. If
 * their block ids and times match a file written sequentially or as a ring, the reader assumes that
 * order. Any mismatch makes it fall back to the full scan.
 */
#include "reader/ends-priv.h"
#include "reader/order-priv.h"
#include "reader/trace-priv.h"

/* Files with fewer blocks always get the full scan. */
#define MIN_SAMPLED_BLOCKS 256
#define N_SAMPLES          64

/* ---- sorted times ---- */

/* The latest time seen so far, going through blocks in order. */
typedef struct Rise {
	guint64 last_ns;
	gboolean holds;
} Rise;

static void add_to_rise(Rise *rise, const LttBlockEnds *ends)
{
	if (!ends->has_start)
		return;
	rise->holds = rise->holds && ends->start.time_ns >= rise->last_ns;
	rise->last_ns = ends->start.time_ns;
	if (ends->is_complete) {
		rise->holds = rise->holds && !ends->falls && ends->end.time_ns >= rise->last_ns;
		rise->last_ns = ends->end.time_ns;
	}
}

/* ---- incomplete blocks ---- */

static void forget_open(LttOrder *order)
{
	g_clear_pointer(&order->open, g_array_unref);
	order->open = g_array_new(FALSE, FALSE, sizeof(guint64));
}

static void note_if_open(LttOrder *order, guint64 position, const LttBlockEnds *ends)
{
	if (!ends->is_complete)
		g_array_append_val(order->open, position);
}

/* ---- full scan ---- */

static void extend_span(LttOrder *order, const LttBlockEnds *ends)
{
	if (!ends->has_start || !ends->is_complete)
		return;
	order->first_ns = MIN(order->first_ns, ends->first_ns);
	order->last_ns = MAX(order->last_ns, ends->last_ns);
}

typedef struct BlockKey {
	gint64 key; /* the block's id, counted from that of the first one, modulo 2^32 and signed */
	guint64 place;
	LttBlockEnds ends;
} BlockKey;

static gint compare_keys(gconstpointer left, gconstpointer right)
{
	const BlockKey *a = left;
	const BlockKey *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

/* Lists the used blocks in file order. A block with a damaged start has no id; it follows the block
 * before it in the file. */
static GArray *read_keys(LttTracefile *tracefile)
{
	GArray *keys = g_array_new(FALSE, FALSE, sizeof(BlockKey));
	gboolean has_reference = FALSE;
	guint32 reference = 0;
	gint64 last_key = G_MININT32;
	LttJoint joint = {0};

	for (guint64 place = 0; place < tracefile->n_blocks; place++) {
		BlockKey block = {.place = place};

		ltt_tracefile_scan_ends(tracefile, place, &joint, &block.ends);
		if (!block.ends.is_used)
			continue;
		if (block.ends.has_start) {
			reference = has_reference ? reference : block.ends.block_id;
			has_reference = TRUE;
			last_key = (gint32)(block.ends.block_id - reference);
		}
		block.key = last_key;
		g_array_append_val(keys, block);
	}
	return keys;
}

/* Returns: whether the places are consecutive, wrapping around to 0 after the last */
static gboolean is_rotation(const GArray *keys)
{
	for (guint i = 1; i < keys->len; i++) {
		const guint64 before = g_array_index(keys, BlockKey, i - 1).place;

		if (g_array_index(keys, BlockKey, i).place != (before + 1) % keys->len)
			return FALSE;
	}
	return keys->len == 0 || g_array_index(keys, BlockKey, 0).place < keys->len;
}

static void order_thoroughly(LttTracefile *tracefile)
{
	LttOrder *order = &tracefile->order;
	g_autoptr(GArray) keys = read_keys(tracefile);
	Rise rise = {.holds = TRUE};

	/* If the recording has ended, blocks that are gone seem to be used. */
	if (ltt_tracefile_measure_trimmed(tracefile)) {
		g_array_unref(keys);
		keys = read_keys(tracefile);
	}
	g_array_sort(keys, compare_keys);
	forget_open(order);
	order->first_ns = G_MAXUINT64;
	order->last_ns = 0;
	for (guint i = 0; i < keys->len; i++) {
		const LttBlockEnds *ends = &g_array_index(keys, BlockKey, i).ends;

		add_to_rise(&rise, ends);
		note_if_open(order, i, ends);
		extend_span(order, ends);
	}
	order->is_scanned = TRUE;
	order->n_blocks = keys->len;
	order->rises = rise.holds;
	g_clear_pointer(&order->places, g_array_unref);
	if (is_rotation(keys)) {
		order->rotation = keys->len > 0 ? g_array_index(keys, BlockKey, 0).place : 0;
	} else {
		order->places = g_array_sized_new(FALSE, FALSE, sizeof(guint64), keys->len);
		for (guint i = 0; i < keys->len; i++)
			g_array_append_val(order->places, g_array_index(keys, BlockKey, i).place);
	}
	order->depth = LTT_ORDER_THOROUGH;
}

/* ---- sampling of large files ---- */

/* Returns: the number of blocks before the allocated but unused ones at the end */
static guint64 count_used(LttTracefile *tracefile)
{
	guint64 used = 0;
	guint64 unused = tracefile->n_blocks;

	while (used < unused) {
		const guint64 middle = used + (unused - used) / 2;
		LttBlockEnds ends;

		ltt_tracefile_read_ends(tracefile, middle, &ends);
		if (ends.is_used)
			used = middle + 1;
		else
			unused = middle;
	}
	return used;
}

/* Returns: the place of the oldest block: the first, from 1 on, whose id is not above that of place
 * 0 */
static gboolean find_rotation(LttTracefile *tracefile, guint64 n_blocks, guint32 first_id,
			      guint64 *rotation)
{
	guint64 newer = 0;
	guint64 older = n_blocks;

	while (older - newer > 1) {
		const guint64 middle = newer + (older - newer) / 2;
		LttBlockEnds ends;

		ltt_tracefile_read_ends(tracefile, middle, &ends);
		if (!ends.has_start)
			return FALSE;
		if ((gint32)(ends.block_id - first_id) > 0)
			newer = middle;
		else
			older = middle;
	}
	*rotation = older % n_blocks;
	return TRUE;
}

/* Returns: whether the sampled blocks have the expected ids and times */
static gboolean samples_fit(LttTracefile *tracefile, guint32 first_id)
{
	LttOrder *order = &tracefile->order;
	Rise rise = {.holds = TRUE};

	forget_open(order);
	for (guint64 i = 0; i <= N_SAMPLES; i++) {
		const guint64 position = i * (order->n_blocks - 1) / N_SAMPLES;
		LttBlockEnds ends;

		ltt_tracefile_read_ends(tracefile, (position + order->rotation) % order->n_blocks,
					&ends);
		if (!ends.has_start || ends.block_id != first_id + (guint32)position)
			return FALSE;
		add_to_rise(&rise, &ends);
		note_if_open(order, position, &ends);
	}
	return rise.holds;
}

static gboolean order_by_samples(LttTracefile *tracefile)
{
	LttOrder *order = &tracefile->order;
	LttBlockEnds ends;

	if (tracefile->n_blocks < MIN_SAMPLED_BLOCKS ||
	    ltt_system_may_fall(tracefile->trace->system))
		return FALSE;
	order->n_blocks = count_used(tracefile);
	ltt_tracefile_read_ends(tracefile, 0, &ends);
	if (order->n_blocks < MIN_SAMPLED_BLOCKS || !ends.has_start ||
	    !find_rotation(tracefile, order->n_blocks, ends.block_id, &order->rotation))
		return FALSE;
	ltt_tracefile_read_ends(tracefile, order->rotation, &ends);
	if (!ends.has_start || !samples_fit(tracefile, ends.block_id))
		return FALSE;
	order->rises = TRUE;
	order->depth = LTT_ORDER_SAMPLED;
	return TRUE;
}

/* ---- interface ---- */

void ltt_tracefile_need_order(LttTracefile *tracefile, LttOrderDepth depth)
{
	g_rec_mutex_lock(&tracefile->lock);
	if (tracefile->order.depth == LTT_ORDER_UNKNOWN &&
	    (depth == LTT_ORDER_THOROUGH || !order_by_samples(tracefile)))
		order_thoroughly(tracefile);
	g_rec_mutex_unlock(&tracefile->lock);
}

gboolean ltt_trace_is_sorted(LttTrace *trace)
{
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];

		ltt_tracefile_need_order(tracefile, LTT_ORDER_SAMPLED);
		if (!tracefile->order.rises)
			return FALSE;
	}
	return TRUE;
}

guint64 ltt_tracefile_get_n_ordered(LttTracefile *tracefile)
{
	if (G_UNLIKELY(tracefile->order.depth == LTT_ORDER_UNKNOWN))
		ltt_tracefile_need_order(tracefile, LTT_ORDER_THOROUGH);
	return tracefile->order.n_blocks;
}

guint64 ltt_tracefile_get_ordered(LttTracefile *tracefile, guint64 position)
{
	const LttOrder *order = &tracefile->order;

	if (order->places != NULL)
		return g_array_index(order->places, guint64, position);
	return (position + order->rotation) % order->n_blocks;
}

/* Returns: the least position from which all blocks begin at @time_ns or later. A block without a
 * start gets the start of the next block that has one. */
static guint64 find_start(LttTracefile *tracefile, guint64 time_ns)
{
	guint64 earlier = 0;
	guint64 later = tracefile->order.n_blocks;

	while (earlier < later) {
		const guint64 middle = earlier + (later - earlier) / 2;
		guint64 probe = middle;
		LttBlockEnds ends = {0};

		for (; probe < later && !ends.has_start; probe++)
			ltt_tracefile_read_ends(tracefile,
						ltt_tracefile_get_ordered(tracefile, probe), &ends);
		if (!ends.has_start || ends.start.time_ns >= time_ns)
			later = middle;
		else
			earlier = probe;
	}
	return earlier;
}

void ltt_tracefile_find_window(LttTracefile *tracefile, guint64 from_ns, guint64 to_ns,
			       guint64 *first, guint64 *end)
{
	LttBlockEnds ends = {0};

	ltt_tracefile_need_order(tracefile, LTT_ORDER_SAMPLED);
	*first = 0;
	*end = tracefile->order.n_blocks;
	if (!tracefile->order.rises)
		return;
	/* The block before the first one that begins in the window may extend into it. */
	for (*first = find_start(tracefile, from_ns); *first > 0 && !ends.has_start; (*first)--)
		ltt_tracefile_read_ends(tracefile, ltt_tracefile_get_ordered(tracefile, *first - 1),
					&ends);
	if (to_ns == G_MAXUINT64)
		return;
	/* A block without a start may begin before the end of the window. */
	for (*end = MAX(find_start(tracefile, to_ns), *first); *end < tracefile->order.n_blocks;
	     ++*end) {
		ltt_tracefile_read_ends(tracefile, ltt_tracefile_get_ordered(tracefile, *end),
					&ends);
		if (ends.has_start && ends.start.time_ns >= to_ns)
			break;
	}
}

guint64 ltt_tracefile_next_in_window(const LttTracefile *tracefile, guint64 first, guint64 end,
				     guint64 position)
{
	const GArray *open = tracefile->order.open;
	guint64 next = tracefile->order.n_blocks;

	if (position < end && first < end)
		next = MAX(position, first);
	for (guint i = 0; open != NULL && i < open->len && g_array_index(open, guint64, i) < next;
	     i++) {
		if (g_array_index(open, guint64, i) >= position)
			return g_array_index(open, guint64, i);
	}
	return next;
}
