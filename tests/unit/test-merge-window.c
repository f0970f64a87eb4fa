/* Merging a time window: which blocks are read, so that damage outside the window is not reported; and how
 * far a merge that is told and cancelled has come. */
#include "support-hand.h"
#include "unit.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-merge.h>

#include <string.h>

#define BLOCK 96

/* The events of cpu/... in a window, "0@100 1@110 ...", and "! MESSAGE" for damage. */
static char *read_window(const HandTrace *hand, guint64 from_ns, guint64 to_ns,
			 gboolean reads_ahead)
{
	g_autoptr(LttTrace) trace = hand_open(hand);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttMerge) merge = NULL;
	GString *text = g_string_new(NULL);
	const LttEvent *event;
	LttStep step;

	ltt_select_set_all(select, TRUE);
	ltt_select_set_window(select, from_ns, to_ns);
	CU_ASSERT_TRUE(ltt_select_set_cpus(select, "0-3", NULL));
	merge = ltt_merge_new(trace, select);
	if (reads_ahead)
		ltt_merge_read_ahead(merge);
	do {
		g_autoptr(GError) error = NULL;

		step = ltt_merge_next(merge, &event, &error);
		if (step == LTT_STEP_EVENT) {
			g_string_append_printf(text, "%s@%" G_GUINT64_FORMAT " ",
					       ltt_tracefile_get_name(event->tracefile) +
						       strlen("cpu/"),
					       event->time_ns);
		} else if (step == LTT_STEP_ERROR) {
			g_string_append_printf(text, "! %s ", error->message);
			ltt_merge_skip_block(merge);
		}
	} while (step != LTT_STEP_END);
	return g_string_free(text, FALSE);
}

static void expect_window(const HandTrace *hand, guint64 from_ns, guint64 to_ns,
			  const char *expected, int line)
{
	for (guint i = 0; i < 2; i++) {
		g_autofree char *got = read_window(hand, from_ns, to_ns, i == 1);

		unit_assert_text(got, expected, __FILE__, line);
	}
}
#define EXPECT_WINDOW(hand, from_ns, to_ns, expected)                                              \
	expect_window(hand, from_ns, to_ns, expected, __LINE__)

#define DAMAGE(block)                                                                              \
	"! cpu/0: block " block ": byte 26: event id 99: no loaded facility covers it "

/* Five blocks of cpu/0, of which the first, the third and the last one are damaged; one of cpu/1. */
static HandTrace new_trace(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);

	hand_add(&hand, "cpu/0", "@100#0 X110:99: E120");
	hand_add(&hand, "cpu/0", "@200#1 N210 E220");
	hand_add(&hand, "cpu/0", "@300#2 X310:99: E320");
	hand_add(&hand, "cpu/0", "@400#3 N410 E420");
	hand_add(&hand, "cpu/0", "@500#4 X510:99: E520");
	hand_add(&hand, "cpu/1", "@250#0 N415 E600");
	return hand;
}

/* A block is read only if it may have events of the window. */
static void test_blocks_outside_a_window(void)
{
	HandTrace hand = new_trace();

	EXPECT_WINDOW(&hand, 205, 230, "0@210 0@220 ");
	EXPECT_WINDOW(&hand, 401, 500, "0@410 1@415 0@420 ");
	/* The block before the window may reach into it. */
	EXPECT_WINDOW(&hand, 330, 450, DAMAGE("2") "0@400 0@410 1@415 0@420 ");
	EXPECT_WINDOW(&hand, 200, 230, DAMAGE("0") "0@200 0@210 0@220 ");
	EXPECT_WINDOW(&hand, 0, 100, "");
	EXPECT_WINDOW(&hand, 0, 101, "0@100 " DAMAGE("0"));
	EXPECT_WINDOW(&hand, 0, G_MAXUINT64,
		      "0@100 " DAMAGE("0") "0@200 0@210 0@220 1@250 0@300 " DAMAGE(
			      "2") "0@400 0@410 1@415 0@420 0@500 " DAMAGE("4") "1@600 ");
	hand_clear(&hand);
}

/* Open blocks may have events of any time. */
static void test_open_blocks_outside_a_window(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);

	hand_add(&hand, "cpu/0", "@100#0 N110 N410");
	hand_add(&hand, "cpu/0", "@200#1 X210:99: E220");
	hand_add(&hand, "cpu/0", "@300#2 N310 E320");
	hand_add(&hand, "cpu/0", "@400#3 N405 E410");
	hand_add(&hand, "cpu/0", "@500#4 X510:99: E520");
	EXPECT_WINDOW(&hand, 401, 500, "0@410 0@405 0@410 ");
	hand_clear(&hand);
}

/* A damaged block of a window is passed over once, with the blocks after it read. */
static void test_damage_in_a_window(void)
{
	HandTrace hand = new_trace();

	EXPECT_WINDOW(&hand, 210, 415, "0@210 0@220 1@250 0@300 " DAMAGE("2") "0@400 0@410 ");
	hand_clear(&hand);
}

/* ---- progress ---- */

/* Appends what is done, and cancels at the second call. */
static gboolean note(const LttProgress *progress, gpointer user_data)
{
	GString *text = user_data;

	CU_ASSERT_EQUAL(progress->unit, LTT_PROGRESS_EVENTS);
	CU_ASSERT_EQUAL(progress->n_total, 0);
	g_string_append_printf(text, "%u ", (guint)progress->n_done);
	return text->len != strlen("0 1 ");
}

/* Each block of one file is offered at once; the merge goes on after it was cancelled. */
static void test_progress(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttMerge) merge = NULL;
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	const LttEvent *event;
	guint n_events = 0;

	hand_add(&hand, "cpu/0", "@100#0");
	hand_add(&hand, "cpu/0", "@200#1 N210 E220");
	trace = hand_open(&hand);
	ltt_select_set_all(select, TRUE);
	CU_ASSERT_TRUE(ltt_select_set_cpus(select, "0", NULL));
	merge = ltt_merge_new(trace, select);
	ltt_merge_set_callbacks(merge, &(LttJobCallbacks){.on_progress = note, .user_data = text});
	CU_ASSERT_EQUAL(ltt_merge_next(merge, &event, &error), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(ltt_merge_next(merge, &event, &error), LTT_STEP_ERROR);
	CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED));
	while (ltt_merge_next(merge, &event, NULL) == LTT_STEP_EVENT)
		n_events++;
	CU_ASSERT_EQUAL(n_events, 3);
	UNIT_ASSERT_TEXT(text->str, "0 1 1 4 ");
	/* Without the functions nothing is told. */
	ltt_merge_set_callbacks(merge, NULL);
	CU_ASSERT_EQUAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_END);
	UNIT_ASSERT_TEXT(text->str, "0 1 1 4 ");
	hand_clear(&hand);
}

/* A trace without tracefiles, or without one that is selected, has no events. */
static void test_nothing_to_merge(void)
{
	HandTrace hand = new_trace();
	g_autoptr(LttTrace) trace = hand_open(&hand);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;

	CU_ASSERT_TRUE(ltt_select_set_cpus(select, "3", NULL));
	merge = ltt_merge_new(trace, select);
	ltt_merge_read_ahead(merge);
	CU_ASSERT_EQUAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_END);
	CU_ASSERT_EQUAL(ltt_merge_drain(merge, NULL), LTT_STEP_END);
	ltt_merge_skip_block(merge);
	CU_ASSERT_EQUAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_END);
	ltt_merge_free(NULL);
	hand_clear(&hand);
}

UNIT_MAIN("merge-window", UNIT(test_blocks_outside_a_window),
	  UNIT(test_open_blocks_outside_a_window), UNIT(test_damage_in_a_window),
	  UNIT(test_progress), UNIT(test_nothing_to_merge))
