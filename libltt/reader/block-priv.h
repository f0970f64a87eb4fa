/* block-priv.h - a block in memory, decoded into arrays.
 *
 * A block is decoded as a whole: one walk finds the offset and type of each event, and one pass
 * over each interval between two time values computes the times. A cursor then only increments an
 * index.
 */
#ifndef LTT_BLOCK_PRIV_H
#define LTT_BLOCK_PRIV_H

#ifndef LTT_BUILDING
#error "block-priv.h is private to libltt; use <ltt/ltt-cursor.h>"
#endif

#include "model/ondisk-priv.h"
#include "reader/tracefile-priv.h"

#include <ltt/ltt-event.h>

/* The thread of the events from number `first` on. */
typedef struct LttThreadChange {
	guint32 first;
	guint32 pid;
	guint32 tid;
} LttThreadChange;

/* An event found by a walk. */
typedef struct LttRecord {
	guint32 offset; /* in the block */
	guint16 id;
} LttRecord;

/* Readable bytes after a block, so that vector instructions can copy strings. */
#define LTT_BLOCK_SLACK_BYTES 32

typedef struct LttBlock {
	guint8 *bytes;        /* owned; n_bytes, and LTT_BLOCK_SLACK_BYTES */
	guint64 n_bytes;      /* block_bytes of the trace read last */
	guint64 place;        /* of the block in its file */
	guint64 position;     /* its index in reading order */
	const LttSlot *slots; /* by id; every event of the block has one */
	guint n_slots;

	guint32 n_events;
	guint32 capacity;
	LttRecord *records; /* n_events + 1: the last has the end of the last event */
	guint64 *cycles;
	guint64 *times_ns;    /* index n_events may be read, but its value is not used */
	GArray *stamps;       /* of LttTimeValue: those of the block, in order */
	GArray *stamp_events; /* of guint32: the index of the event of each time value */
	GArray *threads;      /* of LttThreadChange */
	LttRate clock_rate;   /* of the last tracer.clock; none: dc_cycles 0 */

	gboolean rests_on_system; /* the last events get their times from the cycle rate in
				   * system.xml */
	gboolean is_beyond;       /* moving a trace in time moves a time value out of range */
	gboolean is_open;         /* the last event is not a block_end */
	char *damage;             /* message; NULL: undamaged */
	guint32 damage_byte;      /* offset of the damage */
} LttBlock;

void ltt_block_init(LttBlock *block);
void ltt_block_clear(LttBlock *block);

/* Reads and decodes the block at @position in the order of @tracefile. Damage is not a failure: the
 * block contains the events before it, and block->damage describes it. Returns: FALSE with
 * LTT_ERROR_IO, or LTT_ERROR_LIMIT if out of memory */
gboolean ltt_block_load(LttBlock *block, LttTracefile *tracefile, guint64 position, GError **error);

/* Like ltt_block_load(), for a read-ahead thread: reads no other block and caches nothing. Returns:
 * FALSE if another block is needed, or on failure; @block is then invalid */
gboolean ltt_block_try_load(LttBlock *block, LttTracefile *tracefile, guint64 position);

/* Like ltt_block_load(), but does not compute times, and does not clamp the time values. */
gboolean ltt_block_load_untimed(LttBlock *block, LttTracefile *tracefile, guint64 position,
				GError **error);

/* Sets the type, time and payload of @event to those of event number @i, whose slot is @slot. Does
 * not change its tracefile and thread. */
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

/* Returns: the rate from block_start to the last time value; no rate if block_start is the only
 * one */
LttRate ltt_block_get_rate(const LttBlock *block);

#endif
