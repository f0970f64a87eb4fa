/* own.h - see own.c. */
#ifndef PRELOAD_OWN_H
#define PRELOAD_OWN_H

#include <pthread.h>
#include <stddef.h>

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void __wrap_free(void *block);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);

#endif
