/* Copying many events of a merge at a time. */
#include "support-hand.h"
#include "unit.h"

#include "reader/merge-priv.h"

#include <ltt/ltt-merge.h>

/* Ordinary events are copied up to a number of them, and of bytes. */
static void test_copying(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, 256, NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;
	LttEvent events[9];
	guint64 n_bytes = 1;

	hand_add(&hand, "cpu/0", "@100 T110:abc T120:abcde T130:ab N140 N150 E160");
	trace = hand_open(&hand);
	merge = ltt_merge_new(trace, NULL);
	CU_ASSERT_EQUAL(ltt_merge_copy(merge, events, 9, 11, &n_bytes), 0);
	do {
		CU_ASSERT_EQUAL_FATAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_EVENT);
	} while (event->time_ns != 100);
	CU_ASSERT_EQUAL_FATAL(ltt_merge_copy(merge, events, 9, 11, &n_bytes), 2);
	CU_ASSERT_EQUAL(n_bytes, 1 + 4 + 6);
	CU_ASSERT_TRUE(events[0].time_ns == 110 && events[0].payload_bytes == 4);
	CU_ASSERT_TRUE(events[1].time_ns == 120 && events[1].payload_bytes == 6);
	CU_ASSERT_EQUAL(ltt_merge_copy(merge, events, 9, 11, &n_bytes), 0);
	CU_ASSERT_EQUAL_FATAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(event->time_ns, 130);
	CU_ASSERT_EQUAL_FATAL(ltt_merge_copy(merge, events, 1, 11, &n_bytes), 1);
	CU_ASSERT_EQUAL_FATAL(ltt_merge_copy(merge, events, 9, 11, &n_bytes), 1);
	CU_ASSERT_EQUAL(events[0].time_ns, 150);
	CU_ASSERT_EQUAL_FATAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(event->time_ns, 160);
	CU_ASSERT_EQUAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_END);
	hand_clear(&hand);
}

/* Events of several files are copied in turn, and a later step goes on behind them. */
static void test_copying_of_two_files(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, 256, NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;
	LttEvent events[9];
	guint64 n_bytes = 0;

	hand_add(&hand, "cpu/0", "@100 N110 T112:a N114 N119 E130");
	hand_add(&hand, "cpu/1", "@101 N111 N113 T115:bc N116 E131");
	trace = hand_open(&hand);
	merge = ltt_merge_new(trace, NULL);
	do {
		CU_ASSERT_EQUAL_FATAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_EVENT);
	} while (event->time_ns != 101);
	CU_ASSERT_EQUAL_FATAL(ltt_merge_copy(merge, events, 6, 99, &n_bytes), 6);
	for (guint i = 0; i < 6; i++) {
		CU_ASSERT_EQUAL(events[i].time_ns, 110 + i);
		CU_ASSERT_EQUAL(ltt_tracefile_get_cpu(events[i].tracefile), (gint)i % 2);
	}
	CU_ASSERT_EQUAL(n_bytes, 2 + 3);
	CU_ASSERT_EQUAL_FATAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(event->time_ns, 116);
	hand_clear(&hand);
}

/* A selection by names has to examine each event, so nothing is copied. */
static void test_copying_of_selected_events(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, 256, NULL);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;
	LttEvent events[9];
	guint64 n_bytes = 0;

	hand_add(&hand, "cpu/0", "@100 N110 T112:a N114 E130");
	trace = hand_open(&hand);
	CU_ASSERT_TRUE(ltt_select_set_events(select, "various.none", NULL));
	merge = ltt_merge_new(trace, select);
	CU_ASSERT_EQUAL_FATAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(event->time_ns, 110);
	CU_ASSERT_EQUAL(ltt_merge_copy(merge, events, 9, 99, &n_bytes), 0);
	CU_ASSERT_EQUAL_FATAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(event->time_ns, 114);
	CU_ASSERT_EQUAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_END);
	hand_clear(&hand);
}

UNIT_MAIN("merge-copy", UNIT(test_copying), UNIT(test_copying_of_two_files),
	  UNIT(test_copying_of_selected_events))
