/* buffer-pool.c - see buffer-pool-priv.h */
#include "table/buffer-pool-priv.h"

/* A memory block in the pool. */
typedef struct Kept {
	LttSpare spare;
	guint64 number; /* blocks given before it, plus 1 */
	GSequenceIter *place;
	GList link; /* of by_age */
} Kept;

struct LttBufferPool {
	gint n_refs; /* atomic */
	guint max_batches;
	GMutex lock;        /* protects the members below */
	GSequence *by_size; /* of Kept; owned */
	GQueue by_age;      /* of Kept, the oldest first; borrowed */
	guint64 n_given;
	gboolean is_closed;
};

/* Orders by size, and blocks of one size by age. */
static gint compare(gconstpointer left, gconstpointer right, gpointer data)
{
	const Kept *a = left;
	const Kept *b = right;

	(void)data;
	if (a->spare.capacity != b->spare.capacity)
		return a->spare.capacity < b->spare.capacity ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void add(LttBufferPool *pool, LttSpare spare)
{
	Kept *kept = g_new(Kept, 1);

	*kept = (Kept){.spare = spare, .number = ++pool->n_given, .link = {.data = kept}};
	kept->place = g_sequence_insert_sorted(pool->by_size, kept, compare, NULL);
	g_queue_push_tail_link(&pool->by_age, &kept->link);
}

static LttSpare take_out(LttBufferPool *pool, Kept *kept)
{
	const LttSpare spare = kept->spare;

	g_queue_unlink(&pool->by_age, &kept->link);
	g_sequence_remove(kept->place);
	return spare;
}

LttBufferPool *ltt_buffer_pool_new(guint max_batches)
{
	LttBufferPool *pool = g_new0(LttBufferPool, 1);

	pool->n_refs = 1;
	pool->max_batches = max_batches;
	g_mutex_init(&pool->lock);
	pool->by_size = g_sequence_new(g_free);
	g_queue_init(&pool->by_age);
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
	g_sequence_free(pool->by_size);
	g_mutex_clear(&pool->lock);
	g_free(pool);
}

void ltt_buffer_pool_close(LttBufferPool *pool)
{
	if (pool == NULL)
		return;
	g_mutex_lock(&pool->lock);
	while (!g_queue_is_empty(&pool->by_age))
		g_free(take_out(pool, g_queue_peek_head(&pool->by_age)).bytes);
	pool->is_closed = TRUE;
	g_mutex_unlock(&pool->lock);
}

/* Much larger memory does not fit. Otherwise small columns would take the memory of large ones, until
 * all memory is as large as the largest column. */
static gboolean fits(const LttSpare *spare, gsize n_bytes)
{
	return spare->capacity >= n_bytes && spare->capacity - n_bytes <= n_bytes / 2;
}

/* Returns: the smallest memory of at least @n_bytes; NULL: there is none */
static Kept *find(const LttBufferPool *pool, gsize n_bytes)
{
	Kept wanted = {.spare = {NULL, n_bytes}};
	GSequenceIter *place = g_sequence_search(pool->by_size, &wanted, compare, NULL);

	return g_sequence_iter_is_end(place) ? NULL : g_sequence_get(place);
}

LttSpare ltt_buffer_pool_take(LttBufferPool *pool, gsize n_bytes)
{
	LttSpare taken = {NULL, 0};
	Kept *best;

	g_mutex_lock(&pool->lock);
	best = find(pool, n_bytes);
	if (best != NULL && fits(&best->spare, n_bytes))
		taken = take_out(pool, best);
	else if (!g_queue_is_empty(&pool->by_age))
		g_free(take_out(pool, g_queue_peek_head(&pool->by_age)).bytes);
	g_mutex_unlock(&pool->lock);
	return taken;
}

void ltt_buffer_pool_give(LttBufferPool *pool, const GArray *spares)
{
	const guint max_spares = spares->len * pool->max_batches;

	g_mutex_lock(&pool->lock);
	for (guint i = 0; i < spares->len; i++) {
		const LttSpare spare = g_array_index(spares, LttSpare, i);

		if (pool->is_closed || g_queue_get_length(&pool->by_age) >= max_spares)
			g_free(spare.bytes);
		else
			add(pool, spare);
	}
	g_mutex_unlock(&pool->lock);
}
