/* Memory of freed batches: the pool returns the smallest memory of about the requested size, keeps a
 * limited amount, and none after it is closed. */
#include "unit.h"

#include "table/buffer-pool-priv.h"

static void give(LttBufferPool *pool, gsize capacity, guint n)
{
	g_autoptr(GArray) spares = g_array_new(FALSE, FALSE, sizeof(LttSpare));

	for (guint i = 0; i < n; i++) {
		const LttSpare spare = {g_malloc(capacity), capacity};

		g_array_append_val(spares, spare);
	}
	ltt_buffer_pool_give(pool, spares);
}

static gsize take(LttBufferPool *pool, gsize n_bytes)
{
	const LttSpare spare = ltt_buffer_pool_take(pool, n_bytes);

	g_free(spare.bytes);
	return spare.bytes != NULL ? spare.capacity : 0;
}

static void test_the_smallest_that_suffices(void)
{
	LttBufferPool *pool = ltt_buffer_pool_new(8);

	give(pool, 300, 1);
	give(pool, 100, 1);
	give(pool, 200, 1);
	CU_ASSERT_EQUAL(take(pool, 150), 200);
	CU_ASSERT_EQUAL(take(pool, 100), 100);
	CU_ASSERT_EQUAL(take(pool, 250), 300);
	CU_ASSERT_EQUAL(take(pool, 250), 0);
	ltt_buffer_pool_unref(pool);
}

/* The memory of large columns is left to these. */
static void test_too_large(void)
{
	LttBufferPool *pool = ltt_buffer_pool_new(8);

	give(pool, 1000, 2);
	CU_ASSERT_EQUAL(take(pool, 100), 0);
	CU_ASSERT_EQUAL(take(pool, 1000), 1000);
	ltt_buffer_pool_unref(pool);
}

/* New memory replaces the oldest in the pool, so sizes that are no longer requested go away. */
static void test_replacement(void)
{
	LttBufferPool *pool = ltt_buffer_pool_new(100);

	give(pool, 100, 1);
	give(pool, 200, 1);
	CU_ASSERT_EQUAL(take(pool, 1000), 0);
	CU_ASSERT_EQUAL(take(pool, 200), 200);
	CU_ASSERT_EQUAL(take(pool, 100), 0);
	ltt_buffer_pool_unref(pool);
}

/* As many as a type with many fields has columns. */
static void test_many(void)
{
	const guint n = 100000;
	LttBufferPool *pool = ltt_buffer_pool_new(n);
	gboolean is_right = TRUE;

	for (guint i = 0; i < n; i++)
		give(pool, 1000 + i, 1);
	for (guint i = n; i > n / 2; i--)
		is_right = is_right && take(pool, 999 + i) == 999 + i;
	CU_ASSERT_TRUE(is_right);
	/* The oldest memory, which is the smallest, goes away. */
	CU_ASSERT_EQUAL(take(pool, 10 * n), 0);
	CU_ASSERT_EQUAL(take(pool, 1000), 1001);
	ltt_buffer_pool_unref(pool);
}

/* What a consumer held for long and then frees at once is not all kept. */
static void test_a_limit(void)
{
	LttBufferPool *pool = ltt_buffer_pool_new(8);
	guint n_kept = 0;

	for (guint i = 0; i < 100; i++)
		give(pool, 10, 2);
	while (take(pool, 10) != 0)
		n_kept++;
	CU_ASSERT_TRUE(n_kept > 0 && n_kept < 50);
	ltt_buffer_pool_unref(pool);
}

static void test_closed_before_the_last_batch(void)
{
	LttBufferPool *pool = ltt_buffer_pool_new(8);
	LttBufferPool *of_batch = ltt_buffer_pool_ref(pool);

	give(pool, 10, 1);
	ltt_buffer_pool_close(pool);
	ltt_buffer_pool_unref(pool);
	give(of_batch, 10, 1);
	CU_ASSERT_EQUAL(take(of_batch, 1), 0);
	ltt_buffer_pool_unref(of_batch);
}

UNIT_MAIN("buffer-pool", UNIT(test_the_smallest_that_suffices), UNIT(test_too_large),
	  UNIT(test_replacement), UNIT(test_many), UNIT(test_a_limit),
	  UNIT(test_closed_before_the_last_batch))
