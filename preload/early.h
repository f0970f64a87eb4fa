/* early.h - memory for allocations during the look-up of the allocator. */
#ifndef PRELOAD_EARLY_H
#define PRELOAD_EARLY_H

#include <stdbool.h>
#include <stddef.h>

/* Returns: zeroed memory of the greatest alignment of a type, which is never freed; NULL if there is
 * none left */
void *early_alloc(size_t size);

/* Whether the memory is of early_alloc(). */
bool early_is(const void *memory);

/* Returns: the number of bytes from @memory to the end of the early memory */
size_t early_rest(const void *memory);

#endif
