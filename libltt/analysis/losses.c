/* losses.c - find the total of losses before the first block that is read.
 *
 * A running total counts from the beginning of the recording. If the beginning is missing
 * (overwritten by a flight recorder, cut off, or outside the window), only losses since the first
 * block read count, so that events found plus events lost equals events that occurred.
 *
 * A live writer repeats the total at the head of each block, so one block is enough. For other
 * writers, the preceding blocks are read backwards until one has a total.
 */
#include "analysis/losses-priv.h"

#include "base/bytes-priv.h"
#include "model/ondisk-priv.h"
#include "reader/ends-priv.h"
#include "reader/trace-priv.h"

/* The events of a block before its first ordinary event. */
typedef struct Head {
	gboolean is_live; /* only live writers record the clock */
	gboolean has_total;
	guint64 total;
} Head;

static LttEventRole get_role(const LttBlock *block, guint32 i)
{
	return block->slots[block->records[i].id].role;
}

static guint64 get_total(const LttBlock *block, guint32 i, LttByteOrder order)
{
	return ltt_load_u64(block->bytes + block->records[i].offset + LTT_EVENT_HEADER_BYTES,
			    order);
}

static Head read_head(const LttBlock *block, LttByteOrder order)
{
	Head head = {FALSE, FALSE, 0};

	for (guint32 i = 0; i < block->n_events; i++) {
		switch (get_role(block, i)) {
		case LTT_ROLE_CLOCK:
			head.is_live = TRUE;
			break;
		case LTT_ROLE_EVENTS_LOST:
			head.has_total = TRUE;
			head.total = get_total(block, i, order);
			break;
		case LTT_ROLE_BLOCK_START:
		case LTT_ROLE_THREAD:
			break;
		default:
			return head;
		}
	}
	return head;
}

/* Returns: FALSE if there is no total in the block */
static gboolean find_last_total(const LttBlock *block, LttByteOrder order, guint64 *total)
{
	for (guint32 i = block->n_events; i > 0; i--) {
		if (get_role(block, i - 1) == LTT_ROLE_EVENTS_LOST) {
			*total = get_total(block, i - 1, order);
			return TRUE;
		}
	}
	return FALSE;
}

/* Returns: whether the recording of the file begins with its oldest block */
static gboolean is_whole(LttTracefile *tracefile)
{
	LttBlockEnds ends;

	ltt_tracefile_read_ends(tracefile, ltt_tracefile_get_ordered(tracefile, 0), &ends);
	return ends.has_start && ends.block_id == 0;
}

/* Returns: whether the tracer facility is loaded */
static gboolean has_totals(const LttTracefile *tracefile)
{
	return tracefile->trace->slots->has_threads ||
	       (tracefile->local_slots != NULL && tracefile->local_slots->has_threads);
}

static gboolean load(LttBlock *block, LttTracefile *tracefile, guint64 position)
{
	g_autoptr(GError) error = NULL;
	const gboolean is_loaded = ltt_block_load_untimed(block, tracefile, position, &error);

	ltt_tracefile_note_failure(tracefile, error);
	return is_loaded;
}

static guint64 search_back(LttBlock *block, LttTracefile *tracefile, guint64 position,
			   LttByteOrder order)
{
	guint64 total;

	while (position-- > 0) {
		if (load(block, tracefile, position) && find_last_total(block, order, &total))
			return total;
	}
	return 0;
}

LttLosses ltt_losses_before(LttTracefile *tracefile, guint64 position)
{
	const LttByteOrder order = ltt_system_get_arch(tracefile->trace->system)->byte_order;
	LttBlock block;
	Head head;
	LttLosses losses = {0, 0};

	if (position == 0 && is_whole(tracefile))
		return losses;
	ltt_block_init(&block);
	if (load(&block, tracefile, position) && has_totals(tracefile)) {
		head = read_head(&block, order);
		if (head.has_total)
			losses.before = head.total;
		else if (!head.is_live)
			losses.before = search_back(&block, tracefile, position, order);
	}
	ltt_block_clear(&block);
	return losses;
}
