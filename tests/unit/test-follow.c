/* Following generated files: events after the horizon, late events, overwritten events, invalid
 * events. tests/cli/test_follow.py follows real recordings. */
#include "support-follow.h"
#include "unit.h"

#include "model/ondisk-priv.h"

#include <ltt/ltt-time.h>

#include <glib/gstdio.h>
#include <unistd.h>

static void test_events_come_as_they_are_written(void)
{
	FollowScene scene = follow_scene_new("written", 0);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 0, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_WAIT);
	ASSERT_ROUND(&scene, "", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 0);
	follow_put_block(&scene, "cpu/2", 0, 0, 150, 250, 0);
	ASSERT_ROUND(&scene, "2:150 0:200 2:250", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	follow_put_block(&scene, "cpu/0", 1, 1, 310, 0, 0);
	ASSERT_ROUND(&scene, "0:300 0:310", LTT_STEP_WAIT);
	follow_scene_end(&scene);
	ASSERT_ROUND(&scene, "", LTT_STEP_END);
	ASSERT_ROUND(&scene, "", LTT_STEP_END);
	ASSERT_LOSSES(&scene, "");
	follow_scene_clear(&scene);
}

static void test_files_of_equal_times_come_in_their_order(void)
{
	FollowScene scene = follow_scene_new("equal", 0);

	follow_put_block(&scene, "cpu/2", 0, 0, 100, 200, 0);
	follow_scene_open(&scene);
	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	follow_put_block(&scene, "cpu/1", 0, 0, 200, 200, 200);
	ASSERT_ROUND(&scene, "0:100 2:100 0:200 1:200 1:200 1:200 2:200 0:300", LTT_STEP_WAIT);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

static void test_a_file_keeps_its_order_where_its_times_fall(void)
{
	FollowScene scene = follow_scene_new("falling", 0);

	follow_put_block(&scene, "cpu/0", 0, 0, 300, 100, 200);
	follow_put_block(&scene, "cpu/1", 0, 0, 150, 250, 350);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "1:150 1:250 0:300 0:100 0:200 1:350", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene, "");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

static void test_what_is_too_new_is_held_back(void)
{
	const guint64 later = 2 * NOW_NS;
	g_autofree char *rest =
		g_strdup_printf("1:%" G_GUINT64_FORMAT " 0:%" G_GUINT64_FORMAT, later, later + 1);
	FollowScene scene = follow_scene_new("new", 0);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, later + 1, 0);
	follow_put_block(&scene, "cpu/1", 0, 0, 50, later, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "1:50 0:100", LTT_STEP_WAIT);
	ASSERT_ROUND(&scene, "", LTT_STEP_WAIT);
	follow_scene_end(&scene);
	ASSERT_ROUND(&scene, rest, LTT_STEP_END);
	follow_scene_clear(&scene);
}

static void test_late_events_are_counted(void)
{
	FollowScene scene = follow_scene_new("late", 0);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 900, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "0:100 0:900", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/1", 0, 0, 200, 300, 950);
	ASSERT_ROUND(&scene, "1:200 1:300 1:950", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene,
		      "2 events were returned after later ones: not in the file after 2 ms\n");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* Of events with equal times, those of a later file were returned first. */
static void test_a_late_event_with_the_time_of_the_last(void)
{
	FollowScene scene = follow_scene_new("late-equal", 0);

	follow_put_block(&scene, "cpu/1", 0, 0, 100, 200, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "1:100 1:200", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/2", 0, 0, 200, 0, 0);
	ASSERT_ROUND(&scene, "2:200", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene, "");
	follow_put_block(&scene, "cpu/1", 0, 0, 100, 200, 200);
	ASSERT_ROUND(&scene, "1:200", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene,
		      "1 event was returned after later ones: not in the file after 2 ms\n");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

static void test_a_flight_recorder_goes_round(void)
{
	FollowScene scene = follow_scene_new("round", 3);

	follow_scene_open(&scene);
	follow_put_block(&scene, "cpu/0", 2, 8, 800, 0, 850);
	follow_put_block(&scene, "cpu/0", 0, 9, 900, 0, 0);
	follow_put_block(&scene, "cpu/0", 1, 7, 700, 0, 750);
	ASSERT_ROUND(&scene, "0:700 0:750 0:800 0:850 0:900", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 0, 9, 900, 0, 950);
	ASSERT_ROUND(&scene, "0:950", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 1, 10, 1000, 0, 0);
	ASSERT_ROUND(&scene, "0:1000", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene, "");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

static void test_blocks_that_were_written_over_are_counted(void)
{
	FollowScene scene = follow_scene_new("over", 3);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 0, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_WAIT);
	/* The rest of block 0, and 1 to 3. */
	follow_put_block(&scene, "cpu/0", 0, 6, 600, 0, 0);
	follow_put_block(&scene, "cpu/0", 1, 4, 400, 0, 450);
	follow_put_block(&scene, "cpu/0", 2, 5, 500, 0, 550);
	ASSERT_ROUND(&scene, "0:400 0:450 0:500 0:550 0:600", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene,
		      "cpu/0: 4 blocks were overwritten before all of their events could be "
		      "read\n");
	follow_put_block(&scene, "cpu/0", 0, 6, 600, 0, 650);
	ASSERT_ROUND(&scene, "0:650", LTT_STEP_WAIT);
	/* All of 7. */
	follow_put_block(&scene, "cpu/0", 1, 10, 1000, 0, 1050);
	follow_put_block(&scene, "cpu/0", 2, 8, 800, 0, 850);
	follow_put_block(&scene, "cpu/0", 0, 9, 900, 0, 950);
	ASSERT_ROUND(&scene, "0:800 0:850 0:900 0:950 0:1000 0:1050", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene,
		      "cpu/0: 5 blocks were overwritten before all of their events could be "
		      "read\n");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

static void test_made_up_ids_end(void)
{
	FollowScene scene = follow_scene_new("circle", 4);
	const LttEvent *event;
	guint n_events = 0;

	for (guint32 i = 0; i < 4; i++)
		follow_put_block(&scene, "cpu/0", i, i << 30, 100, 0, 100);
	follow_scene_open(&scene);
	while (ltt_follow_next(scene.follow, &event, NULL) == LTT_STEP_EVENT)
		n_events++;
	CU_ASSERT_TRUE(n_events >= 8 && n_events <= 12);
	follow_scene_end(&scene);
	for (n_events = 0; ltt_follow_next(scene.follow, &event, NULL) == LTT_STEP_EVENT;)
		n_events++;
	CU_ASSERT_TRUE(n_events <= 12);
	follow_scene_clear(&scene);
}

static void test_an_open_block_is_left_when_the_next_has_begun(void)
{
	FollowScene scene = follow_scene_new("left", 0);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 0, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 0);
	follow_put_block(&scene, "cpu/0", 1, 1, 300, 0, 0);
	ASSERT_ROUND(&scene, "0:200 0:300", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 3, 3, 500, 0, 0);
	ASSERT_ROUND(&scene, "", LTT_STEP_WAIT);
	follow_scene_end(&scene);
	ASSERT_ROUND(&scene, "0:500", LTT_STEP_END);
	follow_scene_clear(&scene);
}

static void test_damage_is_told_and_passed_over(void)
{
	static const guint8 strange[] = {99, 0};
	FollowScene scene = follow_scene_new("damage", 0);
	g_autoptr(GError) error = NULL;
	const LttEvent *event;

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	follow_write(&scene, "cpu/0", 26, strange, sizeof(strange));
	follow_put_block(&scene, "cpu/0", 1, 1, 400, 0, 0);
	follow_scene_open(&scene);
	CU_ASSERT_EQUAL(ltt_follow_next(scene.follow, &event, &error), LTT_STEP_EVENT);
	for (guint i = 0; i < 2; i++) {
		g_clear_error(&error);
		CU_ASSERT_EQUAL(ltt_follow_next(scene.follow, &event, &error), LTT_STEP_ERROR);
		UNIT_ASSERT_TEXT(error->message,
				 "cpu/0: block 0: byte 26: event id 99: no loaded facility covers "
				 "it");
	}
	ltt_follow_skip_block(scene.follow);
	/* Skips nothing without an error. */
	follow_put_block(&scene, "cpu/0", 1, 1, 400, 450, 0);
	CU_ASSERT_EQUAL(ltt_follow_next(scene.follow, &event, NULL), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(event->time_ns, 400);
	ltt_follow_skip_block(scene.follow);
	ASSERT_ROUND(&scene, "0:450", LTT_STEP_WAIT);
	ltt_follow_skip_block(scene.follow);
	follow_put_block(&scene, "cpu/0", 1, 1, 400, 450, 500);
	ASSERT_ROUND(&scene, "0:500", LTT_STEP_WAIT);
	follow_scene_end(&scene);
	ASSERT_ROUND(&scene, "", LTT_STEP_END);
	follow_scene_clear(&scene);
}

/* The event after those that were read is damaged. */
static void test_damage_after_events_that_were_read(void)
{
	static const guint8 strange[] = {99, 0};
	FollowScene scene = follow_scene_new("damage-after", 0);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "0:100 0:200", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	follow_write(&scene, "cpu/0", 48, strange, sizeof(strange));
	ASSERT_ROUND(&scene, "", LTT_STEP_ERROR);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* The rest of a skipped block is not read, also if the writer continues in it. */
static void test_a_skipped_block_stays_skipped(void)
{
	static const guint8 strange[] = {99, 0};
	FollowScene scene = follow_scene_new("skipped", 0);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 0);
	follow_write(&scene, "cpu/0", 26, strange, sizeof(strange));
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_ERROR);
	ltt_follow_skip_block(scene.follow);
	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	ASSERT_ROUND(&scene, "", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 1, 1, 400, 0, 0);
	ASSERT_ROUND(&scene, "0:400", LTT_STEP_WAIT);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

static void test_a_session_of_another_layout_is_refused(void)
{
	FollowScene scene = follow_scene_new("layout", 0);
	g_autoptr(GError) error = NULL;

	follow_write_session(&scene, 4096, 0);
	scene.trace = ltt_trace_open(scene.path, NULL);
	CU_ASSERT_PTR_NULL(ltt_follow_new(scene.trace, NULL, DELAY_MS, &error));
	CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, LTT_ERROR_CORRUPT));
	UNIT_ASSERT_TEXT(error->message,
			 "info/session: is for blocks of 4096 bytes and version 2.0, "
			 "which info/system.xml contradicts");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

static void test_a_recording_that_ended_after_the_trace_was_opened(void)
{
	FollowScene scene = follow_scene_new("ended", 0);

	follow_put_block(&scene, "cpu/2", 0, 0, 100, 0, 0);
	scene.trace = ltt_trace_open(scene.path, NULL);
	follow_put_block(&scene, "cpu/2", 0, 0, 100, 200, 300);
	follow_put_block(&scene, "cpu/1", 0, 0, 200, 0, 0);
	follow_scene_end(&scene);
	scene.follow = ltt_follow_new(scene.trace, NULL, DELAY_MS, NULL);
	ASSERT_ROUND(&scene, "2:100 1:200 2:200 2:300", LTT_STEP_END);
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(scene.trace); i++)
		CU_ASSERT_EQUAL(ltt_tracefile_get_index(ltt_trace_get_tracefile(scene.trace, i)),
				i);
	follow_scene_clear(&scene);
}

/* The blocks of the window are in front of earlier ones. */
static void test_a_window_of_blocks_in_another_order(void)
{
	FollowScene scene = follow_scene_new("window", 0);
	g_autoptr(LttSelect) select = ltt_select_new();

	ltt_select_set_all(select, TRUE);
	ltt_select_set_window(select, 500, G_MAXUINT64);
	follow_put_block(&scene, "cpu/0", 0, 2, 500, 0, 550); /* rotated */
	follow_put_block(&scene, "cpu/0", 1, 0, 100, 0, 150);
	follow_put_block(&scene, "cpu/0", 2, 1, 300, 0, 350);
	follow_put_block(&scene, "cpu/1", 0, 2, 510, 0, 560); /* reversed */
	follow_put_block(&scene, "cpu/1", 1, 1, 310, 0, 360);
	follow_put_block(&scene, "cpu/1", 2, 0, 110, 0, 160);
	scene.trace = ltt_trace_open(scene.path, NULL);
	scene.follow = ltt_follow_new(scene.trace, select, DELAY_MS, NULL);
	ASSERT_ROUND(&scene, "0:500 1:510 0:550 1:560", LTT_STEP_WAIT);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* Following ends when the recording has passed the end of the window. */
static void test_the_end_of_a_window(void)
{
	FollowScene scene = follow_scene_new("window-end", 0);
	g_autoptr(LttSelect) select = ltt_select_new();

	ltt_select_set_all(select, TRUE);
	ltt_select_set_window(select, 150, 250);
	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	scene.trace = ltt_trace_open(scene.path, NULL);
	scene.follow = ltt_follow_new(scene.trace, select, DELAY_MS, NULL);
	ASSERT_ROUND(&scene, "0:200", LTT_STEP_END);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* A tracefile that exists and cannot be opened is reported, also while it is recorded. */
static void test_a_file_that_cannot_be_opened(void)
{
	FollowScene scene = follow_scene_new("unopened", 0);
	g_autofree char *folder = g_build_filename(scene.path, "cpu", "1", NULL);
	const LttProblem *problem;

	CU_ASSERT_EQUAL(g_mkdir(folder, 0700), 0);
	follow_put_block(&scene, "cpu/0", 0, 0, 100, 0, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_WAIT);
	CU_ASSERT_EQUAL_FATAL(ltt_trace_get_n_problems(scene.trace), 1);
	problem = ltt_trace_get_problem(scene.trace, 0);
	UNIT_ASSERT_TEXT(problem->tracefile, "cpu/1");
	UNIT_ASSERT_TEXT(problem->message, "it is not a regular file");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* A block without an end is left without a loss when the next one of the ring begins. */
static void test_an_open_block_of_a_ring_is_left(void)
{
	FollowScene scene = follow_scene_new("ring", 3);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 0, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 1, 1, 200, 0, 0);
	ASSERT_ROUND(&scene, "0:200", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene, "");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* The end of the recording trims blocks that the follow has seen and that have no events. */
static void test_blocks_that_are_trimmed(void)
{
	static const guint8 unused[2 * BLOCK_BYTES];
	FollowScene scene = follow_scene_new("trimmed", 0);
	g_autofree char *path = g_build_filename(scene.path, "cpu/0", NULL);
	guint64 start_ns;
	guint64 end_ns;

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	follow_write(&scene, "cpu/0", BLOCK_BYTES, unused, sizeof(unused));
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "0:100 0:200 0:300", LTT_STEP_WAIT);
	CU_ASSERT_EQUAL(truncate(path, BLOCK_BYTES), 0);
	follow_scene_end(&scene);
	ASSERT_ROUND(&scene, "", LTT_STEP_END);
	g_clear_pointer(&scene.follow, ltt_follow_free);
	CU_ASSERT_TRUE(ltt_trace_get_span(scene.trace, &start_ns, &end_ns));
	CU_ASSERT_TRUE(start_ns == 100 && end_ns == 300);
	CU_ASSERT_EQUAL(ltt_trace_get_n_problems(scene.trace), 0);
	follow_scene_clear(&scene);
}

static void test_the_state_of_a_recording(void)
{
	FollowScene scene = follow_scene_new("state", 0);
	guint64 now_ns = 0;

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	follow_scene_open(&scene);
	CU_ASSERT_EQUAL(ltt_trace_get_live_state(scene.trace, &now_ns), LTT_LIVE_RUNNING);
	CU_ASSERT_TRUE(now_ns >= NOW_NS && now_ns < 2 * NOW_NS);
	CU_ASSERT_EQUAL(ltt_trace_get_live_state(scene.trace, NULL), LTT_LIVE_RUNNING);
	/* No process of the recording is left. */
	close(scene.keeper_fd);
	CU_ASSERT_EQUAL(ltt_trace_get_live_state(scene.trace, &now_ns), LTT_LIVE_ABANDONED);
	CU_ASSERT_EQUAL(now_ns, G_MAXUINT64);
	scene.keeper_fd = -1;
	follow_scene_end(&scene);
	CU_ASSERT_EQUAL(ltt_trace_get_live_state(scene.trace, NULL), LTT_LIVE_ENDED);
	follow_scene_clear(&scene);
}

UNIT_MAIN("follow", UNIT(test_events_come_as_they_are_written),
	  UNIT(test_files_of_equal_times_come_in_their_order),
	  UNIT(test_a_file_keeps_its_order_where_its_times_fall),
	  UNIT(test_what_is_too_new_is_held_back), UNIT(test_late_events_are_counted),
	  UNIT(test_a_late_event_with_the_time_of_the_last),
	  UNIT(test_a_flight_recorder_goes_round),
	  UNIT(test_blocks_that_were_written_over_are_counted), UNIT(test_made_up_ids_end),
	  UNIT(test_an_open_block_is_left_when_the_next_has_begun),
	  UNIT(test_damage_is_told_and_passed_over), UNIT(test_damage_after_events_that_were_read),
	  UNIT(test_a_skipped_block_stays_skipped),
	  UNIT(test_a_session_of_another_layout_is_refused),
	  UNIT(test_a_recording_that_ended_after_the_trace_was_opened),
	  UNIT(test_a_window_of_blocks_in_another_order), UNIT(test_the_end_of_a_window),
	  UNIT(test_a_file_that_cannot_be_opened), UNIT(test_an_open_block_of_a_ring_is_left),
	  UNIT(test_blocks_that_are_trimmed), UNIT(test_the_state_of_a_recording))
