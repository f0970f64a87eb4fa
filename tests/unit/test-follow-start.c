/* Where following starts and how long it waits: windows, delays, facilities that are loaded later, and traces that
 * are complete. */
#include "support-follow.h"
#include "unit.h"

#include "model/ondisk-priv.h"
#include "reader/trace-priv.h"
#include "writer/block-writer-priv.h"

#include <ltt/ltt-eventdefs.h>

#include <glib/gstdio.h>
#include <string.h>

/* Makes the event after the block_start invalid. */
static void damage(const FollowScene *scene, const char *name, guint64 place)
{
	static const guint8 strange[] = {99, 0};

	follow_write(scene, name, place * BLOCK_BYTES + 26, strange, sizeof(strange));
}

/* Blocks before the window are not read, so their damage is not reported. */
static void test_blocks_before_a_window(void)
{
	FollowScene scene = follow_scene_new("before", 0);
	g_autoptr(LttSelect) select = ltt_select_new();

	ltt_select_set_all(select, TRUE);
	ltt_select_set_window(select, 520, G_MAXUINT64);
	for (guint i = 0; i < 5; i++)
		follow_put_block(&scene, "cpu/0", i, i, 100 + 200 * i, 110 + 200 * i,
				 150 + 200 * i);
	damage(&scene, "cpu/0", 0);
	damage(&scene, "cpu/0", 1);
	scene.trace = ltt_trace_open(scene.path, NULL);
	scene.follow = ltt_follow_new(scene.trace, select, DELAY_MS, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(scene.follow);
	ASSERT_ROUND(&scene, "0:550 0:700 0:710 0:750 0:900 0:910 0:950", LTT_STEP_WAIT);
	/* A file that is new begins with its first block. */
	follow_put_block(&scene, "cpu/1", 0, 0, 500, 960, 0);
	ASSERT_ROUND(&scene, "1:960", LTT_STEP_WAIT);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* In a ring the oldest block may lie anywhere. */
static void test_a_window_of_a_ring(void)
{
	FollowScene scene = follow_scene_new("ring-window", 3);
	g_autoptr(LttSelect) select = ltt_select_new();

	ltt_select_set_all(select, TRUE);
	ltt_select_set_window(select, 310, G_MAXUINT64);
	follow_put_block(&scene, "cpu/0", 0, 3, 400, 0, 450);
	follow_put_block(&scene, "cpu/0", 1, 1, 200, 0, 250);
	follow_put_block(&scene, "cpu/0", 2, 2, 300, 0, 350);
	scene.trace = ltt_trace_open(scene.path, NULL);
	scene.follow = ltt_follow_new(scene.trace, select, DELAY_MS, NULL);
	ASSERT_ROUND(&scene, "0:350 0:400 0:450", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene, "");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* ---- delays ---- */

static void expect_wait(guint delay_ms, guint wait_ms, int line)
{
	FollowScene scene = follow_scene_new("wait", 0);
	g_autofree char *got = NULL;
	g_autofree char *expected = g_strdup_printf("%u", wait_ms);

	scene.trace = ltt_trace_open(scene.path, NULL);
	scene.follow = ltt_follow_new(scene.trace, NULL, delay_ms, NULL);
	got = g_strdup_printf("%u", ltt_follow_get_wait_ms(scene.follow));
	unit_assert_text(got, expected, __FILE__, line);
	CU_ASSERT_TRUE(scene.trace->is_followed);
	ltt_follow_free(scene.follow);
	scene.follow = NULL;
	CU_ASSERT_FALSE(scene.trace->is_followed);
	ltt_follow_free(NULL);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

static void test_waits(void)
{
	expect_wait(0, 1, __LINE__);
	expect_wait(LTT_MIN_FOLLOW_DELAY_MS, 1, __LINE__);
	expect_wait(100, 25, __LINE__);
	expect_wait(399, 99, __LINE__);
	expect_wait(400, 100, __LINE__);
	expect_wait(LTT_DEFAULT_FOLLOW_DELAY_MS, 100, __LINE__);
	expect_wait(G_MAXUINT, 100, __LINE__);
}

/* The delay without the two rounds is what an event may take to reach its file. */
static void test_the_delay_in_the_report(void)
{
	FollowScene scene = follow_scene_new("report", 0);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 900, 0);
	scene.trace = ltt_trace_open(scene.path, NULL);
	scene.follow = ltt_follow_new(scene.trace, NULL, 500, NULL);
	ASSERT_ROUND(&scene, "0:100 0:900", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/1", 0, 0, 200, 0, 0);
	ASSERT_ROUND(&scene, "1:200", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene,
		      "1 event was returned after later ones: not in the file after 300 ms\n");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* ---- facilities ---- */

/* Writes a block of a file with an event after its block_start, 10 ns later. */
static void put_event_at(const FollowScene *scene, const char *name, guint32 place, guint16 id,
			 gconstpointer payload, gsize size)
{
	const guint64 start_ns = 100 * (guint64)(place + 1);
	LttBlockWriter block;

	g_assert(ltt_block_writer_init(&block, BLOCK_BYTES, LTT_LITTLE_ENDIAN));
	ltt_block_writer_begin(&block, place, start_ns, start_ns);
	ltt_block_writer_event(&block, start_ns + 10, id, payload, size);
	follow_write(scene, name, place * (guint64)BLOCK_BYTES, block.bytes, block.size_bytes);
	ltt_block_writer_clear(&block);
}

static void put_event(const FollowScene *scene, const char *name, guint16 id, gconstpointer payload,
		      gsize size)
{
	put_event_at(scene, name, 0, id, payload, size);
}

/* Stores the description of a facility with the name f, and its load, from id 30 on. */
static void put_facility(const FollowScene *scene, const char *xml)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities = ltt_eventdefs_parse(xml, strlen(xml), remarks);
	guint8 load[] = {'f', 0, 0, 0, 0, 0, 30, 0, 0, 0};
	const guint32 checksum = GUINT32_TO_LE(ltt_facility_get_checksum(facilities->pdata[0]));

	memcpy(load + 2, &checksum, sizeof(checksum));
	follow_write(scene, "eventdefs/f.xml", 0, xml, strlen(xml));
	put_event(scene, "control/facilities", LTT_ID_FACILITY_LOAD, load, sizeof(load));
}

/* A program that joins the recording stores a description and a load before its first event. */
static void test_a_facility_that_is_loaded_later(void)
{
	FollowScene scene = follow_scene_new("later", 0);
	g_autoptr(GString) got = g_string_new(NULL);
	const LttEvent *event;
	LttStep step;

	follow_put_block(&scene, "cpu/1", 0, 0, 50, 0, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "1:50", LTT_STEP_WAIT);
	put_facility(&scene, "<facility name=\"f\"><event name=\"one\"/></facility>");
	put_event(&scene, "cpu/0", 30, NULL, 0);
	while ((step = ltt_follow_next(scene.follow, &event, NULL)) == LTT_STEP_EVENT)
		g_string_append_printf(got, "%s@%s ", event->type->full_name,
				       ltt_tracefile_get_name(event->tracefile));
	CU_ASSERT_EQUAL(step, LTT_STEP_WAIT);
	UNIT_ASSERT_TEXT(got->str, "builtin.block_start@control/facilities "
				   "builtin.block_start@cpu/0 "
				   "builtin.facility_load@control/facilities f.one@cpu/0 ");
	CU_ASSERT_EQUAL(ltt_trace_get_n_problems(scene.trace), 0);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* The names of process 7, in order of time. */
static void expect_names(const FollowScene *scene, const char *expected, int line)
{
	const LttThreadNames *names = ltt_trace_get_thread_names(scene->trace);
	g_autoptr(GString) got = g_string_new(NULL);
	const char *before = NULL;

	for (guint64 time_ns = 0; time_ns < 1000; time_ns++) {
		const char *name = ltt_thread_names_find_process(names, 0, 7, time_ns);

		if (name != NULL && name != before)
			g_string_append_printf(got, "%s ", name);
		before = name;
	}
	unit_assert_text(got->str, expected, __FILE__, line);
}

/* Events that name processes. */
#define NAMES                                                                                      \
	"<facility name=\"f\"><event name=\"e\"><struct>"                                          \
	"<field name=\"pid\"><uint size=\"1\"/></field>"                                           \
	"<field name=\"name\"><string/></field></struct></event></facility>"

/* Opens a recording that names process 7, and reads what it has. */
static void open_with_a_name(FollowScene *scene)
{
	put_facility(scene, NAMES);
	put_event(scene, "control/processes", 30, "\7one", sizeof("\7one"));
	follow_scene_open(scene);
	ASSERT_ROUND(scene,
		     "rol/facilities:100 rol/processes:100 rol/facilities:110 rol/processes:110",
		     LTT_STEP_WAIT);
	expect_names(scene, "one ", __LINE__);
}

/* Names of threads are those of the rounds, and all of them after the follow. */
static void test_names_of_threads(void)
{
	FollowScene scene = follow_scene_new("names", 0);

	open_with_a_name(&scene);
	put_event_at(&scene, "control/processes", 1, 30, "\7six", sizeof("\7six"));
	ASSERT_ROUND(&scene, "rol/processes:200 rol/processes:210", LTT_STEP_WAIT);
	expect_names(&scene, "one six ", __LINE__);
	put_event(&scene, "control/processes", 30, "\7two", sizeof("\7two"));
	expect_names(&scene, "one six ", __LINE__);
	g_clear_pointer(&scene.follow, ltt_follow_free);
	expect_names(&scene, "two six ", __LINE__);
	put_event(&scene, "control/processes", 30, "\7end", sizeof("\7end"));
	follow_scene_end(&scene);
	scene.follow = ltt_follow_new(scene.trace, NULL, DELAY_MS, NULL);
	expect_names(&scene, "end six ", __LINE__);
	follow_scene_clear(&scene);
}

/* A damaged block of names hides those of no other block. */
static void test_names_beside_damage(void)
{
	FollowScene scene = follow_scene_new("damaged-names", 0);

	open_with_a_name(&scene);
	put_event_at(&scene, "control/processes", 1, 31, "\7six", sizeof("\7six"));
	put_event_at(&scene, "control/processes", 2, 30, "\7ten", sizeof("\7ten"));
	ASSERT_ROUND(&scene, "rol/processes:200", LTT_STEP_ERROR);
	expect_names(&scene, "one ten ", __LINE__);
	ltt_follow_skip_block(scene.follow);
	ASSERT_ROUND(&scene, "rol/processes:300 rol/processes:310", LTT_STEP_WAIT);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* ---- complete traces ---- */

/* Damage of a trace that is not recorded any more is reported and passed over as by a merge. */
static void test_damage_in_a_complete_trace(void)
{
	FollowScene scene = follow_scene_new("complete", 0);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	damage(&scene, "cpu/0", 0);
	follow_put_block(&scene, "cpu/0", 1, 1, 400, 0, 500);
	follow_scene_end(&scene);
	follow_scene_open(&scene);
	CU_ASSERT_FALSE(scene.trace->is_followed);
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_ERROR);
	ltt_follow_skip_block(scene.follow);
	ASSERT_ROUND(&scene, "0:400 0:500", LTT_STEP_END);
	ASSERT_LOSSES(&scene, "");
	follow_scene_clear(&scene);
}

static gpointer publish(gpointer path)
{
	g_autofree char *new_file = g_build_filename(path, "info/session.new", NULL);
	g_autofree char *file = g_build_filename(path, "info/session", NULL);

	return GINT_TO_POINTER(g_rename(new_file, file));
}

/* A recording has its state under another name first. */
static void test_a_recording_that_is_being_created(void)
{
	FollowScene scene = follow_scene_new("created", 0);
	g_autofree char *new_file = g_build_filename(scene.path, "info/session.new", NULL);
	g_autofree char *file = g_build_filename(scene.path, "info/session", NULL);
	GThread *recorder;

	CU_ASSERT_EQUAL_FATAL(g_rename(file, new_file), 0);
	scene.trace = ltt_trace_open(scene.path, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(scene.trace);
	recorder = g_thread_new("recorder", publish, scene.path);
	scene.follow = ltt_follow_new(scene.trace, NULL, DELAY_MS, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(scene.follow);
	CU_ASSERT_PTR_NULL(g_thread_join(recorder));
	ASSERT_ROUND(&scene, "", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	ASSERT_ROUND(&scene, "0:100 0:200 0:300", LTT_STEP_WAIT);
	follow_scene_end(&scene);
	ASSERT_ROUND(&scene, "", LTT_STEP_END);
	follow_scene_clear(&scene);
}

UNIT_MAIN("follow-start", UNIT(test_a_recording_that_is_being_created),
	  UNIT(test_blocks_before_a_window), UNIT(test_a_window_of_a_ring), UNIT(test_waits),
	  UNIT(test_the_delay_in_the_report), UNIT(test_a_facility_that_is_loaded_later),
	  UNIT(test_names_of_threads), UNIT(test_names_beside_damage),
	  UNIT(test_damage_in_a_complete_trace))
