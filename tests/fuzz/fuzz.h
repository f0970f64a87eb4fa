/* fuzz.h - what a fuzz target is: a function that is given any bytes, and must come back.
 *
 * Besides the sanitizers, which end the program when memory is misused, a target tests what must
 * hold whatever the bytes are, with FUZZ_ASSERT.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns: 0 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_ASSERT(condition)                                                                     \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

#endif
