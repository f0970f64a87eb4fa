/* Sorts that can be cancelled. */
#include "unit.h"

#include "sql/order-priv.h"

#define N_ITEMS 1000000 /* more than are left to the sort of GLib */

typedef struct Item {
	guint64 key;
	guint64 place;
	guint32 rest;
} Item;

static gint compare_keys(gconstpointer a, gconstpointer b, gpointer data)
{
	const guint64 first = ((const Item *)a)->key;
	const guint64 second = ((const Item *)b)->key;

	*(guint64 *)data += 1;
	return first < second ? -1 : first > second;
}

/* Some of the orders that are worst cases of other quicksorts. */
typedef enum Kind { RANDOM, EQUAL, FEW, RISING, FALLING, ORGAN_PIPE, LAST_IS_MOST, N_KINDS } Kind;

static guint64 make_key(Kind kind, guint64 i, GRand *random)
{
	switch (kind) {
	case RANDOM:
		return ((guint64)g_rand_int(random) << 32) | g_rand_int(random);
	case EQUAL:
		return 5;
	case FEW:
		return g_rand_int(random) % 3;
	case RISING:
		return i;
	case FALLING:
		return N_ITEMS - i;
	case ORGAN_PIPE:
		return MIN(i, N_ITEMS - i);
	default:
		return i == N_ITEMS - 1 ? G_MAXUINT64 : N_ITEMS - i;
	}
}

static Item *make_items(Kind kind)
{
	Item *items = g_new(Item, N_ITEMS);
	GRand *random = g_rand_new_with_seed(13);

	for (guint64 i = 0; i < N_ITEMS; i++)
		items[i] = (Item){make_key(kind, i, random), i, (guint32)i * 3};
	g_rand_free(random);
	return items;
}

static void check_sorted(const Item *items)
{
	g_autofree guint8 *is_seen = g_malloc0(N_ITEMS);
	guint n_wrong = 0;

	for (guint64 i = 0; i < N_ITEMS; i++) {
		n_wrong += i > 0 && items[i - 1].key > items[i].key;
		n_wrong += items[i].rest != (guint32)items[i].place * 3;
		n_wrong += is_seen[items[i].place]++;
	}
	CU_ASSERT_EQUAL(n_wrong, 0);
}

static void test_all_kinds(void)
{
	static const gsize ranks[] = {0, 1, N_ITEMS / 3, N_ITEMS / 2, N_ITEMS - 1};
	LttSqlEnv env = {.trace = NULL};
	guint64 n_compared = 0;
	const LttSqlOrder order = {sizeof(Item), compare_keys, &n_compared, &env};

	for (Kind kind = 0; kind < N_KINDS; kind++) {
		g_autofree Item *sorted = make_items(kind);

		CU_ASSERT_TRUE(ltt_sql_sort(&order, sorted, N_ITEMS, NULL));
		check_sorted(sorted);
		for (guint i = 0; i < G_N_ELEMENTS(ranks); i++) {
			g_autofree Item *items = make_items(kind);
			const Item *found;

			n_compared = 0;
			found = ltt_sql_select_rank(&order, items, N_ITEMS, ranks[i], NULL);
			CU_ASSERT_PTR_EQUAL(found, &items[ranks[i]]);
			CU_ASSERT_EQUAL(found->key, sorted[ranks[i]].key);
			CU_ASSERT_TRUE(n_compared < 10 * N_ITEMS); /* a sort takes some 20 times */
		}
	}
}

static void test_few_items(void)
{
	LttSqlEnv env = {.trace = NULL};
	guint64 n_compared = 0;
	const LttSqlOrder order = {sizeof(Item), compare_keys, &n_compared, &env};
	Item items[] = {{.key = 3}, {.key = 1}, {.key = 2}};

	CU_ASSERT_TRUE(ltt_sql_sort(&order, NULL, 0, NULL));
	CU_ASSERT_TRUE(ltt_sql_sort(&order, items, 1, NULL));
	CU_ASSERT_EQUAL(items[0].key, 3);
	CU_ASSERT_EQUAL(((const Item *)ltt_sql_select_rank(&order, items, 3, 1, NULL))->key, 2);
	CU_ASSERT_TRUE(ltt_sql_sort(&order, items, 3, NULL));
	CU_ASSERT_TRUE(items[0].key == 1 && items[1].key == 2 && items[2].key == 3);
}

/* Ends the work at its n-th call. */
static gboolean count_down(const LttProgress *progress, gpointer user_data)
{
	(void)progress;
	return --*(guint *)user_data > 0;
}

static void test_cancelling(void)
{
	guint64 n_compared = 0;

	for (guint n_calls = 1; n_calls <= 4; n_calls++) {
		guint left = n_calls;
		LttSqlEnv env = {.callbacks = {.on_progress = count_down, .user_data = &left}};
		const LttSqlOrder order = {sizeof(Item), compare_keys, &n_compared, &env};
		g_autofree Item *items = make_items(RANDOM);
		g_autofree Item *others = make_items(RISING);
		GError *error = NULL;

		CU_ASSERT_FALSE(ltt_sql_sort(&order, items, N_ITEMS, &error));
		CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED));
		g_clear_error(&error);
		CU_ASSERT_EQUAL(left, 0);
		env.is_cancelled = FALSE;
		left = n_calls;
		CU_ASSERT_PTR_NULL(ltt_sql_select_rank(&order, others, N_ITEMS, 5, &error));
		CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED));
		g_clear_error(&error);
	}
}

UNIT_MAIN("order", UNIT(test_all_kinds), UNIT(test_few_items), UNIT(test_cancelling))
