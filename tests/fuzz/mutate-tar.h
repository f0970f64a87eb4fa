/* mutate-tar.h - change members of a tar archive, also of a compressed one. */
#ifndef MUTATE_TAR_H
#define MUTATE_TAR_H

#include <stddef.h>
#include <stdint.h>

/* Changes a field of a header, or the set of members. Unpacks gzip or zstd before, and packs the
 * result, possibly another way. Returns: the new size, at most @max_size */
size_t mutate_tar(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

#endif
