/* shelf-priv.h - keep blocks that cursors have left while their events are in use.
 *
 * An event of a cursor is lent until the next step, as the cursor decodes its next block into the
 * memory of the one before. A cursor with a shelf puts a block there instead, under the mark that
 * is set at the time, and takes one that is no longer needed.
 *
 *	mark 7   mark 7   mark 8 | free   free
 *	 block    block    block | block  block
 *	 ^ released with mark 7
 *
 * Used by one thread at a time.
 */
#ifndef LTT_SHELF_PRIV_H
#define LTT_SHELF_PRIV_H

#ifndef LTT_BUILDING
#error "shelf-priv.h is private to libltt"
#endif

#include "reader/block-priv.h"

typedef struct LttShelf LttShelf;

LttShelf *ltt_shelf_new(void);
void ltt_shelf_free(LttShelf *shelf); /* NULL is allowed and ignored */

/* Marks must not fall. */
void ltt_shelf_set_mark(LttShelf *shelf, guint64 mark);

/* Puts @block under the current mark and replaces it by a free one. @block_bytes: its size */
void ltt_shelf_exchange(LttShelf *shelf, LttBlock *block, guint64 block_bytes);

/* Frees the blocks that were put there under @mark or an earlier one for reuse. */
void ltt_shelf_release(LttShelf *shelf, guint64 mark);

/* Returns: bytes of all blocks that are not released */
gsize ltt_shelf_get_bytes(const LttShelf *shelf);

#endif
