/* malloc.c - records what the program allocates and frees.
 *
 * An allocation is recorded after it, and a block before it is freed, so that in the order of time a
 * block is always freed before its address is allocated again, in other threads, too. For the same
 * reason realloc() is the end of a block and the begin of another one.
 */
#define _GNU_SOURCE
#include "code.h"
#include "early.h"
#include "malloc-trace.h"
#include "next.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

NEXT_VARIABLE(malloc);
NEXT_VARIABLE(calloc);
NEXT_VARIABLE(realloc);
NEXT_VARIABLE(free);
NEXT_VARIABLE(aligned_alloc);
NEXT_VARIABLE(posix_memalign);
NEXT_VARIABLE(memalign);
NEXT_VARIABLE(valloc);
NEXT_VARIABLE(pvalloc);
NEXT_VARIABLE(malloc_usable_size);

typedef enum malloc_alloc_function Function;

/* ---- events ---- */

static void record_failure(size_t size, Function function, uint64_t caller)
{
	trace_malloc_failed(size, (enum malloc_failed_function)function, caller);
}

static inline void *record_alloc(void *block, size_t size, Function function, uint64_t caller)
{
	if (!trace_malloc_alloc_enabled())
		return block;
	code_note(caller);
	if (block != NULL)
		trace_malloc_alloc((uintptr_t)block, size, function, caller);
	else
		record_failure(size, function, caller);
	return block;
}

static inline void record_free(const void *block, enum malloc_free_function function,
			       uint64_t caller)
{
	if (block == NULL || !trace_malloc_free_enabled())
		return;
	code_note(caller);
	trace_malloc_free((uintptr_t)block, function, caller);
}

/* ---- the functions ---- */

/* Returns: the product, or SIZE_MAX, which cannot be allocated, if it is larger */
static size_t multiply(size_t n, size_t size)
{
	size_t bytes;

	return __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes;
}

PRELOAD_EXPORT void *malloc(size_t size)
{
	__typeof__(malloc) *next = NEXT(malloc);

	if (next == NULL)
		return early_alloc(size);
	return record_alloc(next(size), size, malloc_alloc_function_malloc, PRELOAD_CALLER());
}

PRELOAD_EXPORT void *calloc(size_t n, size_t size)
{
	__typeof__(calloc) *next = NEXT(calloc);
	const size_t bytes = multiply(n, size);
	void *block;

	if (next == NULL)
		return early_alloc(bytes);
	block = next(n, size);
	return record_alloc(block, bytes, malloc_alloc_function_calloc, PRELOAD_CALLER());
}

PRELOAD_EXPORT void free(void *block)
{
	__typeof__(free) *next;

	if (early_is(block))
		return;
	record_free(block, malloc_free_function_free, PRELOAD_CALLER());
	next = NEXT(free);
	if (next != NULL)
		next(block);
}

/* Moves a block out of the early memory, which does not record sizes. */
static void *move_early(const void *block, size_t size)
{
	__typeof__(malloc) *next = NEXT(malloc);
	void *moved = next != NULL ? next(size) : early_alloc(size);

	if (moved != NULL)
		memcpy(moved, block, size < early_rest(block) ? size : early_rest(block));
	return moved;
}

/* A block that could not be reallocated remains allocated. */
static void record_kept(void *block, size_t size, uint64_t caller)
{
	record_failure(size, malloc_alloc_function_realloc, caller);
	trace_malloc_alloc((uintptr_t)block, NEXT(malloc_usable_size)(block),
			   malloc_alloc_function_realloc, caller);
}

static void *reallocate(void *block, size_t size, uint64_t caller)
{
	__typeof__(realloc) *next;
	void *moved;

	if (early_is(block))
		return record_alloc(move_early(block, size), size, malloc_alloc_function_realloc,
				    caller);
	record_free(block, malloc_free_function_realloc, caller);
	next = NEXT(realloc);
	moved = next != NULL ? next(block, size) : early_alloc(size);
	if (moved != NULL || block == NULL)
		record_alloc(moved, size, malloc_alloc_function_realloc, caller);
	else if (size != 0 && trace_malloc_alloc_enabled())
		record_kept(block, size, caller);
	return moved;
}

PRELOAD_EXPORT void *realloc(void *block, size_t size)
{
	return reallocate(block, size, PRELOAD_CALLER());
}

PRELOAD_EXPORT void *reallocarray(void *block, size_t n, size_t size)
{
	return reallocate(block, multiply(n, size), PRELOAD_CALLER());
}

PRELOAD_EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return record_alloc(NEXT(aligned_alloc)(alignment, size), size,
			    malloc_alloc_function_aligned_alloc, PRELOAD_CALLER());
}

PRELOAD_EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
	const int result = NEXT(posix_memalign)(block, alignment, size);

	record_alloc(result == 0 ? *block : NULL, size, malloc_alloc_function_posix_memalign,
		     PRELOAD_CALLER());
	return result;
}

PRELOAD_EXPORT void *memalign(size_t alignment, size_t size)
{
	return record_alloc(NEXT(memalign)(alignment, size), size, malloc_alloc_function_memalign,
			    PRELOAD_CALLER());
}

PRELOAD_EXPORT void *valloc(size_t size)
{
	return record_alloc(NEXT(valloc)(size), size, malloc_alloc_function_valloc,
			    PRELOAD_CALLER());
}

PRELOAD_EXPORT void *pvalloc(size_t size)
{
	return record_alloc(NEXT(pvalloc)(size), size, malloc_alloc_function_pvalloc,
			    PRELOAD_CALLER());
}
