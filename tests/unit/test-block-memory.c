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

UNIT_MAIN("block-memory", UNIT(test_no_memory_for_events))
