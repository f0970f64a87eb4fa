/* order-priv.h - the order of the blocks of a tracefile. */
#ifndef LTT_ORDER_PRIV_H
#define LTT_ORDER_PRIV_H

#ifndef LTT_BUILDING
#error "order-priv.h is private to libltt"
#endif

#include "reader/clock-priv.h"

#include <ltt/ltt-trace.h>

/* How reliably the order of the blocks is known. */
typedef enum LttOrderDepth {
	LTT_ORDER_UNKNOWN,
	LTT_ORDER_SAMPLED,  /* from samples of a large file, all of which match */
	LTT_ORDER_THOROUGH, /* from every block */
} LttOrderDepth;

/* The used blocks, oldest first. In the file they are sorted, rotated (as a flight recorder leaves
 * them), or in any order. */
typedef struct LttOrder {
	LttOrderDepth depth;
	guint64 n_blocks; /* used blocks */
	guint64 rotation; /* place of the first; the others follow it and wrap around to 0 */
	GArray *places;   /* of guint64; NULL: rotation gives the order */
	gboolean rises;   /* begin and end times of the blocks never decrease */
	GArray *open; /* of guint64: positions of incomplete blocks, whose times are unknown until
		       * they are decoded; in a sampled file, those found by the samples
		       */
	gboolean is_scanned; /* the ends of all blocks were read: the two below are known */
	guint64 first_ns; /* time range of the complete blocks; without any, first_ns > last_ns */
	guint64 last_ns;
} LttOrder;

/* Determines the order, at least to @depth. The two functions below call this with
 * LTT_ORDER_THOROUGH if necessary. */
void ltt_tracefile_need_order(LttTracefile *tracefile, LttOrderDepth depth);

/* Return: the number of used blocks, and the place in the file of the block at @position */
guint64 ltt_tracefile_get_n_ordered(LttTracefile *tracefile);
guint64 ltt_tracefile_get_ordered(LttTracefile *tracefile, guint64 position);

/* Finds the positions, from @first up to, not including, @end, of the blocks that may hold events
 * of [@from_ns, @to_ns). If the times of the blocks are not sorted, that is all blocks. Reads the
 * ends of some blocks only. */
void ltt_tracefile_find_window(LttTracefile *tracefile, guint64 from_ns, guint64 to_ns,
			       guint64 *first, guint64 *end);

/* Finds the next block to read, from @position on, for a window found as @first and @end. That is a
 * block between them, or an incomplete block, whose clock may jump to any time. Returns: its
 * position; the number of blocks if there is none */
guint64 ltt_tracefile_next_in_window(const LttTracefile *tracefile, guint64 first, guint64 end,
				     guint64 position);

#endif
