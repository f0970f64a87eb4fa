/* next-block.h - choose and allocate the next block of a tracefile.
 *
 * A file grows in advance, by its own length, so a small trace stays small. A flight recorder gets
 * all its blocks at once and reuses them, those of one half while a snapshot copies the other
 * (half.h). If there is a recorder, it allocates (keeper.h).
 */
#ifndef LTTP_NEXT_BLOCK_H
#define LTTP_NEXT_BLOCK_H

#include "session/sight.h"

/* Returns: the block after the current one, in the form of lttp_file.current. @frozen:
 * lttp_sight_frozen() */
uint64_t lttp_next_block_choose(const struct lttp_head *head, const struct lttp_sight *sight,
				uint64_t frozen);

/* Ensures that slot @slot is allocated, and more in advance if possible. After a failure it waits a
 * while before the next attempt. Returns: false on failure, with writer->loss */
bool lttp_next_block_allocate(struct lttp_writer *writer, uint32_t slot, uint64_t now_cycles);

/* Maps all pages of a new block at once, which is cheaper than one by one. Returns: false if the
 * file system has no space */
bool lttp_next_block_populate(const struct lttp_head *head, char *block, uint64_t current);

#endif /* LTTP_NEXT_BLOCK_H */
