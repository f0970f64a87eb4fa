/* shelf-priv.h - keep blocks that cursors have left while their events are in use.
 *
 * An event of a cursor is valid until the next step, because the cursor decodes its next block into
 * the same memory. A cursor with a shelf puts the old block on the shelf instead, under the current
 * mark, and takes a free one.
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

/* Sets the current mark. Marks must not decrease. */
void ltt_shelf_set_mark(LttShelf *shelf, guint64 mark);

/* Stores @block under the current mark and replaces it by a free one. @block_bytes: its size */
void ltt_shelf_exchange(LttShelf *shelf, LttBlock *block, guint64 block_bytes);

/* Releases the blocks under @mark or earlier ones for reuse. */
void ltt_shelf_release(LttShelf *shelf, guint64 mark);

/* Returns: the size in bytes of all blocks not released */
gsize ltt_shelf_get_bytes(const LttShelf *shelf);

#endif
