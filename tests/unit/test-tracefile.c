/* A tracefile of a recording: its size, its summary and its descriptor while it grows. */
#include "support-follow.h"
#include "unit.h"

#include "reader/trace-priv.h"

#include <unistd.h>

static LttTracefile *get_first_cpu(const FollowScene *scene)
{
	LttTracefile *file = ltt_trace_get_tracefile(scene->trace, 1);

	UNIT_ASSERT_TEXT(ltt_tracefile_get_name(file), "cpu/0");
	return file;
}

/* A program whose standard input is closed gets its descriptor for a tracefile. */
static void test_descriptor_0(void)
{
	FollowScene scene = follow_scene_new("zero", 0);
	const int input = dup(0);
	LttTracefile *file;

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 0, 150);
	follow_scene_open(&scene);
	file = get_first_cpu(&scene);
	CU_ASSERT_EQUAL(dup2(file->file.fd, 0), 0);
	close(file->file.fd);
	file->file.fd = 0;
	ASSERT_ROUND(&scene, "0:100 0:150", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 1, 1, 200, 0, 0);
	ASSERT_ROUND(&scene, "0:200", LTT_STEP_WAIT);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
	CU_ASSERT_EQUAL(dup2(input, 0), 0);
	close(input);
}

/* The summary of a file that is measured again is that of the blocks that it has then. */
static void test_a_summary_of_a_file_that_grew(void)
{
	FollowScene scene = follow_scene_new("summary", 0);
	const LttTracefileSummary *summary;
	LttTracefile *file;

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 0, 150);
	follow_scene_open(&scene);
	file = get_first_cpu(&scene);
	summary = ltt_tracefile_get_summary(file);
	CU_ASSERT_TRUE(summary->n_used_blocks == 1 && summary->last_ns == 150);
	follow_put_block(&scene, "cpu/0", 1, 1, 200, 0, 250);
	ltt_tracefile_measure(file);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_blocks(file), 2);
	CU_ASSERT_EQUAL(file->size_bytes, (guint64)2 * BLOCK_BYTES);
	summary = ltt_tracefile_get_summary(file);
	CU_ASSERT_TRUE(summary->n_used_blocks == 2 && summary->first_ns == 100 &&
		       summary->last_ns == 250);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* An event that is followed has the number of its block. */
static void test_blocks_of_events(void)
{
	FollowScene scene = follow_scene_new("blocks", 0);
	g_autoptr(GString) got = g_string_new(NULL);
	const LttEvent *event;

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 0, 150);
	follow_put_block(&scene, "cpu/0", 1, 1, 200, 0, 0);
	follow_scene_open(&scene);
	while (ltt_follow_next(scene.follow, &event, NULL) == LTT_STEP_EVENT)
		g_string_append_printf(got, "%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT " ",
				       event->block, event->time_ns);
	UNIT_ASSERT_TEXT(got->str, "0:100 0:150 1:200 ");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

UNIT_MAIN("tracefile", UNIT(test_descriptor_0), UNIT(test_blocks_of_events),
	  UNIT(test_a_summary_of_a_file_that_grew))
