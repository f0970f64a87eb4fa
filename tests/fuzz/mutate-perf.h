/* mutate-perf.h - change numbers of a perf recording. */
#ifndef MUTATE_PERF_H
#define MUTATE_PERF_H

#include <stddef.h>
#include <stdint.h>

/* Changes one item in the recording of @size bytes: a number in the header, an attr, the table of
 * features or a record, or the set of records. Otherwise, and if the input is not a recording,
 * changes any bytes like the fuzzer.
 *
 * Returns: the new size, at most @max_size */
size_t mutate_perf(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

#endif
