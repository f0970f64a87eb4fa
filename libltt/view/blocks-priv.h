/* blocks-priv.h - the coarse picture: what the headers of the blocks say before any event is read.
 *
 * A block has the times of its first and of its last event. How many events lie between them is
 * unknown; the estimate is that all blocks have the same number, evenly spaced.
 *
 *	block    |-- 1,000 --|      |----------- 1,000 -----------|
 *	bins      333 333 333         100 100 100 100 100 ... 100
 */
#ifndef LTT_VIEW_BLOCKS_PRIV_H
#define LTT_VIEW_BLOCKS_PRIV_H

#ifndef LTT_BUILDING
#error "view/blocks-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include <ltt/ltt-partition.h>

/* [from_ns, to_ns) in n bins of the same length. */
typedef struct LttViewBins {
	guint64 from_ns;
	guint64 to_ns;
	gsize n;
	guint64 *counts;
} LttViewBins;

/* Adds @n to the bin of a time; times outside the bins are ignored. */
void ltt_view_bins_add(const LttViewBins *bins, guint64 time_ns, guint64 n);

typedef struct LttViewBlocks {
	LttTrace *trace; /* borrowed */
	GArray *list;    /* of LttPartition, each a block with times */
} LttViewBlocks;

/* Reads the headers of all blocks. Returns: (transfer full): them */
LttViewBlocks *ltt_view_blocks_new(LttTrace *trace);
void ltt_view_blocks_free(LttViewBlocks *blocks); /* NULL is allowed and ignored */

/* Adds to each bin an estimate that is proportional to its number of events. */
void ltt_view_blocks_fill(const LttViewBlocks *blocks, const LttViewBins *bins);

/* As above for the blocks of a CPU of a member of a joined trace. */
void ltt_view_blocks_fill_cpu(const LttViewBlocks *blocks, guint member, gint cpu,
			      const LttViewBins *bins);

/* Returns: the number of blocks that overlap [@from_ns, @to_ns) */
guint64 ltt_view_blocks_count(const LttViewBlocks *blocks, guint64 from_ns, guint64 to_ns);

#endif
