/* block-walk-priv.h - the state of a walk over a block, for those who want to hear of loads. */
#ifndef LTT_BLOCK_WALK_PRIV_H
#define LTT_BLOCK_WALK_PRIV_H

#ifndef LTT_BUILDING
#error "block-walk-priv.h is private to libltt"
#endif

#include "reader/block-priv.h"

typedef struct LttWalk LttWalk;

/* Told of a facility_load at @offset of the block under way; may add to the slots of the walk. */
typedef void (*LttLoadFunc)(LttWalk *walk, const char *name, guint32 checksum, guint32 base_code,
			    guint32 offset);

struct LttWalk {
	LttBlock *block;
	LttTracefile *tracefile;
	LttSlots *slots;
	GArray *local_loads; /* of LttLocalLoad; NULL: none are to be heeded */
	LttLoadFunc on_load; /* NULL: loads are passed over */
	gpointer user_data;

	LttByteOrder byte_order;
	gboolean is_dialect_22;
	guint32 end;         /* offset of the final word */
	guint32 last;        /* offset of the last event, as the final word says */
	gboolean is_bounded; /* that offset can be one */

	guint64 base_cycles; /* of the last time value */
	guint64 last_cycles; /* dialect 2.2: of the last event */
	LttEventRole last_role;
	gboolean met_unknown_id;
};

/* Reads the block at @position of the order and walks over it; block->times_ns is not set.
 * Returns: FALSE with LTT_ERROR_IO or LTT_ERROR_LIMIT */
gboolean ltt_block_walk(LttBlock *block, LttTracefile *tracefile, guint64 position, LttSlots *slots,
			GArray *local_loads, LttLoadFunc on_load, gpointer user_data,
			gboolean *met_unknown_id, GError **error);

#endif
