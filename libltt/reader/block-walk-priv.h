/* block-walk-priv.h - the state of a walk over a block, shared by the files that walk. */
#ifndef LTT_BLOCK_WALK_PRIV_H
#define LTT_BLOCK_WALK_PRIV_H

#ifndef LTT_BUILDING
#error "block-walk-priv.h is private to libltt"
#endif

#include "reader/block-priv.h"

typedef struct LttWalk LttWalk;

/* Called for each facility_load, at @offset of the current block; may add to the slots of the
 * walk. */
typedef void (*LttLoadFunc)(LttWalk *walk, const char *name, guint32 checksum, guint32 base_code,
			    guint32 offset);

struct LttWalk {
	LttBlock *block;
	LttTracefile *tracefile;
	LttSlots *slots;
	GArray *local_loads; /* of LttLocalLoad; NULL: no local loads apply */
	LttLoadFunc on_load; /* NULL: loads are skipped */
	gpointer user_data;

	LttByteOrder byte_order;
	gboolean is_dialect_22;
	guint32 end;         /* offset of the final word */
	guint32 last;        /* offset of the last event, from the final word */
	gboolean is_bounded; /* `last` is a possible offset */

	guint64 base_cycles;     /* of the last time value */
	LttTimeValue last_stamp; /* the last time value, as it is in the file */
	guint64 last_cycles;     /* dialect 2.2: of the last event */
	LttEventRole last_role;
	gboolean met_unknown; /* an id or a load that the slots do not have */
};

/* Grows the arrays of a block. Returns: FALSE if out of memory */
gboolean ltt_block_grow(LttBlock *block);

/* Records the damage of a block and its offset. */
void ltt_block_set_damage(LttBlock *block, guint32 byte, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Reads the bytes of the block at @position of the order, and resets the results of earlier blocks.
 * Returns: FALSE with LTT_ERROR_IO or LTT_ERROR_LIMIT */
gboolean ltt_block_read(LttBlock *block, LttTracefile *tracefile, guint64 position, GError **error);

/* Checks that an event with a role is allowed at @offset. Returns: FALSE, with the damage noted, if
 * it is not */
gboolean ltt_walk_may_stand(LttWalk *walk, const LttSlot *slot, guint32 offset, guint32 size);

/* Handles event number @event of the block according to its role. May reallocate the slots. */
void ltt_walk_take_special(LttWalk *walk, const LttSlot *slot, guint32 event, guint32 offset,
			   guint32 size);

/* Reads the block at @position of the order and walks over it; block->times_ns is not set.
 * @met_unknown: (out): whether the block has an id, or a load, that @slots do not have; ids of loads
 *   in @local_loads are unknown up to the load.
 * Returns: FALSE with LTT_ERROR_IO or LTT_ERROR_LIMIT */
gboolean ltt_block_walk(LttBlock *block, LttTracefile *tracefile, guint64 position, LttSlots *slots,
			GArray *local_loads, LttLoadFunc on_load, gpointer user_data,
			gboolean *met_unknown, GError **error);

#endif
