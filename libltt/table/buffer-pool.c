/* buffer-pool.c - see buffer-pool-priv.h */
#include "table/buffer-pool-priv.h"

struct LttBufferPool {
	gint n_refs; /* atomic */
	guint max_batches;
	GMutex lock; /* protects the members below */
	GArray *spares;
	gboolean is_closed;
};

LttBufferPool *ltt_buffer_pool_new(guint max_batches)
{
	LttBufferPool *pool = g_new0(LttBufferPool, 1);

	pool->n_refs = 1;
	pool->max_batches = max_batches;
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
	if (pool == NULL)
		return;
	g_mutex_lock(&pool->lock);
	for (guint i = 0; i < pool->spares->len; i++)
		g_free(g_array_index(pool->spares, LttSpare, i).bytes);
	g_array_set_size(pool->spares, 0);
	pool->is_closed = TRUE;
	g_mutex_unlock(&pool->lock);
}

/* Much larger memory does not fit. Otherwise small columns would take the memory of large ones, until
 * all memory is as large as the largest column. */
static gboolean fits(const LttSpare *spare, gsize n_bytes)
{
	return spare->capacity >= n_bytes && spare->capacity - n_bytes <= n_bytes / 2;
}

LttSpare ltt_buffer_pool_take(LttBufferPool *pool, gsize n_bytes)
{
	LttSpare best = {NULL, 0};
	guint place = 0;

	g_mutex_lock(&pool->lock);
	for (guint i = 0; i < pool->spares->len; i++) {
		const LttSpare spare = g_array_index(pool->spares, LttSpare, i);

		if (fits(&spare, n_bytes) &&
		    (best.bytes == NULL || spare.capacity < best.capacity)) {
			best = spare;
			place = i;
		}
	}
	if (pool->spares->len > 0) {
		if (best.bytes == NULL)
			g_free(g_array_index(pool->spares, LttSpare, place).bytes);
		g_array_remove_index(pool->spares, place);
	}
	g_mutex_unlock(&pool->lock);
	return best;
}

void ltt_buffer_pool_give(LttBufferPool *pool, const GArray *spares)
{
	const guint max_spares = spares->len * pool->max_batches;

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
