/* Following files whose every byte the test writes: what is held back, what comes late, what was
 * written over, what nobody would write. Real recordings are in tests/cli/test_follow.py. */
#define _GNU_SOURCE
#include "unit.h"

#include "base/bytes-priv.h"
#include "model/ondisk-priv.h"
#include "session/session-layout.h"

#include <ltt/ltt-follow.h>
#include <ltt/ltt-time.h>

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES 96
#define N_CPUS      4
/* Events at times of this order are in the past; the present is an hour later. */
#define NOW_NS   (3600 * (guint64)LTT_NS_PER_S)
#define DELAY_MS LTT_FOLLOW_MIN_DELAY_MS

/* A trace that is being recorded. */
typedef struct Scene {
	char *path;
	LttTrace *trace;
	LttFollow *follow;
	int keeper_fd;
} Scene;

static char *file_of(const Scene *scene, const char *name)
{
	return g_build_filename(scene->path, name, NULL);
}

static void write_at(const Scene *scene, const char *name, guint64 offset, gconstpointer bytes,
		     gsize size)
{
	g_autofree char *path = file_of(scene, name);
	const int fd = open(path, O_WRONLY | O_CREAT, 0600);

	CU_ASSERT_EQUAL(pwrite(fd, bytes, size, (off_t)offset), (gssize)size);
	close(fd);
}

/* The test is the one who sees to it that the session ends. */
static void keep(Scene *scene)
{
	struct flock lock = {
		.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = LTTP_LOCK_KEEPER, .l_len = 1};
	g_autofree char *path = file_of(scene, "info/lock");

	scene->keeper_fd = open(path, O_RDWR | O_CREAT, 0600);
	CU_ASSERT_EQUAL(fcntl(scene->keeper_fd, F_OFD_SETLK, &lock), 0);
}

static void write_session(const Scene *scene, guint32 block_bytes, guint32 flight_blocks)
{
	const gsize size = sizeof(struct lttp_head) + N_CPUS * sizeof(struct lttp_file);
	g_autofree struct lttp_head *head = g_malloc0(size);
	struct lttp_file *files = (struct lttp_file *)(head + 1);

	memcpy(head->magic, LTTP_SESSION_MAGIC, sizeof(head->magic));
	head->version = LTTP_SESSION_VERSION;
	head->byte_order = LTTP_SESSION_BYTE_ORDER;
	head->arch_size = LTTP_ARCH_SIZE;
	head->block_bytes = block_bytes;
	head->flight_blocks = flight_blocks;
	head->cpus = N_CPUS;
	head->running = 1;
	head->start_ns = NOW_NS;
	head->start_monotonic_ns = (guint64)g_get_monotonic_time() * 1000;
	for (guint i = 0; i < N_CPUS; i++)
		files[i].current = LTTP_NO_BLOCK;
	write_at(scene, "info/session", 0, head, size);
}

static Scene set_scene(const char *name, guint32 flight_blocks)
{
	static const char system[] =
		"<system cpu=\"4\" arch_size=\"LP64\" endian=\"little\" ltt_major_version=\"2\" "
		"ltt_minor_version=\"0\" ltt_block_size=\"96\"></system>\n";
	static const char *const folders[] = {"info", "control", "cpu", "eventdefs"};
	Scene scene = {.path = unit_temp_path(name)};

	for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *folder = file_of(&scene, folders[i]);

		g_mkdir_with_parents(folder, 0700);
	}
	write_at(&scene, "info/system.xml", 0, system, strlen(system));
	write_at(&scene, "control/facilities", 0, "", 0);
	write_session(&scene, BLOCK_BYTES, flight_blocks);
	keep(&scene);
	return scene;
}

static void begin(Scene *scene)
{
	g_autoptr(GError) error = NULL;

	scene->trace = ltt_trace_open(scene->path, &error);
	UNIT_ASSERT_OK(scene->trace != NULL, error);
	scene->follow = ltt_follow_new(scene->trace, NULL, DELAY_MS, &error);
	UNIT_ASSERT_OK(scene->follow != NULL, error);
}

static void end_recording(Scene *scene)
{
	g_autofree char *path = file_of(scene, "info/session");

	g_unlink(path);
	close(scene->keeper_fd);
}

static void clear_scene(Scene *scene)
{
	ltt_follow_free(scene->follow);
	ltt_trace_free(scene->trace);
	g_free(scene->path);
}

static void put_time(guint8 *at, guint16 id, guint64 time_ns, guint32 block_id)
{
	ltt_store_u16(at, id, LTT_LITTLE_ENDIAN);
	ltt_store_u32(at + 2, 0, LTT_LITTLE_ENDIAN);
	ltt_store_u32(at + 6, (guint32)(time_ns / LTT_NS_PER_S), LTT_LITTLE_ENDIAN);
	ltt_store_u32(at + 10, (guint32)(time_ns % LTT_NS_PER_S), LTT_LITTLE_ENDIAN);
	ltt_store_u64(at + 14, time_ns, LTT_LITTLE_ENDIAN);
	if (id != LTT_ID_HEARTBEAT)
		ltt_store_u32(at + 22, block_id, LTT_LITTLE_ENDIAN);
}

/* Writes a block of a block_start, and of a heartbeat and a block_end if their times are not 0. */
static void put_block(const Scene *scene, const char *name, guint64 place, guint32 id,
		      guint64 start_ns, guint64 beat_ns, guint64 end_ns)
{
	guint8 block[BLOCK_BYTES] = {0};
	guint32 at = 26, last = 0;

	put_time(block, LTT_ID_BLOCK_START, start_ns, id);
	if (beat_ns > 0) {
		put_time(block + at, LTT_ID_HEARTBEAT, beat_ns, 0);
		last = at;
		at += 22;
	}
	if (end_ns > 0) {
		put_time(block + at, LTT_ID_BLOCK_END, end_ns, id);
		last = at;
	}
	ltt_store_u32(block + BLOCK_BYTES - 4, last, LTT_LITTLE_ENDIAN);
	write_at(scene, name, place * BLOCK_BYTES, block, sizeof(block));
}

/* All that a round gives, as "cpu/0:TIME ..." and how it ends. */
static void assert_round(Scene *scene, const char *expected, LttStep end, int line)
{
	g_autoptr(GString) got = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	const LttEvent *event;
	LttStep step;

	while ((step = ltt_follow_next(scene->follow, &event, &error)) == LTT_STEP_EVENT)
		g_string_append_printf(got, "%s%s:%" G_GUINT64_FORMAT, got->len > 0 ? " " : "",
				       ltt_tracefile_get_name(event->tracefile) + strlen("cpu/"),
				       event->time_ns);
	unit_assert_text(got->str, expected, __FILE__, line);
	CU_ASSERT_EQUAL(step, end);
}
#define ASSERT_ROUND(scene, expected, end) assert_round(scene, expected, end, __LINE__)

static void add_line(const LttProblem *problem, gpointer user_data)
{
	g_autofree char *text = ltt_problem_to_string(problem);

	g_string_append_printf(user_data, "%s\n", text);
}

static void assert_losses(const Scene *scene, const char *expected, int line)
{
	g_autoptr(GString) got = g_string_new(NULL);

	ltt_follow_tell_losses(scene->follow, add_line, got);
	unit_assert_text(got->str, expected, __FILE__, line);
}
#define ASSERT_LOSSES(scene, expected) assert_losses(scene, expected, __LINE__)

static void test_events_come_as_they_are_written(void)
{
	Scene scene = set_scene("written", 0);

	put_block(&scene, "cpu/0", 0, 0, 100, 0, 0);
	begin(&scene);
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_WAIT);
	ASSERT_ROUND(&scene, "", LTT_STEP_WAIT);
	put_block(&scene, "cpu/0", 0, 0, 100, 200, 0);
	put_block(&scene, "cpu/2", 0, 0, 150, 250, 0);
	ASSERT_ROUND(&scene, "2:150 0:200 2:250", LTT_STEP_WAIT);
	put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	put_block(&scene, "cpu/0", 1, 1, 310, 0, 0);
	ASSERT_ROUND(&scene, "0:300 0:310", LTT_STEP_WAIT);
	end_recording(&scene);
	ASSERT_ROUND(&scene, "", LTT_STEP_END);
	ASSERT_ROUND(&scene, "", LTT_STEP_END);
	ASSERT_LOSSES(&scene, "");
	clear_scene(&scene);
}

static void test_files_of_equal_times_come_in_their_order(void)
{
	Scene scene = set_scene("equal", 0);

	put_block(&scene, "cpu/2", 0, 0, 100, 200, 0);
	begin(&scene);
	put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	put_block(&scene, "cpu/1", 0, 0, 200, 200, 200);
	ASSERT_ROUND(&scene, "0:100 2:100 0:200 1:200 1:200 1:200 2:200 0:300", LTT_STEP_WAIT);
	end_recording(&scene);
	clear_scene(&scene);
}

static void test_a_file_keeps_its_order_where_its_times_fall(void)
{
	Scene scene = set_scene("falling", 0);

	put_block(&scene, "cpu/0", 0, 0, 300, 100, 200);
	put_block(&scene, "cpu/1", 0, 0, 150, 250, 350);
	begin(&scene);
	ASSERT_ROUND(&scene, "1:150 1:250 0:300 0:100 0:200 1:350", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene, "");
	end_recording(&scene);
	clear_scene(&scene);
}

static void test_what_is_too_new_is_held_back(void)
{
	const guint64 later = 2 * NOW_NS;
	g_autofree char *rest =
		g_strdup_printf("1:%" G_GUINT64_FORMAT " 0:%" G_GUINT64_FORMAT, later, later + 1);
	Scene scene = set_scene("new", 0);

	put_block(&scene, "cpu/0", 0, 0, 100, later + 1, 0);
	put_block(&scene, "cpu/1", 0, 0, 50, later, 0);
	begin(&scene);
	ASSERT_ROUND(&scene, "1:50 0:100", LTT_STEP_WAIT);
	ASSERT_ROUND(&scene, "", LTT_STEP_WAIT);
	end_recording(&scene);
	ASSERT_ROUND(&scene, rest, LTT_STEP_END);
	clear_scene(&scene);
}

static void test_late_events_are_counted(void)
{
	Scene scene = set_scene("late", 0);

	put_block(&scene, "cpu/0", 0, 0, 100, 900, 0);
	begin(&scene);
	ASSERT_ROUND(&scene, "0:100 0:900", LTT_STEP_WAIT);
	put_block(&scene, "cpu/1", 0, 0, 200, 300, 950);
	ASSERT_ROUND(&scene, "1:200 1:300 1:950", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene,
		      "2 events were given behind later ones: not in the file after 2 ms\n");
	end_recording(&scene);
	clear_scene(&scene);
}

static void test_a_flight_recorder_goes_round(void)
{
	Scene scene = set_scene("round", 3);

	begin(&scene);
	put_block(&scene, "cpu/0", 2, 8, 800, 0, 850);
	put_block(&scene, "cpu/0", 0, 9, 900, 0, 0);
	put_block(&scene, "cpu/0", 1, 7, 700, 0, 750);
	ASSERT_ROUND(&scene, "0:700 0:750 0:800 0:850 0:900", LTT_STEP_WAIT);
	put_block(&scene, "cpu/0", 0, 9, 900, 0, 950);
	ASSERT_ROUND(&scene, "0:950", LTT_STEP_WAIT);
	put_block(&scene, "cpu/0", 1, 10, 1000, 0, 0);
	ASSERT_ROUND(&scene, "0:1000", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene, "");
	end_recording(&scene);
	clear_scene(&scene);
}

static void test_blocks_that_were_written_over_are_counted(void)
{
	Scene scene = set_scene("over", 3);

	put_block(&scene, "cpu/0", 0, 0, 100, 0, 0);
	begin(&scene);
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_WAIT);
	/* The rest of block 0, and 1 to 3. */
	put_block(&scene, "cpu/0", 0, 6, 600, 0, 0);
	put_block(&scene, "cpu/0", 1, 4, 400, 0, 450);
	put_block(&scene, "cpu/0", 2, 5, 500, 0, 550);
	ASSERT_ROUND(&scene, "0:400 0:450 0:500 0:550 0:600", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene, "cpu/0: 4 blocks were written over before all of the events could be "
			      "read\n");
	put_block(&scene, "cpu/0", 0, 6, 600, 0, 650);
	ASSERT_ROUND(&scene, "0:650", LTT_STEP_WAIT);
	/* All of 7. */
	put_block(&scene, "cpu/0", 1, 10, 1000, 0, 1050);
	put_block(&scene, "cpu/0", 2, 8, 800, 0, 850);
	put_block(&scene, "cpu/0", 0, 9, 900, 0, 950);
	ASSERT_ROUND(&scene, "0:800 0:850 0:900 0:950 0:1000 0:1050", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene, "cpu/0: 5 blocks were written over before all of the events could be "
			      "read\n");
	end_recording(&scene);
	clear_scene(&scene);
}

static void test_made_up_ids_end(void)
{
	Scene scene = set_scene("circle", 4);
	const LttEvent *event;
	guint n_events = 0;

	for (guint32 i = 0; i < 4; i++)
		put_block(&scene, "cpu/0", i, i << 30, 100, 0, 100);
	begin(&scene);
	while (ltt_follow_next(scene.follow, &event, NULL) == LTT_STEP_EVENT)
		n_events++;
	CU_ASSERT_TRUE(n_events >= 8 && n_events <= 12);
	end_recording(&scene);
	for (n_events = 0; ltt_follow_next(scene.follow, &event, NULL) == LTT_STEP_EVENT;)
		n_events++;
	CU_ASSERT_TRUE(n_events <= 12);
	clear_scene(&scene);
}

static void test_an_open_block_is_left_when_the_next_has_begun(void)
{
	Scene scene = set_scene("left", 0);

	put_block(&scene, "cpu/0", 0, 0, 100, 0, 0);
	begin(&scene);
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_WAIT);
	put_block(&scene, "cpu/0", 0, 0, 100, 200, 0);
	put_block(&scene, "cpu/0", 1, 1, 300, 0, 0);
	ASSERT_ROUND(&scene, "0:200 0:300", LTT_STEP_WAIT);
	put_block(&scene, "cpu/0", 3, 3, 500, 0, 0);
	ASSERT_ROUND(&scene, "", LTT_STEP_WAIT);
	end_recording(&scene);
	ASSERT_ROUND(&scene, "0:500", LTT_STEP_END);
	clear_scene(&scene);
}

static void test_damage_is_told_and_passed_over(void)
{
	static const guint8 strange[] = {99, 0};
	Scene scene = set_scene("damage", 0);
	g_autoptr(GError) error = NULL;
	const LttEvent *event;

	put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	write_at(&scene, "cpu/0", 26, strange, sizeof(strange));
	put_block(&scene, "cpu/0", 1, 1, 400, 0, 0);
	begin(&scene);
	CU_ASSERT_EQUAL(ltt_follow_next(scene.follow, &event, &error), LTT_STEP_EVENT);
	for (guint i = 0; i < 2; i++) {
		g_clear_error(&error);
		CU_ASSERT_EQUAL(ltt_follow_next(scene.follow, &event, &error), LTT_STEP_ERROR);
		UNIT_ASSERT_TEXT(error->message,
				 "cpu/0: block 0: byte 26: event id 99: no loaded facility covers "
				 "it");
	}
	ltt_follow_skip_block(scene.follow);
	ASSERT_ROUND(&scene, "0:400", LTT_STEP_WAIT);
	end_recording(&scene);
	ASSERT_ROUND(&scene, "", LTT_STEP_END);
	clear_scene(&scene);
}

static void test_a_session_of_another_layout_is_refused(void)
{
	Scene scene = set_scene("layout", 0);
	g_autoptr(GError) error = NULL;

	write_session(&scene, 4096, 0);
	scene.trace = ltt_trace_open(scene.path, NULL);
	CU_ASSERT_PTR_NULL(ltt_follow_new(scene.trace, NULL, DELAY_MS, &error));
	CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, LTT_ERROR_CORRUPT));
	UNIT_ASSERT_TEXT(error->message,
			 "info/session: is for blocks of 4096 bytes and version 2.0, "
			 "which info/system.xml contradicts");
	end_recording(&scene);
	clear_scene(&scene);
}

static void test_a_recording_that_ended_after_the_trace_was_opened(void)
{
	Scene scene = set_scene("ended", 0);

	put_block(&scene, "cpu/2", 0, 0, 100, 0, 0);
	scene.trace = ltt_trace_open(scene.path, NULL);
	put_block(&scene, "cpu/2", 0, 0, 100, 200, 300);
	put_block(&scene, "cpu/1", 0, 0, 200, 0, 0);
	end_recording(&scene);
	scene.follow = ltt_follow_new(scene.trace, NULL, DELAY_MS, NULL);
	ASSERT_ROUND(&scene, "2:100 1:200 2:200 2:300", LTT_STEP_END);
	clear_scene(&scene);
}

UNIT_MAIN("follow", UNIT(test_events_come_as_they_are_written),
	  UNIT(test_files_of_equal_times_come_in_their_order),
	  UNIT(test_a_file_keeps_its_order_where_its_times_fall),
	  UNIT(test_what_is_too_new_is_held_back), UNIT(test_late_events_are_counted),
	  UNIT(test_a_flight_recorder_goes_round),
	  UNIT(test_blocks_that_were_written_over_are_counted), UNIT(test_made_up_ids_end),
	  UNIT(test_an_open_block_is_left_when_the_next_has_begun),
	  UNIT(test_damage_is_told_and_passed_over),
	  UNIT(test_a_session_of_another_layout_is_refused),
	  UNIT(test_a_recording_that_ended_after_the_trace_was_opened))
