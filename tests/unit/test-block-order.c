/* The order of the blocks of a tracefile, the blocks of a time window, and the times of a tracefile. */
#include "support-hand.h"
#include "unit.h"

#include "reader/ends-priv.h"
#include "reader/trace-priv.h"

#include <string.h>

#define BLOCK 96

/* A trace with the blocks of cpu/0, which are separated by "; ", opened. */
typedef struct Scene {
	HandTrace hand;
	LttTrace *trace;
	LttTracefile *file;
} Scene;

static void scene_open(Scene *scene)
{
	scene->trace = hand_open(&scene->hand);
	scene->file =
		ltt_trace_get_tracefile(scene->trace, ltt_trace_get_n_tracefiles(scene->trace) - 1);
}

static Scene scene_new(guint64 block_bytes, const char *blocks)
{
	Scene scene = {.hand = hand_new(LTT_LITTLE_ENDIAN, block_bytes, NULL)};
	g_auto(GStrv) parts = g_strsplit(blocks, "; ", -1);

	for (guint i = 0; parts[i] != NULL; i++)
		hand_add(&scene.hand, "cpu/0", parts[i]);
	scene_open(&scene);
	return scene;
}

static void scene_clear(Scene *scene)
{
	ltt_trace_free(scene->trace);
	hand_clear(&scene->hand);
}

/* ---- order ---- */

/* Compares the places in reading order, "2 0 1", and whether they are stored, not computed. */
static void expect_order(const char *blocks, const char *expected, gboolean is_stored, int line)
{
	Scene scene = scene_new(BLOCK, blocks);
	g_autoptr(GString) text = g_string_new(NULL);
	const guint64 n = ltt_tracefile_get_n_ordered(scene.file);

	for (guint64 i = 0; i < n; i++)
		g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i > 0 ? " " : "",
				       ltt_tracefile_get_ordered(scene.file, i));
	unit_assert_text(text->str, expected, __FILE__, line);
	CU_ASSERT_EQUAL(scene.file->order.places != NULL, is_stored);
	CU_ASSERT_EQUAL(scene.file->order.depth, LTT_ORDER_THOROUGH);
	scene_clear(&scene);
}
#define EXPECT_ORDER(blocks, expected, is_stored)                                                  \
	expect_order(blocks, expected, is_stored, __LINE__)

static void test_rotations(void)
{
	EXPECT_ORDER("@1#0 E2; @3#1 E4; @5#2 E6", "0 1 2", FALSE);
	EXPECT_ORDER("@5#7 E6; @1#5 E2; @3#6 E4", "1 2 0", FALSE);
	EXPECT_ORDER("@3#6 E4; @5#7 E6; @1#5 E2", "2 0 1", FALSE);
	/* The ids are modulo 2^32. */
	EXPECT_ORDER("@5#1 E6; @1#4294967295 E2; @3#0 E4", "1 2 0", FALSE);
}

static void test_orders_that_are_no_rotation(void)
{
	EXPECT_ORDER("@1#0 E2; @5#2 E6; @3#1 E4", "0 2 1", TRUE);
	EXPECT_ORDER("!0:00; @1#0 E2; @3#1 E4", "1 2", TRUE);
	EXPECT_ORDER("!0:00; @1#0 E2", "1", TRUE);
	EXPECT_ORDER("@1#0 E2; !0:00; @3#1 E4", "0 2", TRUE);
	EXPECT_ORDER("@1#0 E2; @3#1 E4; !0:00", "0 1", FALSE);
	EXPECT_ORDER("!0:00", "", FALSE);
	/* Equal ids are in the order of the file. */
	EXPECT_ORDER("@5#3 E6; @1#2 E2; @3#2 E4; @7#3 E8", "1 2 0 3", TRUE);
}

/* A block that does not begin with block_start follows the one before it in the file. */
static void test_blocks_without_a_start(void)
{
	EXPECT_ORDER("@3#6 E4; @5#7 E6 !0:09; @1#5 E2; @7#8 E8", "2 0 1 3", TRUE);
	EXPECT_ORDER("@3#6 E4 !0:09; @5#7 E6; @1#5 E2", "0 2 1", TRUE);
}

/* A block in use has a final word or a block_start. */
static void test_open_blocks_are_in_use(void)
{
	EXPECT_ORDER("@1#0; !0:02; @3#1 N4", "0 2", TRUE);
	EXPECT_ORDER("@1#0 !0:00 !-4:1a; @3#1", "0 1", FALSE);
}

/* ---- windows ---- */

/* The first position of a window and the one after its last. */
static void expect_window(Scene *scene, guint64 from_ns, guint64 to_ns, guint64 first, guint64 end,
			  int line)
{
	g_autofree char *expected =
		g_strdup_printf("%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, first, end);
	g_autofree char *got = NULL;
	guint64 got_first;
	guint64 got_end;

	ltt_tracefile_find_window(scene->file, from_ns, to_ns, &got_first, &got_end);
	got = g_strdup_printf("%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, got_first, got_end);
	unit_assert_text(got, expected, __FILE__, line);
}
#define EXPECT_WINDOW(scene, from_ns, to_ns, first, end)                                           \
	expect_window(scene, from_ns, to_ns, first, end, __LINE__)

static void test_windows(void)
{
	Scene scene = scene_new(BLOCK, "@100#0 E120; @130#1 E150; @160#2 E160; @160#3 E190");

	EXPECT_WINDOW(&scene, 0, G_MAXUINT64, 0, 4);
	EXPECT_WINDOW(&scene, 130, G_MAXUINT64, 0, 4);
	EXPECT_WINDOW(&scene, 131, G_MAXUINT64, 1, 4);
	EXPECT_WINDOW(&scene, 161, G_MAXUINT64, 3, 4);
	EXPECT_WINDOW(&scene, 0, 100, 0, 0);
	EXPECT_WINDOW(&scene, 0, 101, 0, 1);
	EXPECT_WINDOW(&scene, 0, 160, 0, 2);
	EXPECT_WINDOW(&scene, 0, 161, 0, 4);
	EXPECT_WINDOW(&scene, 140, 145, 1, 2);
	EXPECT_WINDOW(&scene, 500, 600, 3, 4);
	CU_ASSERT_TRUE(scene.file->order.rises);
	scene_clear(&scene);
}

static void test_times_that_fall(void)
{
	static const char *const falling[] = {
		"@100#0 E120; @119#1 E150; @160#2 E180",
		"@100#0 E99; @130#1 E150; @160#2 E180",
		"@100#0; @99#1 E150; @160#2 E180",
		"@100#0 E120; @130#1 E150; @140#2 E180",
	};

	for (guint i = 0; i < G_N_ELEMENTS(falling); i++) {
		Scene scene = scene_new(BLOCK, falling[i]);

		EXPECT_WINDOW(&scene, 130, 135, 0, 3);
		CU_ASSERT_FALSE(scene.file->order.rises);
		scene_clear(&scene);
	}
}

/* Such a block may begin before the window, or in it. */
static void test_windows_and_blocks_without_a_start(void)
{
	Scene scene = scene_new(BLOCK, "@100#0 E120; @130#1 E150; @152#2 E153 !0:09; @160#3 E180");

	EXPECT_WINDOW(&scene, 160, G_MAXUINT64, 1, 4);
	EXPECT_WINDOW(&scene, 161, G_MAXUINT64, 3, 4);
	EXPECT_WINDOW(&scene, 0, 131, 0, 3);
	EXPECT_WINDOW(&scene, 0, 130, 0, 1);
	EXPECT_WINDOW(&scene, 0, 160, 0, 3);
	scene_clear(&scene);
}

/* Blocks that are not complete are read besides those of the window, because they may have any times. */
static void test_open_blocks_of_a_window(void)
{
	static const guint64 expected[] = {1, 1, 2, 3, 5, 5, 6, 6};
	Scene scene =
		scene_new(BLOCK, "@100#0 E110; @120#1; @130#2 E140; @150#3 E160; @170#4 E180; "
				 "@190#5");

	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(scene.file), 6);
	for (guint64 i = 0; i < G_N_ELEMENTS(expected); i++)
		CU_ASSERT_EQUAL(ltt_tracefile_next_in_window(scene.file, 2, 4, i), expected[i]);
	/* The window is empty. */
	CU_ASSERT_EQUAL(ltt_tracefile_next_in_window(scene.file, 4, 4, 2), 5);
	CU_ASSERT_EQUAL(ltt_tracefile_next_in_window(scene.file, 4, 4, 0), 1);
	scene_clear(&scene);
}

/* ---- samples ---- */

/* A file of @n blocks; the block with the least id is at place @rotation. The id and the times of one
 * of them are as given, unless @odd is no place. */
static Scene scene_of(guint n, guint rotation, guint n_unused, guint odd, const char *block)
{
	Scene scene = {.hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL)};

	for (guint i = 0; i < n; i++) {
		const guint id = 1000 + (i + n - rotation) % n;
		g_autofree char *words = g_strdup_printf("@%u#%u E%u", id * 10, id, id * 10 + 5);

		hand_add(&scene.hand, "cpu/0", i == odd ? block : words);
	}
	for (guint i = 0; i < n_unused; i++)
		hand_add(&scene.hand, "cpu/0", "!0:00");
	scene_open(&scene);
	ltt_tracefile_need_order(scene.file, LTT_ORDER_SAMPLED);
	return scene;
}

static void test_large_files_are_sampled(void)
{
	static const struct {
		guint n, rotation, n_unused;
		LttOrderDepth depth;
	} cases[] = {
		{256, 0, 0, LTT_ORDER_SAMPLED},   {255, 0, 0, LTT_ORDER_THOROUGH},
		{255, 0, 9, LTT_ORDER_THOROUGH},  {256, 0, 3, LTT_ORDER_SAMPLED},
		{256, 1, 0, LTT_ORDER_SAMPLED},   {256, 255, 0, LTT_ORDER_SAMPLED},
		{300, 128, 0, LTT_ORDER_SAMPLED},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		Scene scene =
			scene_of(cases[i].n, cases[i].rotation, cases[i].n_unused, G_MAXUINT, "");

		CU_ASSERT_EQUAL(scene.file->order.depth, cases[i].depth);
		CU_ASSERT_EQUAL(scene.file->order.n_blocks, cases[i].n);
		CU_ASSERT_EQUAL(scene.file->order.rotation, cases[i].rotation);
		CU_ASSERT_TRUE(scene.file->order.rises);
		scene_clear(&scene);
	}
}

/* With 257 blocks every fourth one is a sample: the others are not looked at. */
static void test_samples_that_do_not_fit(void)
{
	static const struct {
		guint odd;
		const char *block;
		LttOrderDepth depth;
		gboolean rises;
	} cases[] = {
		{8, "@10080#1009 E10085", LTT_ORDER_THOROUGH, TRUE}, /* its id */
		{8, "@10080#1008 E10085 !0:09", LTT_ORDER_THOROUGH, TRUE},
		{8, "@10121#1008 E10122", LTT_ORDER_THOROUGH, FALSE}, /* after the next sample */
		{8, "@10080#1008 E10121", LTT_ORDER_THOROUGH, FALSE},
		{8, "@10080#1008 E10079", LTT_ORDER_THOROUGH, FALSE},
		{9, "@10090#1008 E10095", LTT_ORDER_SAMPLED, TRUE},
		{256, "@12560#1255 E12565", LTT_ORDER_THOROUGH, TRUE}, /* the last one */
		{0, "@10000#1000 E10005 !0:09", LTT_ORDER_THOROUGH, TRUE},
		{128, "@11280#1128 E11285 !0:09", LTT_ORDER_THOROUGH, TRUE},
		{8, "@10080#1008", LTT_ORDER_SAMPLED, TRUE}, /* open */
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		Scene scene = scene_of(257, 0, 0, cases[i].odd, cases[i].block);

		CU_ASSERT_EQUAL(scene.file->order.depth, cases[i].depth);
		CU_ASSERT_EQUAL(scene.file->order.rises, cases[i].rises);
		scene_clear(&scene);
	}
}

/* In an imported trace, and in one that says so, the times of any block can fall. */
static void expect_all_blocks(const char *attribute, const char *value)
{
	Scene scene = {.hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, attribute, value, NULL)};

	for (guint i = 0; i < 257; i++) {
		g_autofree char *block = g_strdup_printf(i == 9 ? "@%u#%u E%u=50" : "@%u#%u E%u",
							 100 + 10 * i, i, 105 + 10 * i);

		hand_add(&scene.hand, "cpu/0", block);
	}
	scene_open(&scene);
	ltt_tracefile_need_order(scene.file, LTT_ORDER_SAMPLED);
	CU_ASSERT_EQUAL(scene.file->order.depth, LTT_ORDER_THOROUGH);
	CU_ASSERT_FALSE(scene.file->order.rises);
	CU_ASSERT_FALSE(ltt_trace_is_sorted(scene.trace));
	scene_clear(&scene);
}

static void test_files_that_are_not_sampled(void)
{
	expect_all_blocks(LTT_SYSTEM_RECORDING, "revent, version 2");
	expect_all_blocks(LTT_SYSTEM_FALLING_TIMES, "yes");
}

static void test_open_samples(void)
{
	Scene scene = scene_of(257, 0, 0, 8, "@10080#1008");

	CU_ASSERT_EQUAL_FATAL(scene.file->order.open->len, 1);
	CU_ASSERT_EQUAL(g_array_index(scene.file->order.open, guint64, 0), 8);
	scene_clear(&scene);
}

/* ---- times ---- */

static void expect_summary(guint64 block_bytes, const char *blocks, const char *expected, int line)
{
	Scene scene = scene_new(block_bytes, blocks);
	const LttTracefileSummary *summary = ltt_tracefile_get_summary(scene.file);
	g_autofree char *text =
		g_strdup_printf("%d %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT " %u of %u",
				summary->has_events, summary->first_ns, summary->last_ns,
				(guint)summary->n_open_blocks, (guint)summary->n_used_blocks);

	unit_assert_text(text, expected, __FILE__, line);
	scene_clear(&scene);
}
#define EXPECT_SUMMARY(block_bytes, blocks, expected)                                              \
	expect_summary(block_bytes, blocks, expected, __LINE__)

static void test_summaries(void)
{
	EXPECT_SUMMARY(BLOCK, "@100#0 E120; @130#1 E150", "1 100-150 0 of 2");
	EXPECT_SUMMARY(BLOCK, "@100#0 E120; @90#1 E95", "1 90-120 0 of 2");
	EXPECT_SUMMARY(BLOCK, "@100#0 E99; @130#1 E129", "1 99-130 0 of 2");
	EXPECT_SUMMARY(BLOCK, "@100#0 E100", "1 100-100 0 of 1");
	/* Only open and damaged blocks are decoded. */
	EXPECT_SUMMARY(BLOCK, "@100#0 E120; @130#1 N150", "1 100-150 1 of 2");
	EXPECT_SUMMARY(BLOCK, "@100#0 E120; @130#1 N150 N160 !32:63", "1 100-150 0 of 2");
	EXPECT_SUMMARY(BLOCK, "@100#0 E120 !0:09", "0 0-0 0 of 1");
	EXPECT_SUMMARY(BLOCK, "@100#0 N120; @130#1 E150 !0:09", "1 100-120 1 of 2");
	EXPECT_SUMMARY(BLOCK, "!0:00", "0 0-0 0 of 0");
	/* block_end is not in the last 256 bytes. */
	EXPECT_SUMMARY(1024, "@100#0 E120; @130#1 E150", "1 100-150 0 of 2");
}

static void test_summaries_of_sampled_files(void)
{
	Scene scene = scene_of(257, 0, 0, 9, "@10090#1009 N99999");
	const LttTracefileSummary *summary = ltt_tracefile_get_summary(scene.file);

	CU_ASSERT_EQUAL(summary->first_ns, 10000);
	CU_ASSERT_EQUAL(summary->last_ns, 99999);
	CU_ASSERT_EQUAL(summary->n_open_blocks, 1);
	CU_ASSERT_EQUAL(summary->n_used_blocks, 257);
	scene_clear(&scene);
}

/* The times of a trace are those of its CPUs, and of control files only without any. */
static void test_span_of_a_trace(void)
{
	Scene scene = scene_new(BLOCK, "@100#0 E120");
	guint64 start_ns;
	guint64 end_ns;

	CU_ASSERT_TRUE(ltt_trace_get_span(scene.trace, &start_ns, &end_ns));
	CU_ASSERT_TRUE(start_ns == 100 && end_ns == 120);
	ltt_trace_free(scene.trace);
	hand_add(&scene.hand, "cpu/1", "@90#0 E95");
	hand_add(&scene.hand, "control/more", "@1#0 E1000");
	scene_open(&scene);
	CU_ASSERT_TRUE(ltt_trace_get_span(scene.trace, &start_ns, &end_ns));
	CU_ASSERT_TRUE(start_ns == 90 && end_ns == 120);
	scene_clear(&scene);
	scene = (Scene){.hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL)};
	hand_add(&scene.hand, "control/more", "@1#0 E1000");
	scene_open(&scene);
	CU_ASSERT_TRUE(ltt_trace_get_span(scene.trace, &start_ns, &end_ns));
	CU_ASSERT_TRUE(start_ns == 0 && end_ns == 1000);
	scene_clear(&scene);
}

/* The ends of a block: start, id, end. */
static void test_ends(void)
{
	Scene scene = scene_new(BLOCK, "@100=5#3 E120=9; @100#3 N110; @100 !-4:18000000; "
				       "@100 E120 !-4:43000000; @100 E120 !-4:42000000");
	LttBlockEnds ends;

	ltt_tracefile_read_ends(scene.file, 0, &ends);
	CU_ASSERT_TRUE(ends.is_used && ends.has_start && ends.is_complete);
	CU_ASSERT_TRUE(ends.block_id == 3 && ends.start.cycles == 100 && ends.start.time_ns == 5);
	CU_ASSERT_TRUE(ends.end.cycles == 120 && ends.end.time_ns == 9);
	for (guint64 i = 1; i < 5; i++) {
		ltt_tracefile_read_ends(scene.file, i, &ends);
		CU_ASSERT_TRUE(ends.is_used && ends.has_start && !ends.is_complete);
		CU_ASSERT_EQUAL(ends.end.time_ns, 0);
	}
	scene_clear(&scene);
}

/* A block whose times fall states their range, with a time value before its block_end. */
static void test_ends_of_falling_blocks(void)
{
	static const struct {
		const char *block;
		guint64 first_ns, last_ns;
		gboolean falls;
	} cases[] = {
		{"@100 H110=90 H120=130 E120=90", 90, 130, TRUE},
		{"@100 H110=120 H110=115 H120=120 E120=100", 100, 120, TRUE},
		{"@100 H110=90 H120=95 E120=90", 90, 100, TRUE},
		{"@100 H110=120 E120=101", 100, 120, TRUE},
		/* Another event before the block_end, or a time value of another count. */
		{"@100 H110=90 H120=130 E120=90 !92:0900", 90, 100, TRUE},
		{"@100 H110=90 H120=130 E120=90 !106:77", 90, 100, TRUE},
		{"@100 H110 E120", 100, 120, FALSE},
		{"@100 H100 E100", 100, 100, FALSE},
		{"@100 E100", 100, 100, FALSE},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		Scene scene = scene_new(256, cases[i].block);
		LttBlockEnds ends;

		ltt_tracefile_read_ends(scene.file, 0, &ends);
		CU_ASSERT_TRUE(ends.first_ns == cases[i].first_ns &&
			       ends.last_ns == cases[i].last_ns && ends.falls == cases[i].falls);
		CU_ASSERT_EQUAL(ltt_trace_is_sorted(scene.trace), !cases[i].falls);
		scene_clear(&scene);
	}
}

/* Nothing is between block_end and the final word. */
static void test_ends_of_a_full_block(void)
{
	Scene scene = scene_new(BLOCK, "@100 T110:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa E120");
	LttBlockEnds ends;

	ltt_tracefile_read_ends(scene.file, 0, &ends);
	CU_ASSERT_TRUE(ends.is_complete && ends.end.time_ns == 120);
	scene_clear(&scene);
}

/* block_end is not in the last 256 bytes, which are read first. */
static void test_ends_of_large_blocks(void)
{
	Scene scene = scene_new(1024, "@100#0 E120; @100 E120 !-4:00000000; @100 E120 !26:03");
	LttBlockEnds ends;

	ltt_tracefile_read_ends(scene.file, 0, &ends);
	CU_ASSERT_TRUE(ends.is_complete && ends.end.time_ns == 120);
	for (guint64 i = 1; i < 3; i++) {
		ltt_tracefile_read_ends(scene.file, i, &ends);
		CU_ASSERT_TRUE(ends.is_used && ends.has_start && !ends.is_complete);
	}
	scene_clear(&scene);
}

UNIT_MAIN("block-order", UNIT(test_rotations), UNIT(test_orders_that_are_no_rotation),
	  UNIT(test_blocks_without_a_start), UNIT(test_open_blocks_are_in_use), UNIT(test_windows),
	  UNIT(test_times_that_fall), UNIT(test_windows_and_blocks_without_a_start),
	  UNIT(test_open_blocks_of_a_window), UNIT(test_large_files_are_sampled),
	  UNIT(test_samples_that_do_not_fit), UNIT(test_files_that_are_not_sampled),
	  UNIT(test_open_samples), UNIT(test_summaries), UNIT(test_summaries_of_sampled_files),
	  UNIT(test_span_of_a_trace), UNIT(test_ends), UNIT(test_ends_of_falling_blocks),
	  UNIT(test_ends_of_a_full_block), UNIT(test_ends_of_large_blocks))
