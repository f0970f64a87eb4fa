/* next-block.h - where the next block of a tracefile is, and room for it.
 *
 * A file grows ahead of use, by as much as it has, so a small trace stays small. A flight recorder
 * gets all its blocks at once and goes round in them; in one half of the file while a snapshot
 * copies the other. Where there is a recorder, that allocates (keeper.h).
 */
#ifndef LTTP_NEXT_BLOCK_H
#define LTTP_NEXT_BLOCK_H

#include "session/sight.h"

/* Which block comes behind the current one, as lttp_file.current. @frozen: lttp_sight_frozen() */
uint64_t lttp_next_block_choose(const struct lttp_head *head, const struct lttp_sight *sight,
			uint64_t frozen);

/* Makes sure that slot @slot is allocated, with more ahead if that can be had. What has just failed
 * is not tried again at once. */
bool lttp_next_block_allocate(struct lttp_writer *writer, uint32_t slot, uint64_t now_cycles);

/* Maps the pages of a block that was never used: all at once costs less than one by one. False: the
 * file system has no room for them. */
bool lttp_next_block_populate(const struct lttp_head *head, char *block, uint64_t current);

#endif /* LTTP_NEXT_BLOCK_H */
