/* half.h - the two halves of a flight recorder's tracefile.
 *
 * A flight recorder overwrites its oldest block. Until the first snapshot, its file is one half
 * long. A snapshot doubles the file. The writer that passes the cut freezes its half and continues
 * in the other half, at the same position. So block N is always at position N modulo the length of
 * a half, in one of the halves, and writers continue while old blocks are copied:
 *
 *	         first half         second half
 *	     +----+----+----+----+----+----+----+----+
 *	     |  8 |  9 |  6 |  7 | -- | -- | -- | -- |    before the cut, in block 9
 *	     +----+----+----+----+----+----+----+----+
 *	     |  8 |  9 |  6 |  7 | -- | -- | 10 | -- |    first half frozen, writing block 10
 *	     +----+----+----+----+----+----+----+----+
 *	     |  8 |  9 | -- |  7 | -- | -- | 10 | -- |    after the copy: 10 replaces 6
 *	     +----+----+----+----+----+----+----+----+
 *
 * The file keeps no more events than before: the writer that begins block N clears block N minus
 * the length of a half in the other half, unless that is frozen. Thawing a half does this
 * afterwards.
 */
#ifndef LTTP_HALF_H
#define LTTP_HALF_H

#include "session/session.h"

#include <stdbool.h>

/* Allocates the second half of tracefile @number, which has a block. Returns: 0 or -errno */
int lttp_half_make(struct lttp_session *session, uint32_t number);

/* Whether the file has a second half. */
bool lttp_half_is_made(const struct lttp_session *session, const struct lttp_file *file);

/* Opens the frozen half of a tracefile, if there is one, to writers. Only one process may call it
 * at a time. */
void lttp_half_thaw(struct lttp_session *session, uint32_t number);

/* Moves the blocks of the second half back to the first one and truncates the file, when no process
 * writes. A failure leaves a valid file. */
void lttp_half_join(struct lttp_session *session, uint32_t number);

/* The same position in the other half. */
static inline uint32_t lttp_half_other(const struct lttp_head *head, uint32_t slot)
{
	return slot < head->flight_blocks ? slot + head->flight_blocks : slot - head->flight_blocks;
}

#endif /* LTTP_HALF_H */
