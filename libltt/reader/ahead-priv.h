/* ahead-priv.h - blocks that another thread decodes before they are needed.
 *
 * Each cursor of a merge has a place for its next block. One thread fills them in the order in
 * which they were asked for; whoever needs a block that is not begun yet decodes it himself, and
 * whoever has to wait for one decodes another meanwhile. So what comes out is the same as without,
 * and two processors read faster than one.
 */
#ifndef LTT_AHEAD_PRIV_H
#define LTT_AHEAD_PRIV_H

#ifndef LTT_BUILDING
#error "ahead-priv.h is private to libltt"
#endif

#include "reader/block-priv.h"

/* The thread. */
typedef struct LttAhead LttAhead;

typedef enum LttAheadState {
	LTT_AHEAD_NOTHING, /* asked for, or not worth anything */
	LTT_AHEAD_WAITS,
	LTT_AHEAD_BEGUN,
	LTT_AHEAD_DONE,
} LttAheadState;

/* The place for a block. All but `tracefile` is the thread's while the state is BEGUN. */
typedef struct LttAheadBlock {
	LttTracefile *tracefile; /* borrowed */
	LttAheadState state;
	guint64 position;
	LttBlock block;
} LttAheadBlock;

void ltt_ahead_block_init(LttAheadBlock *place, LttTracefile *tracefile);
void ltt_ahead_block_clear(LttAheadBlock *place); /* no thread may know of it any more */

/* Returns: (transfer full) (nullable): NULL: no thread can be started */
LttAhead *ltt_ahead_new(void);

/* Ends the thread. It forgets all places. */
void ltt_ahead_free(LttAhead *ahead);

/* Asks for the block that comes @position-th in the file, which exists. What was in the place is
 * given up. */
void ltt_ahead_ask(LttAhead *ahead, LttAheadBlock *place, guint64 position);

/* Exchanges @block for the one that comes @position-th, if that was asked for and begun. Waits for
 * its end. Returns: FALSE if the caller has to load it himself */
gboolean ltt_ahead_take(LttAhead *ahead, LttAheadBlock *place, guint64 position, LttBlock *block);

#endif
