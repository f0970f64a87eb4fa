/* block-bend-priv.h - time values of a block at the bends of a map of clocks. */
#ifndef LTT_BLOCK_BEND_PRIV_H
#define LTT_BLOCK_BEND_PRIV_H

#ifndef LTT_BUILDING
#error "reader/block-bend-priv.h is private to libltt"
#endif

#include "reader/block-priv.h"
#include "reader/clock-map-priv.h"

/**
 * ltt_block_bend:
 * @from: the last time value of the block so far, as it is in the file
 * @to: the next one
 * @n_events: events before @to
 *
 * Times of events are computed on a line between two time values. Where the map has a bend between
 * the two, adds a time value that is not in the file: with it, each line of the map has its own.
 * Adds none if the cycle counts of the events decrease, because a time value divides them in the
 * order of the file.
 */
void ltt_block_bend(LttBlock *block, const LttClockMap *map, const LttTimeValue *from,
		    const LttTimeValue *to, guint32 n_events);

#endif
