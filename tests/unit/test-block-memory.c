/* Blocks for whose events there is no memory: what was decoded before stays, and the place is reported. */
#include "support-hand.h"
#include "support-trace.h"
#include "unit.h"

#include "reader/block-priv.h"
#include "reader/order-priv.h"

#define BLOCK 16384

/* How many calls of the library succeed before all others fail. */
static guint allowed = G_MAXUINT;

/* In place of the function of GLib, through which the library enlarges the arrays of a block. */
gpointer g_try_realloc_n(gpointer memory, gsize n, gsize size)
{
	if (allowed == 0)
		return NULL;
	allowed--;
	return g_try_realloc(memory, n * size);
}

static void test_no_memory_for_events(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(GString) words = g_string_new("@100");
	g_autoptr(LttTrace) trace = NULL;
	LttTracefile *file;

	for (guint i = 1; i < 2000; i++)
		g_string_append_printf(words, " N%u", 100 + i);
	hand_add(&hand, "cpu/0", words->str);
	trace = hand_open(&hand);
	file = ltt_trace_get_tracefile(trace, 1);
	CU_ASSERT_EQUAL_FATAL(ltt_tracefile_get_n_ordered(file), 1);
	/* Three arrays are made for 1024 events, then enlarged. */
	for (guint calls = 0; calls <= 6; calls++) {
		g_autoptr(GError) error = NULL;
		LttBlock block;

		ltt_block_init(&block);
		allowed = calls;
		CU_ASSERT_EQUAL(ltt_block_load(&block, file, 0, &error), calls >= 3);
		CU_ASSERT_EQUAL(allowed, 0);
		allowed = G_MAXUINT;
		if (calls < 3)
			UNIT_ASSERT_ERROR(error, LTT_ERROR_LIMIT,
					  "cpu/0: block 0: no memory for a block of 16384 bytes");
		else
			CU_ASSERT_EQUAL(block.n_events, calls < 6 ? 1024 : 2000);
		if (calls >= 3 && calls < 6) {
			UNIT_ASSERT_TEXT(block.damage, "no memory for more events of this block");
			CU_ASSERT_EQUAL(block.damage_byte, 26 + 1023 * 6);
			CU_ASSERT_EQUAL(block.times_ns[1023], 100 + 1023);
		}
		ltt_block_clear(&block);
	}
	hand_clear(&hand);
}

/* The arrays grow between two events of one type of variable size, and between those of two types. */
static void test_arrays_grow_at_every_kind_of_event(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	LttBlock block;

	for (guint i = 0; i < 3; i++) {
		g_autofree char *name = g_strdup_printf("cpu/%u", i);
		g_autoptr(GString) words = g_string_new("@100");
		const guint n = i < 2 ? 1500 : 750;

		for (guint j = 1; j <= n; j++) {
			if (i == 2)
				g_string_append_printf(words, " N%u T%u:", 100 + 2 * j,
						       101 + 2 * j);
			else
				g_string_append_printf(words, i == 0 ? " T%u:" : " T%u:ab",
						       100 + j);
		}
		hand_add(&hand, name, words->str);
	}
	trace = hand_open(&hand);
	for (guint i = 0; i < 3; i++) {
		g_autoptr(GError) error = NULL;
		LttTracefile *file;

		ltt_block_init(&block);
		file = ltt_trace_get_tracefile(trace, 1 + i);
		CU_ASSERT_EQUAL_FATAL(ltt_tracefile_get_n_ordered(file), 1);
		UNIT_ASSERT_OK(ltt_block_load(&block, file, 0, &error), error);
		UNIT_ASSERT_TEXT(block.damage, NULL);
		CU_ASSERT_EQUAL_FATAL(block.n_events, 1501);
		CU_ASSERT_EQUAL(block.cycles[1024], block.cycles[1023] + 1);
		ltt_block_clear(&block);
	}
	hand_clear(&hand);
}

/* One block after another is loaded into the same arrays, as the shelf of a merge does. */
static void test_blocks_of_different_sizes(void)
{
	static const guint sizes[] = {256, 4096, 256, 1024};
	g_autoptr(GString) words = g_string_new("@100");
	LttBlock block;

	for (guint i = 1; i <= 20; i++)
		g_string_append_printf(words, " N%u", 100 + i);
	ltt_block_init(&block);
	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
		HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, sizes[i], NULL);
		g_autoptr(LttTrace) trace = NULL;
		g_autoptr(GError) error = NULL;
		LttTracefile *file;
		const guint8 *bytes;

		hand_add(&hand, "cpu/0", words->str);
		trace = hand_open(&hand);
		file = ltt_trace_get_tracefile(trace, 1);
		CU_ASSERT_EQUAL_FATAL(ltt_tracefile_get_n_ordered(file), 1);
		for (guint twice = 0; twice < 2; twice++) {
			bytes = twice > 0 ? block.bytes : NULL;
			UNIT_ASSERT_OK(ltt_block_load(&block, file, 0, &error), error);
			CU_ASSERT_EQUAL(block.n_bytes, sizes[i]);
			CU_ASSERT_EQUAL(block.n_events, 21);
			CU_ASSERT_TRUE(twice == 0 || block.bytes == bytes);
		}
		hand_clear(&hand);
	}
	ltt_block_clear(&block);
}

UNIT_MAIN("block-memory", UNIT(test_no_memory_for_events),
	  UNIT(test_arrays_grow_at_every_kind_of_event), UNIT(test_blocks_of_different_sizes))
