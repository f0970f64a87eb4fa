/* buffer-pool.c - see buffer-pool-priv.h */
#include "table/buffer-pool-priv.h"

/* Maximum number of batches whose memory is kept. A reader that decodes ahead uses some more at a
 * time. */
#define MAX_BATCHES 8

struct LttBufferPool {
	gint n_refs; /* atomic */
	GMutex lock; /* protects the members below */
	GArray *spares;
	gboolean is_closed;
};

LttBufferPool *ltt_buffer_pool_new(void)
{
	LttBufferPool *pool = g_new0(LttBufferPool, 1);

	pool->n_refs = 1;
	g_mutex_init(&pool->lock);
	pool->spares = g_array_new(FALSE, FALSE, sizeof(LttSpare));
	return pool;
}

LttBufferPool *ltt_buffer_pool_ref(LttBufferPool *pool)
{
	g_atomic_int_inc(&pool->n_refs);
	return pool;
}

void ltt_buffer_pool_unref(LttBufferPool *pool)
{
	if (pool == NULL || !g_atomic_int_dec_and_test(&pool->n_refs))
		return;
	ltt_buffer_pool_close(pool);
	g_array_unref(pool->spares);
	g_mutex_clear(&pool->lock);
	g_free(pool);
}

void ltt_buffer_pool_close(LttBufferPool *pool)
{
	g_mutex_lock(&pool->lock);
	for (guint i = 0; i < pool->spares->len; i++)
		g_free(g_array_index(pool->spares, LttSpare, i).bytes);
	g_array_set_size(pool->spares, 0);
	pool->is_closed = TRUE;
	g_mutex_unlock(&pool->lock);
}

LttSpare ltt_buffer_pool_take(LttBufferPool *pool, gsize n_bytes)
{
	LttSpare best = {NULL, 0};
	guint place = 0;

	g_mutex_lock(&pool->lock);
	for (guint i = 0; i < pool->spares->len; i++) {
		const LttSpare spare = g_array_index(pool->spares, LttSpare, i);

		if (spare.capacity >= n_bytes &&
		    (best.bytes == NULL || spare.capacity < best.capacity)) {
			best = spare;
			place = i;
		}
	}
	if (best.bytes != NULL)
		g_array_remove_index_fast(pool->spares, place);
	g_mutex_unlock(&pool->lock);
	return best;
}

void ltt_buffer_pool_give(LttBufferPool *pool, const GArray *spares)
{
	const guint max_spares = spares->len * MAX_BATCHES;

	g_mutex_lock(&pool->lock);
	for (guint i = 0; i < spares->len; i++) {
		const LttSpare spare = g_array_index(spares, LttSpare, i);

		if (pool->is_closed || pool->spares->len >= max_spares)
			g_free(spare.bytes);
		else
			g_array_append_val(pool->spares, spare);
	}
	g_mutex_unlock(&pool->lock);
}
