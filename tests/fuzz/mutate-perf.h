/* mutate-perf.h - change numbers of a perf recording. */
#ifndef MUTATE_PERF_H
#define MUTATE_PERF_H

#include <stddef.h>
#include <stdint.h>

/* Changes one thing in the recording of @size bytes: a number of the header, of an attr, of the
 * table of features or of a record, or which records there are. Else, and if this is no recording,
 * any bytes, as the fuzzer does.
 *
 * Returns: the bytes there are now, at most @max_size */
size_t mutate_perf(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

#endif
