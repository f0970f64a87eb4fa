/* block-priv.h - a block in memory, taken apart into arrays.
 *
 * A block is decoded at once: one walk finds where each event lies and what it is, one pass over
 * each stretch between two time values gives the times. A cursor then only counts up an index.
 */
#ifndef LTT_BLOCK_PRIV_H
#define LTT_BLOCK_PRIV_H

#ifndef LTT_BUILDING
#error "block-priv.h is private to libltt; use <ltt/ltt-cursor.h>"
#endif

#include "model/ondisk-priv.h"
#include "reader/tracefile-priv.h"

#include <ltt/ltt-event.h>

/* From event number first on, the thread is known. */
typedef struct LttThreadChange {
	guint32 first;
	guint32 pid;
	guint32 tid;
} LttThreadChange;

/* An event that a walk has found. */
typedef struct LttRecord {
	guint32 offset; /* in the block */
	guint16 id;
} LttRecord;

/* Bytes behind a block that may be read, so that strings can be copied by vectors. */
#define LTT_BLOCK_SLACK_BYTES 32

typedef struct LttBlock {
	guint8 *bytes;        /* owned; block_bytes of the trace, and LTT_BLOCK_SLACK_BYTES */
	guint64 place;        /* of the block in its file */
	guint64 position;     /* and in the order of reading */
	const LttSlot *slots; /* by id: all of the block have one */

	guint32 n_events;
	guint32 capacity;
	LttRecord *records; /* n_events + 1: the last has the end of the last event */
	guint64 *cycles;
	guint64 *times_ns;    /* one more than there are events may be loaded, not used */
	GArray *stamps;       /* of LttTimeValue: those of the block, in order */
	GArray *stamp_events; /* of guint32: the event that each stands in */
	GArray *threads;      /* of LttThreadChange */
	LttRate clock_rate;   /* of the last tracer.clock; none: dc_cycles 0 */

	gboolean rests_on_system; /* what its system.xml says of cycles gives the last events their
				     times */
	gboolean is_open;         /* the last event is no block_end */
	char *damage;             /* what is wrong; NULL: nothing is */
	guint32 damage_byte;      /* where */
} LttBlock;

void ltt_block_init(LttBlock *block);
void ltt_block_clear(LttBlock *block);

/* Reads and decodes the block that comes @position-th in @tracefile. Damage is no failure: the
 * events before it are there and block->damage says what it is. Returns: FALSE with LTT_ERROR_IO,
 * or LTT_ERROR_LIMIT if there is no memory for a block */
gboolean ltt_block_load(LttBlock *block, LttTracefile *tracefile, guint64 position, GError **error);

/* As ltt_block_load(), for a thread that works ahead of the one that reads: does not look beyond
 * the block, and notes nothing. Returns: FALSE where that would be needed, or where it failed; then
 * what is in @block is not to be used */
gboolean ltt_block_try_load(LttBlock *block, LttTracefile *tracefile, guint64 position);

/* As ltt_block_load(), but without times: for what needs the events of a block only. */
gboolean ltt_block_load_untimed(LttBlock *block, LttTracefile *tracefile, guint64 position,
				GError **error);

/* Fills in what event number @i, whose slot is @slot, is. Where it is and who traced it stays. */
static inline void ltt_block_fill_event(const LttBlock *block, guint32 i, const LttSlot *slot,
					LttEvent *event)
{
	const LttRecord *record = &block->records[i];
	const guint32 offset = record->offset;

	event->time_ns = block->times_ns[i];
	event->cycles = block->cycles[i];
	event->type = slot->type;
	event->layout = slot->layout;
	event->role = slot->role;
	event->id = record->id;
	event->offset_bytes = offset;
	event->payload = block->bytes + offset + LTT_EVENT_HEADER_BYTES;
	event->payload_bytes = record[1].offset - offset - (guint32)LTT_EVENT_HEADER_BYTES;
}

/* Returns: from block_start to the last time value; none if there is no other one */
LttRate ltt_block_get_rate(const LttBlock *block);

#endif
