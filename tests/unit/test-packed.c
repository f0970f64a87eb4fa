/* Lists of packed structs: what comes out is what was put in. */
#include "unit.h"

#include "base/packed-priv.h"

typedef struct Item {
	guint64 time_ns;
	gint32 small;
	guint32 rare;
	gpointer pointer;
	guint64 any;
} Item;

#define N_ITEMS 2000

static Item make_item(GRand *random, guint number)
{
	static int place;

	return (Item){
		.time_ns = 1700000000 * G_GUINT64_CONSTANT(1000000000) + number * 1000,
		.small = g_rand_int_range(random, -3, 3),
		.rare = number % 100 == 0 ? g_rand_int(random) : 0,
		.pointer = number % 3 == 0 ? &place : NULL,
		.any = number % 50 == 0 ? (guint64)g_rand_int(random) << 32 : G_MAXUINT64,
	};
}

static gboolean is_same(const Item *a, const Item *b)
{
	return a->time_ns == b->time_ns && a->small == b->small && a->rare == b->rare &&
	       a->pointer == b->pointer && a->any == b->any;
}

static void test_items_come_back(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	Item items[N_ITEMS];
	LttPacked packed;
	LttUnpack unpack;
	Item item = {0};

	ltt_packed_init(&packed, sizeof(Item));
	for (guint i = 0; i < N_ITEMS; i++) {
		items[i] = make_item(random, i);
		ltt_packed_append(&packed, &items[i]);
	}
	ltt_unpack_init(&unpack, &packed);
	for (guint i = 0; i < N_ITEMS; i++) {
		CU_ASSERT_TRUE_FATAL(ltt_unpack_next(&unpack, &item));
		CU_ASSERT(is_same(&item, &items[i]));
	}
	CU_ASSERT_FALSE(ltt_unpack_next(&unpack, &item));
	CU_ASSERT(ltt_packed_get_size(&packed) < sizeof(items) / 2);
	ltt_packed_clear(&packed);
}

/* Each bit pattern of a word, after each other one. */
static void test_extremes(void)
{
	static const guint32 words[] = {0,          1,          0x3f,       0x40,       0x7f,
					0x80,       0x7fffffff, 0x80000000, 0x80000001, 0xffffffff,
					0xfffffffe, 0xffffffc0, 0xffffffbf, 0x10000000, 0x08000000};
	LttPacked packed;
	LttUnpack unpack;
	guint32 word;

	ltt_packed_init(&packed, sizeof(guint32));
	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		for (guint j = 0; j < G_N_ELEMENTS(words); j++) {
			ltt_packed_append(&packed, &words[i]);
			ltt_packed_append(&packed, &words[j]);
		}
	ltt_unpack_init(&unpack, &packed);
	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		for (guint j = 0; j < G_N_ELEMENTS(words); j++) {
			CU_ASSERT(ltt_unpack_next(&unpack, &word) && word == words[i]);
			CU_ASSERT(ltt_unpack_next(&unpack, &word) && word == words[j]);
		}
	CU_ASSERT_FALSE(ltt_unpack_next(&unpack, &word));
	ltt_packed_clear(&packed);
}

static void test_nothing(void)
{
	LttPacked packed;
	LttUnpack unpack;
	Item item;

	ltt_packed_init(&packed, sizeof(Item));
	ltt_unpack_init(&unpack, &packed);
	CU_ASSERT_FALSE(ltt_unpack_next(&unpack, &item));
	ltt_packed_clear(&packed);
}

UNIT_MAIN("packed", UNIT(test_items_come_back), UNIT(test_extremes), UNIT(test_nothing))
