/* Sorting keys, in memory and in scratch files. */
#include "unit.h"

#include "base/key-sort-priv.h"

static gboolean is_before(const LttKey *a, const LttKey *b)
{
	if (a->group != b->group)
		return a->group < b->group;
	return a->time != b->time ? a->time < b->time : a->place < b->place;
}

/* Keys of three groups whose times sometimes decrease, like interleaved records of CPUs. */
static void check(gsize n_held, guint n_keys, guint seed)
{
	g_autoptr(LttKeySort) sort = ltt_key_sort_new(n_held, NULL);
	g_autoptr(GError) error = NULL;
	guint64 sum = 0;
	LttKey last = {0};
	LttKey key;
	guint n = 0;

	g_autoptr(GRand) chance = g_rand_new_with_seed(seed);
	for (guint i = 0; i < n_keys; i++) {
		key = (LttKey){.time = i / 7 + (guint)g_rand_int_range(chance, 0, 20),
			       .place = i,
			       .group = (guint32)g_rand_int_range(chance, 0, 3),
			       .size = i};
		sum += key.size;
		UNIT_ASSERT_OK(ltt_key_sort_add(sort, &key, &error), error);
	}
	UNIT_ASSERT_OK(ltt_key_sort_end(sort, &error), error);
	while (ltt_key_sort_next(sort, &key, &error)) {
		CU_ASSERT(n == 0 || is_before(&last, &key));
		CU_ASSERT_EQUAL(key.place, key.size);
		sum -= key.size;
		last = key;
		n++;
	}
	CU_ASSERT_PTR_NULL(error);
	CU_ASSERT_EQUAL(n, n_keys);
	CU_ASSERT_EQUAL(sum, 0);
	CU_ASSERT_FALSE(ltt_key_sort_next(sort, &key, &error));
}

static void test_in_memory(void)
{
	for (guint n = 0; n < 40; n++)
		check(64, n, n);
	check(5000, 5000, 1);
}

static void test_in_runs(void)
{
	check(64, 65, 2);
	check(64, 128, 3);
	check(100, 12345, 4);
	check(2, 100, 5);
}

UNIT_MAIN("key-sort", UNIT(test_in_memory), UNIT(test_in_runs))
