/* glib.c - the locks of GLib, as ThreadSanitizer has to see them.
 *
 * GMutex, GCond and the counters of references call the kernel or change memory inside GLib, which is not built
 * with the sanitizer. Without these wrappers it would report each access that one of them protects. The linker
 * replaces calls of NAME by __wrap_NAME (--wrap in SConscript), which announces the operation and calls the
 * function of GLib:
 *
 *	caller ---> __wrap_g_mutex_lock() ---> __real_g_mutex_lock(), in GLib
 *	                    `---> __tsan_mutex_post_lock(): what was unlocked before happened before
 *
 * This file is not built with the sanitizer either, because it reads variables of GLib.
 *
 * GRecMutex, GThread and g_atomic_*() need none: they are locks of POSIX, or builtins of the compiler.
 *
 * With LTT_TSAN_UNTOLD in the environment, nothing is announced, as if the code took no lock. The sanitizer must then
 * report each command that shares data between threads. This shows that it watches these data.
 */
#include <glib.h>
#include <sanitizer/tsan_interface.h>
#include <stdlib.h>

/* NAME as GLib defines it, and what the linker calls instead. */
#define WRAPPED(type, name, ...)                                                                   \
	type __real_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__)

/* Set before main(). */
static gboolean is_untold;

static void __attribute__((constructor)) look(void)
{
	is_untold = getenv("LTT_TSAN_UNTOLD") != NULL;
}

static void acquire(volatile void *at)
{
	if (!is_untold)
		__tsan_acquire((void *)at);
}

static void release(volatile void *at)
{
	if (!is_untold)
		__tsan_release((void *)at);
}

static void begin_lock(GMutex *mutex)
{
	if (!is_untold)
		__tsan_mutex_pre_lock(mutex, 0);
}

static void end_lock(GMutex *mutex)
{
	if (!is_untold)
		__tsan_mutex_post_lock(mutex, 0, 0);
}

static void begin_unlock(GMutex *mutex)
{
	if (!is_untold)
		__tsan_mutex_pre_unlock(mutex, 0);
}

static void end_unlock(GMutex *mutex)
{
	if (!is_untold)
		__tsan_mutex_post_unlock(mutex, 0);
}

WRAPPED(void, g_mutex_lock, GMutex *mutex)
{
	begin_lock(mutex);
	__real_g_mutex_lock(mutex);
	end_lock(mutex);
}

WRAPPED(void, g_mutex_unlock, GMutex *mutex)
{
	begin_unlock(mutex);
	__real_g_mutex_unlock(mutex);
	end_unlock(mutex);
}

WRAPPED(void, g_mutex_clear, GMutex *mutex)
{
	__real_g_mutex_clear(mutex);
	if (!is_untold)
		__tsan_mutex_destroy(mutex, __tsan_mutex_linker_init);
}

WRAPPED(void, g_cond_wait, GCond *cond, GMutex *mutex)
{
	begin_unlock(mutex);
	end_unlock(mutex);
	__real_g_cond_wait(cond, mutex);
	begin_lock(mutex);
	end_lock(mutex);
}

WRAPPED(gboolean, g_cond_wait_until, GCond *cond, GMutex *mutex, gint64 end_time)
{
	gboolean is_signalled;

	begin_unlock(mutex);
	end_unlock(mutex);
	is_signalled = __real_g_cond_wait_until(cond, mutex, end_time);
	begin_lock(mutex);
	end_lock(mutex);
	return is_signalled;
}

WRAPPED(gboolean, g_once_init_enter, volatile void *location)
{
	const gboolean is_first = __real_g_once_init_enter(location);

	acquire(location);
	return is_first;
}

WRAPPED(void, g_once_init_leave, volatile void *location, gsize result)
{
	release(location);
	__real_g_once_init_leave(location, result);
}

/* All accesses to an object happen before the thread that drops the last reference frees it. */
WRAPPED(gboolean, g_atomic_ref_count_dec, gatomicrefcount *count)
{
	gboolean is_last;

	release(count);
	is_last = __real_g_atomic_ref_count_dec(count);
	acquire(count);
	return is_last;
}

WRAPPED(void, g_async_queue_push, GAsyncQueue *queue, gpointer data)
{
	release(queue);
	__real_g_async_queue_push(queue, data);
}

WRAPPED(gpointer, g_async_queue_pop, GAsyncQueue *queue)
{
	void *data = __real_g_async_queue_pop(queue);

	acquire(queue);
	return data;
}

/* The function of a pool. A job happens after it was pushed, and before g_thread_pool_free() returns. */
typedef struct PoolWork {
	GFunc function;
	gpointer user_data;
} PoolWork;

static void run_job(gpointer job, gpointer data)
{
	const PoolWork *work = data;

	acquire(data);
	work->function(job, work->user_data);
	release(data);
}

WRAPPED(GThreadPool *, g_thread_pool_new, GFunc function, gpointer user_data, gint max_threads,
	gboolean exclusive, GError **error)
{
	PoolWork *work = g_new(PoolWork, 1);
	GThreadPool *pool;

	*work = (PoolWork){function, user_data};
	release(work);
	pool = __real_g_thread_pool_new(run_job, work, max_threads, exclusive, error);
	if (pool == NULL)
		g_free(work);
	return pool;
}

WRAPPED(gboolean, g_thread_pool_push, GThreadPool *pool, gpointer data, GError **error)
{
	release(pool->user_data);
	return __real_g_thread_pool_push(pool, data, error);
}

WRAPPED(void, g_thread_pool_free, GThreadPool *pool, gboolean immediate, gboolean wait)
{
	void *work = pool->user_data;

	__real_g_thread_pool_free(pool, immediate, wait);
	acquire(work);
	if (wait)
		g_free(work);
}
