/* own.c - the calls of the probe in this library, which are not events of the program.
 *
 * The library is linked with --wrap for each of these functions: where the probe calls NAME(), it calls
 * __wrap_NAME(), which calls the next definition.
 */
#define _GNU_SOURCE
#include "own.h"

#include "early.h"
#include "next.h"

#include <pthread.h>
#include <stdlib.h>

NEXT_VARIABLE(malloc);
NEXT_VARIABLE(calloc);
NEXT_VARIABLE(free);
NEXT_VARIABLE(pthread_mutex_lock);

void *__wrap_malloc(size_t size)
{
	return NEXT(malloc)(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return NEXT(calloc)(n, size);
}

void __wrap_free(void *block)
{
	if (!early_is(block))
		NEXT(free)(block);
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
	return NEXT(pthread_mutex_lock)(lock);
}
