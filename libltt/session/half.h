/* half.h - the two halves of a flight recorder's tracefile.
 *
 * The blocks of a flight recorder are written round and round in the first half of their file,
 * which is all of it until somebody takes a snapshot. For that the file is made twice as long, and
 * whoever passes the cut leaves the half that he is in as it is, frozen, and goes on in the other:
 * in the same positions, so that the block with id N always stands in position N modulo the length
 * of a half, in one half or the other. So nobody has to be kept from writing while old blocks are
 * copied.
 *
 * No more is kept for that. Who begins block N clears N minus the length in the other half, unless
 * that is frozen; and for a half that was frozen it is made up for when it is thawed.
 */
#ifndef LTTP_HALF_H
#define LTTP_HALF_H

#include "session/session.h"

#include <stdbool.h>

/* Gives tracefile @number, which has a block, its second half. -errno */
int lttp_half_make(struct lttp_session *session, uint32_t number);

/* Whether it has one. */
bool lttp_half_is_made(const struct lttp_session *session, const struct lttp_file *file);

/* Lets writers into the frozen half of a tracefile again, if there is one. Not for two at a time.
 */
void lttp_half_thaw(struct lttp_session *session, uint32_t number);

/* Moves what is in the second half back into the first and cuts that off, when nobody writes any
 * more. What cannot be done leaves the file good as it is. */
void lttp_half_join(struct lttp_session *session, uint32_t number);

/* The same position in the other half. */
static inline uint32_t lttp_half_other(const struct lttp_head *head, uint32_t slot)
{
	return slot < head->flight_blocks ? slot + head->flight_blocks : slot - head->flight_blocks;
}

#endif /* LTTP_HALF_H */
