/* order-priv.h - the order of the blocks of a tracefile, and their first and last
 * events. */
#ifndef LTT_ORDER_PRIV_H
#define LTT_ORDER_PRIV_H

#ifndef LTT_BUILDING
#error "order-priv.h is private to libltt"
#endif

#include "reader/clock-priv.h"

#include <ltt/ltt-trace.h>

/* How far the order of a file's blocks is known. */
typedef enum LttOrderDepth {
	LTT_ORDER_UNKNOWN,
	LTT_ORDER_SAMPLED,  /* from places of a large file, all of which fit */
	LTT_ORDER_THOROUGH, /* from every block */
} LttOrderDepth;

/* The blocks that hold something, oldest first: they lie as they should, or turned round by some
 * blocks as a flight recorder leaves them, or in any order at all. */
typedef struct LttOrder {
	LttOrderDepth depth;
	guint64 n_blocks; /* that hold something */
	guint64 rotation; /* place of the first; the others follow it and go on at 0 */
	GArray *places;   /* of guint64; NULL: rotation says it all */
	gboolean rises;   /* no block begins or ends before the one in front of it does */
	GArray *open; /* of guint64: positions of those that are not complete, so that their times
		       * are not known without reading them; of a sampled file those that were met
		       */
} LttOrder;

/* The header and trailer fields of a block. */
typedef struct LttBlockEnds {
	gboolean is_used;   /* it holds something */
	gboolean has_start; /* it begins with a block_start: */
	guint32 block_id;
	LttTimeValue start;
	gboolean is_complete; /* the final word names a block_end: */
	LttTimeValue end;
} LttBlockEnds;

/* Reads both ends of the block at @place. A block that cannot be read counts as used
 * and without a start: whoever reads it gets the error. */
void ltt_tracefile_read_ends(const LttTracefile *tracefile, guint64 place, LttBlockEnds *ends);

/* Finds out the order, at least to @depth. Done at need with LTT_ORDER_THOROUGH by
 * the two below. */
void ltt_tracefile_need_order(LttTracefile *tracefile, LttOrderDepth depth);

/* How many blocks hold something, and the place in the file of the one that comes @position-th. */
guint64 ltt_tracefile_get_n_ordered(LttTracefile *tracefile);
guint64 ltt_tracefile_get_ordered(LttTracefile *tracefile, guint64 position);

/* The positions, from @first up to and without @end, of the blocks that may hold events of
 * [@from_ns, @to_ns). All of them where the times of the blocks do not rise. Reads the ends of some
 * blocks only. */
void ltt_tracefile_find_window(LttTracefile *tracefile, guint64 from_ns, guint64 to_ns,
			       guint64 *first, guint64 *end);

/* The least position from @position on that has to be read for a window found as @first and @end:
 * one between them, or one of a block that is not complete, inside which the clock may have been
 * set anywhere. Returns: the number of blocks if there is none */
guint64 ltt_tracefile_next_in_window(const LttTracefile *tracefile, guint64 first, guint64 end,
				     guint64 position);

#endif
