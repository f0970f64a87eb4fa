/* mutate-blocks.h - change events and blocks of a tracefile. */
#ifndef MUTATE_BLOCKS_H
#define MUTATE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/* Changes one item in the tracefile that follows @n_head bytes: an id, a delta, a time value, a
 * payload, a final word, or the set of events or blocks. The first byte selects the sample trace and
 * the file as in altered.h; its facilities and block size are those of the tracefile.
 *
 * Returns: the new size, at most @max_size */
size_t mutate_blocks(uint8_t *data, size_t size, size_t max_size, unsigned int seed, size_t n_head);

#endif
