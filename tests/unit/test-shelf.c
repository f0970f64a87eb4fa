/* Blocks that are kept until a mark is released. */
#include "support-hand.h"
#include "unit.h"

#include "reader/merge-priv.h"

#define BLOCK 128

/* A trace whose cpu/0 has two blocks of @block_bytes, the second of them damaged. */
static LttTrace *open_trace(guint64 block_bytes)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, block_bytes, NULL);
	LttTrace *trace;

	hand_add(&hand, "cpu/0", "@100 N110 E120");
	hand_add(&hand, "cpu/0", "@200#1 N210 N220 !32:63");
	trace = hand_open(&hand);
	hand_clear(&hand);
	return trace;
}

static LttTracefile *cpu_of(LttTrace *trace)
{
	LttTracefile *file = ltt_trace_get_tracefile(trace, 1);

	CU_ASSERT_EQUAL_FATAL(ltt_tracefile_get_n_ordered(file), 2);
	return file;
}

static void test_blocks_are_used_again(void)
{
	g_autoptr(LttTrace) trace = open_trace(BLOCK);
	LttTracefile *file = cpu_of(trace);
	LttShelf *shelf = ltt_shelf_new();
	const guint8 *first;
	const guint8 *second;
	gsize one;
	LttBlock block;

	ltt_block_init(&block);
	CU_ASSERT_EQUAL(ltt_shelf_get_bytes(shelf), 0);
	CU_ASSERT_TRUE(ltt_block_load(&block, file, 1, NULL));
	CU_ASSERT_TRUE(block.n_events == 2 && block.damage != NULL);
	first = block.bytes;
	one = BLOCK + block.capacity * (sizeof(LttRecord) + 2 * sizeof(guint64));
	ltt_shelf_set_mark(shelf, 5);
	ltt_shelf_exchange(shelf, &block, BLOCK);
	CU_ASSERT_EQUAL(ltt_shelf_get_bytes(shelf), one);
	CU_ASSERT_TRUE(block.bytes == NULL && block.n_events == 0 && block.damage == NULL);

	CU_ASSERT_TRUE(ltt_block_load(&block, file, 0, NULL));
	second = block.bytes;
	ltt_shelf_set_mark(shelf, 6);
	ltt_shelf_exchange(shelf, &block, BLOCK);
	CU_ASSERT_EQUAL(ltt_shelf_get_bytes(shelf), 2 * one);
	ltt_shelf_release(shelf, 4);
	CU_ASSERT_EQUAL(ltt_shelf_get_bytes(shelf), 2 * one);
	ltt_shelf_release(shelf, 5);
	CU_ASSERT_EQUAL(ltt_shelf_get_bytes(shelf), one);

	/* The block that was released comes back without its events and its damage. */
	CU_ASSERT_TRUE(ltt_block_load(&block, file, 0, NULL));
	ltt_shelf_exchange(shelf, &block, BLOCK);
	CU_ASSERT_PTR_EQUAL(block.bytes, first);
	CU_ASSERT_TRUE(block.n_events == 0 && block.damage == NULL);
	ltt_shelf_release(shelf, 6);
	CU_ASSERT_EQUAL(ltt_shelf_get_bytes(shelf), 0);
	CU_ASSERT_PTR_NOT_EQUAL(first, second);
	ltt_block_clear(&block);
	ltt_shelf_free(shelf);
	ltt_shelf_free(NULL);
}

/* Joined traces have blocks of several sizes. */
static void test_blocks_of_another_size(void)
{
	g_autoptr(LttTrace) small = open_trace(BLOCK);
	g_autoptr(LttTrace) large = open_trace(64 * BLOCK);
	LttShelf *shelf = ltt_shelf_new();
	LttBlock block;

	ltt_block_init(&block);
	CU_ASSERT_TRUE(ltt_block_load(&block, cpu_of(small), 0, NULL));
	ltt_shelf_exchange(shelf, &block, BLOCK);
	ltt_shelf_release(shelf, 0);
	ltt_shelf_exchange(shelf, &block, 64 * BLOCK);
	CU_ASSERT_PTR_NULL(block.bytes);
	CU_ASSERT_TRUE(ltt_block_load(&block, cpu_of(large), 0, NULL));
	CU_ASSERT_EQUAL(block.n_events, 3);
	ltt_block_clear(&block);
	ltt_shelf_free(shelf);
}

/* A merge puts a block on the shelf when it loads the next one of the file, and nothing before the first. */
static void test_blocks_of_a_merge(void)
{
	g_autoptr(LttTrace) trace = open_trace(BLOCK);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttMerge) merge = NULL;
	LttShelf *shelf = ltt_shelf_new();
	const LttEvent *event;

	ltt_select_set_all(select, TRUE);
	CU_ASSERT_TRUE(ltt_select_set_cpus(select, "0", NULL));
	merge = ltt_merge_new(trace, select);
	ltt_merge_set_shelf(merge, shelf);
	CU_ASSERT_EQUAL_FATAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(event->time_ns, 100);
	CU_ASSERT_EQUAL(ltt_shelf_get_bytes(shelf), 0);
	for (guint i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(event->time_ns, 200);
	CU_ASSERT_TRUE(ltt_shelf_get_bytes(shelf) > BLOCK);
	/* Disabled, it does not grow. */
	ltt_shelf_release(shelf, 0);
	ltt_merge_set_shelf(merge, NULL);
	while (ltt_merge_next(merge, &event, NULL) == LTT_STEP_EVENT)
		CU_ASSERT_EQUAL(ltt_shelf_get_bytes(shelf), 0);
	ltt_merge_free(g_steal_pointer(&merge));
	ltt_shelf_free(shelf);
}

UNIT_MAIN("shelf", UNIT(test_blocks_are_used_again), UNIT(test_blocks_of_another_size),
	  UNIT(test_blocks_of_a_merge))
