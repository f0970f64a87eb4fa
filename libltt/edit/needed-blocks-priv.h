/* needed-blocks-priv.h - the blocks with events that later parts of a trace keep.
 *
 * A part of a trace keeps naming events from before its window (needed.c). To read all blocks before
 * each of thousands of parts takes long, so the trace is read once, and then a part reads only these
 * blocks and those of its window.
 */
#ifndef LTT_NEEDED_BLOCKS_PRIV_H
#define LTT_NEEDED_BLOCKS_PRIV_H

#ifndef LTT_BUILDING
#error "edit/needed-blocks-priv.h is private to libltt"
#endif

#include "reader/trace-priv.h"

#include <ltt/ltt-job.h>

typedef struct LttNeededBlocks LttNeededBlocks;

/* Reads the trace, unless system.xml names no such events. @callbacks: for its progress in blocks.
 * Returns: (transfer full): NULL with LTT_ERROR_CANCELLED */
LttNeededBlocks *ltt_needed_blocks_new(LttTrace *trace, const LttJobCallbacks *callbacks,
				       GError **error);
void ltt_needed_blocks_free(LttNeededBlocks *blocks); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttNeededBlocks, ltt_needed_blocks_free)

/* Returns: the first position from @position on, in the order of the tracefile, of such a block; G_MAXUINT64
 *   if there is none */
guint64 ltt_needed_blocks_next(const LttNeededBlocks *blocks, const LttTracefile *tracefile,
			       guint64 position);

#endif
