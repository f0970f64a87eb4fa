/* ahead-priv.h - a thread that decodes blocks before a cursor needs them.
 *
 * Each cursor of a merge has a slot for its next block. One thread decodes the requested blocks in
 * the order of the requests. If the reader needs a block that the thread has not begun, it decodes
 * the block itself. While it waits for a block, it decodes another one. The events are the same as
 * without the thread, and two CPUs read faster than one.
 */
#ifndef LTT_AHEAD_PRIV_H
#define LTT_AHEAD_PRIV_H

#ifndef LTT_BUILDING
#error "ahead-priv.h is private to libltt"
#endif

#include "reader/block-priv.h"

typedef struct LttAhead LttAhead;

typedef enum LttAheadState {
	LTT_AHEAD_NOTHING, /* not requested, or without a valid block */
	LTT_AHEAD_WAITS,
	LTT_AHEAD_BEGUN,
	LTT_AHEAD_DONE,
} LttAheadState;

/* The slot of a cursor. While the state is BEGUN, all members but `tracefile` belong to the
 * thread. */
typedef struct LttAheadBlock {
	LttTracefile *tracefile; /* borrowed */
	LttAheadState state;
	guint64 position;
	LttBlock block;
} LttAheadBlock;

void ltt_ahead_block_init(LttAheadBlock *place, LttTracefile *tracefile);
void ltt_ahead_block_clear(LttAheadBlock *place); /* no thread may use the slot */

/* Returns: (transfer full) (nullable): NULL if no thread can be started */
LttAhead *ltt_ahead_new(void);

/* Ends the thread and drops all requests. */
void ltt_ahead_free(LttAhead *ahead);

/* Requests the existing block at @position in the order of the file. Discards the previous block in
 * the slot. */
void ltt_ahead_ask(LttAhead *ahead, LttAheadBlock *place, guint64 position);

/* Exchanges @block for the one at @position, if it was requested and begun. Waits until it is
 * decoded. Returns: FALSE if the caller must load the block itself */
gboolean ltt_ahead_take(LttAhead *ahead, LttAheadBlock *place, guint64 position, LttBlock *block);

#endif
