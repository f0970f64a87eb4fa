/* Loads of facilities in a trace that is being recorded: which readers use those after its opening. */
#include "support-hand.h"
#include "support-loads.h"
#include "unit.h"

#include "reader/trace-priv.h"

#include <ltt/ltt-cut.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-stat.h>
#include <ltt/ltt-table.h>

#include <stdio.h>
#include <string.h>

static void add_description(const HandTrace *hand, guint i)
{
	g_autofree char *name = g_strdup_printf("eventdefs/x%u.xml", i);

	hand_append(hand, name, load_descriptions[i], strlen(load_descriptions[i]));
}

/* Compares the end of what hand_read() returns. */
static void expect_end(LttTrace *trace, const char *expected, int line)
{
	g_autofree char *got = hand_read(trace);
	const gsize length = strlen(got);

	unit_assert_text(got + length - MIN(length, strlen(expected)), expected, __FILE__, line);
}

static guint64 count_events(LttTrace *trace)
{
	const LttStatRequest request = {.trace = trace, .n_threads = 1};
	LttStatSummary summary;
	guint64 n_events;

	CU_ASSERT_TRUE_FATAL(ltt_stat(&request, &summary, NULL));
	n_events = summary.total.n_events;
	ltt_stat_summary_clear(&summary);
	return n_events;
}

/* A program that joins after the trace was opened loads its facility before it writes events. */
static void test_loads_after_the_opening(void)
{
	HandTrace hand = load_new_trace(1);
	g_autoptr(LttTrace) trace = NULL;

	hand_append(&hand, "info/session", "", 0);
	hand_add(&hand, "cpu/0", "@1000 X1001:40: E1002");
	hand_add(&hand, "cpu/1", "@1010 N1011 X1012:30: X1013:60: X1014:40: E1015");
	trace = hand_open(&hand);
	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 40, "");
	expect_end(trace,
		   "cpu/0@1000 block_start\ncpu/0@1001 one\ncpu/0@1002 block_end\n"
		   "cpu/1@1010 block_start\ncpu/1@1011 none\n"
		   "! cpu/1: block 0: byte 32: event id 30: no loaded facility covers it\n",
		   __LINE__);
	load_add(&hand, "control/facilities", "h", 7, 50, "");
	add_description(&hand, 2);
	load_add(&hand, "control/facilities", "g", load_checksum(load_descriptions[2]), 30, "");
	expect_end(trace,
		   "cpu/1@1010 block_start\ncpu/1@1011 none\ncpu/1@1012 one\n"
		   "! cpu/1: block 0: byte 38: event id 60: no loaded facility covers it\n",
		   __LINE__);
	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 60, "");
	CU_ASSERT_EQUAL(count_events(trace), 5);
	expect_end(trace, "cpu/1@1013 one\ncpu/1@1014 one\ncpu/1@1015 block_end\n", __LINE__);
	/* A load is reported once, and does not change those that readers have. */
	HAND_EXPECT_PROBLEMS(trace, "control/facilities: block 2: byte 26: facility h (checksum "
				    "0x00000007) is loaded, but not described in eventdefs/\n");
	CU_ASSERT_EQUAL(ltt_trace_get_n_loads(trace), 5);
	hand_clear(&hand);
}

/* A table has the types that the trace had when the tables were listed. */
static void expect_no_rows(LttTrace *trace)
{
	g_autoptr(LttTables) tables = ltt_tables_new(trace);
	const LttTableRequest request = {.table = ltt_tables_find(tables, "builtin.block_start"),
					 .n_threads = 1};
	g_autoptr(LttTableReader) reader = ltt_table_read(&request, NULL);
	LttBatch *batch;

	CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
	while (ltt_table_reader_next(reader, &batch, NULL) == LTT_STEP_EVENT)
		ltt_batch_unref(batch);
	HAND_EXPECT_PROBLEMS(trace, "");
}

/* The block has no event before that of the later facility, so the result has no block of this file. */
static void expect_no_events(const char *path)
{
	g_autoptr(LttTrace) trace = ltt_trace_open(path, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
	expect_end(trace, "control/facilities@0 block_end\n", __LINE__);
	HAND_EXPECT_PROBLEMS(trace, "");
}

/* A cut has the loads that the trace had when it was opened. A merge that reads the same trace meanwhile keeps
 * the later ones. */
static void test_a_cut_beside_a_merge(void)
{
	HandTrace hand = load_new_trace(1);
	g_autofree char *path = g_strconcat(hand.path, ".cut", NULL);
	g_autoptr(GString) got = g_string_new(NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(LttMerge) merge = NULL;
	GError *error = NULL;
	const LttEvent *event;

	hand_append(&hand, "info/session", "", 0);
	hand_add(&hand, "cpu/0", "@1000 X1001:40: X1002:40: E1003");
	trace = hand_open(&hand);
	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 40, "");
	merge = ltt_merge_new(trace, NULL);
	while (ltt_merge_next(merge, &event, NULL) == LTT_STEP_EVENT) {
		const LttCutRequest request = {.trace = trace, .path = path};

		if (event->tracefile->cpu < 0)
			continue;
		if (event->time_ns == 1001) {
			expect_no_rows(trace);
			UNIT_ASSERT_OK(ltt_cut(&request, NULL, &error), error);
			expect_no_events(path);
			expect_end(trace, "cpu/0@1002 one\ncpu/0@1003 block_end\n", __LINE__);
		}
		g_string_append_printf(got, "%s ", event->type->name);
	}
	UNIT_ASSERT_TEXT(got->str, "block_start one one block_end ");
	hand_clear(&hand);
}

/* The members of a joined trace hold their loads, too. */
static void test_held_loads_of_a_joined_trace(void)
{
	HandTrace hand = load_new_trace(1);
	g_autoptr(LttTrace) joined = NULL;

	hand_append(&hand, "info/session", "", 0);
	hand_add(&hand, "cpu/0", "@1000 X1001:40: E1002");
	joined = hand_join(&hand, 1, NULL);
	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 40, "");
	ltt_trace_hold_loads(joined);
	expect_end(joined, "cpu/0@1000 block_start\n", __LINE__);
	ltt_trace_release_loads(joined);
	expect_end(joined, "cpu/0@1001 one\ncpu/0@1002 block_end\n", __LINE__);
	hand_clear(&hand);
}

/* An event of a hidden facility is not skipped without a message if its file has later events. */
static void test_held_loads_before_other_blocks(void)
{
	HandTrace hand = load_new_trace(1);
	g_autoptr(LttTrace) trace = NULL;

	hand_append(&hand, "info/session", "", 0);
	hand_add(&hand, "cpu/0", "@1000 X1001:40: E1002");
	hand_add(&hand, "cpu/0", "@1003 X1004:40: E1005");
	trace = hand_open(&hand);
	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 40, "");
	ltt_trace_hold_loads(trace);
	expect_end(trace,
		   "cpu/0@1000 block_start\n"
		   "! cpu/0: block 0: byte 26: event id 40: no loaded facility covers it\n"
		   "cpu/0@1003 block_start\n",
		   __LINE__);
	ltt_trace_release_loads(trace);
	hand_clear(&hand);
}

/* In a trace that is complete an unknown id is damage. */
static void test_no_loads_after_the_opening(void)
{
	HandTrace hand = load_new_trace(1);
	g_autoptr(LttTrace) trace = NULL;

	hand_add(&hand, "cpu/0", "@1000 X1001:40: E1002");
	trace = hand_open(&hand);
	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 40, "");
	expect_end(trace, "! cpu/0: block 0: byte 26: event id 40: no loaded facility covers it\n",
		   __LINE__);
	hand_clear(&hand);
}

/* A recording creates its state, info/system.xml and control/facilities in this order. */
static void test_a_trace_that_is_being_created(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, LOADS_BLOCK_BYTES, NULL);
	g_autofree char *path = g_build_filename(hand.path, "control/facilities", NULL);
	g_autofree char *later = g_build_filename(hand.path, "later", NULL);
	g_autoptr(LttTrace) trace = NULL;

	hand_append(&hand, "info/session.new", "", 0);
	hand_add(&hand, "cpu/0", "@1000 N1001 E1002");
	CU_ASSERT_EQUAL(rename(path, later), 0);
	trace = hand_open(&hand);
	CU_ASSERT_EQUAL(ltt_trace_get_n_loads(trace), 1);
	CU_ASSERT_EQUAL(rename(later, path), 0);
	expect_end(trace, "cpu/0@1000 block_start\ncpu/0@1001 none\ncpu/0@1002 block_end\n",
		   __LINE__);
	HAND_EXPECT_PROBLEMS(trace, "");
	hand_clear(&hand);
}

UNIT_MAIN("live-loads", UNIT(test_loads_after_the_opening), UNIT(test_a_cut_beside_a_merge),
	  UNIT(test_held_loads_of_a_joined_trace), UNIT(test_held_loads_before_other_blocks),
	  UNIT(test_no_loads_after_the_opening), UNIT(test_a_trace_that_is_being_created))
