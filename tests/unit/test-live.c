/* The state of a recording that a reader observes: invalid ones, and readers without access to the locks. */
#include "unit.h"

#include "reader/live-priv.h"
#include "session/losses.h"
#include "session/session-layout.h"
#include "support-follow.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Stores a member of the state. */
#define PUT(scene, member, type, value)                                                            \
	G_STMT_START                                                                               \
	{                                                                                          \
		const type put_value = (value);                                                    \
		follow_write(scene, "info/session", G_STRUCT_OFFSET(struct lttp_head, member),     \
			     &put_value, sizeof(put_value));                                       \
	}                                                                                          \
	G_STMT_END

/* Whether the state is refused for this reason. Writes a valid one afterwards. */
static gboolean is_refused(const FollowScene *scene, LttError code)
{
	g_autoptr(GError) error = NULL;
	LttLive *live = NULL;
	const gboolean opened = ltt_live_open(scene->path, &live, &error);

	ltt_live_free(live);
	follow_write_session(scene, BLOCK_BYTES, 0);
	return !opened && g_error_matches(error, LTT_ERROR, (gint)code);
}

static void test_invalid_numbers(void)
{
	FollowScene scene = follow_scene_new("invalid", 0);

	PUT(&scene, magic, char, 'x');
	CU_ASSERT_TRUE(is_refused(&scene, LTT_ERROR_CORRUPT));
	PUT(&scene, version, guint32, LTTP_SESSION_VERSION + 1);
	CU_ASSERT_TRUE(is_refused(&scene, LTT_ERROR_UNSUPPORTED));
	PUT(&scene, byte_order, guint32, GUINT32_SWAP_LE_BE(LTTP_SESSION_BYTE_ORDER));
	CU_ASSERT_TRUE(is_refused(&scene, LTT_ERROR_UNSUPPORTED));
	PUT(&scene, cpus, guint32, 0);
	CU_ASSERT_TRUE(is_refused(&scene, LTT_ERROR_CORRUPT));
	PUT(&scene, cpus, guint32, LTTP_CPUS_MAX + 1);
	CU_ASSERT_TRUE(is_refused(&scene, LTT_ERROR_CORRUPT));
	PUT(&scene, lanes, guint32, LTTP_LANES + 1);
	CU_ASSERT_TRUE(is_refused(&scene, LTT_ERROR_CORRUPT));
	PUT(&scene, flight_blocks, guint32, 1);
	CU_ASSERT_TRUE(is_refused(&scene, LTT_ERROR_CORRUPT));
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* The largest numbers that are valid; and no file stays open. */
static void test_valid_numbers(void)
{
	FollowScene scene = follow_scene_new("valid", 0);
	const int before = dup(0);
	LttLive *live = NULL;
	int after;

	close(before);
	PUT(&scene, cpus, guint32, LTTP_CPUS_MAX);
	PUT(&scene, lanes, guint32, LTTP_LANES);
	PUT(&scene, flight_blocks, guint32, 2);
	CU_ASSERT_TRUE_FATAL(ltt_live_open(scene.path, &live, NULL));
	CU_ASSERT_PTR_NOT_NULL(live);
	CU_ASSERT_EQUAL(ltt_live_get_flight_blocks(live), 2);
	ltt_live_free(live);
	after = dup(0);
	CU_ASSERT_EQUAL(after, before);
	close(after);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* Losses that no block of a file counts yet. */
static void test_losses_outside_blocks(void)
{
	FollowScene scene = follow_scene_new("losses", 0);
	const gsize at = sizeof(struct lttp_head) + G_STRUCT_OFFSET(struct lttp_file, lost);
	struct lttp_file file = {.lost = 7};
	guint64 lost = 5;
	LttLive *live = NULL;

	PUT(&scene, lost, guint64, 3);
	follow_write(&scene, "info/session", at, &lost, sizeof(lost));
	follow_write(&scene, "info/session", sizeof(struct lttp_head) + sizeof(file), &file,
		     sizeof(file));
	CU_ASSERT_TRUE_FATAL(ltt_live_open(scene.path, &live, NULL));
	CU_ASSERT_EQUAL(ltt_live_count_unfiled_losses(live), 8);
	PUT(&scene, running, guint64, 0);
	CU_ASSERT_EQUAL(ltt_live_count_unfiled_losses(live), 0);
	ltt_live_free(live);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

static void add_loss(const LttLiveLoss *loss, gpointer user_data)
{
	g_string_append_printf(user_data, "%s %d %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
			       loss->name, loss->is_type, loss->n_events, loss->n_bytes);
}

/* Only losses that no event in the trace counts. */
static void test_losses_without_an_event(void)
{
	FollowScene scene = follow_scene_new("unreported", 0);
	struct lttp_losses losses = {.events = {[0] = 5, [1] = 7}, .reported = {[0] = 5, [1] = 3}};
	g_autoptr(GString) got = g_string_new(NULL);
	g_autoptr(GString) expected = g_string_new(NULL);
	g_autoptr(LttLive) live = NULL;

	losses.large[0] = (struct lttp_large){.name = "f.big", .events = 2, .reported = 2};
	losses.large[1] = (struct lttp_large){.name = "f.huge", .events = 9, .bytes = 900};
	losses.large[1].reported = 1;
	PUT(&scene, losses, struct lttp_losses, losses);
	CU_ASSERT_TRUE_FATAL(ltt_live_open(scene.path, &live, NULL));
	ltt_live_each_unreported_loss(live, add_loss, got);
	g_string_printf(expected, "%s 0 4 0\nf.huge 1 8 900\n", lttp_loss_word(1));
	UNIT_ASSERT_TEXT(got->str, expected->str);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* Opens the state of a recording, which fails with a message about info/session. */
static void expect_message(const FollowScene *scene, const char *why)
{
	g_autofree char *expected = g_strdup_printf("%s/info/session: %s", scene->path, why);
	g_autoptr(GError) error = NULL;
	LttLive *live = (LttLive *)&error;

	CU_ASSERT_FALSE(ltt_live_open(scene->path, &live, &error));
	CU_ASSERT_PTR_NULL(live);
	UNIT_ASSERT_TEXT(error != NULL ? error->message : NULL, expected);
}

/* Links are not followed, because the owner of a trace may differ from its reader. */
static void test_files_that_are_no_state(void)
{
	FollowScene scene = follow_scene_new("files", 0);
	g_autofree char *path = g_build_filename(scene.path, "info/session", NULL);
	g_autofree char *info = g_build_filename(scene.path, "info", NULL);
	LttLive *live;

	CU_ASSERT_EQUAL(g_unlink(path), 0);
	CU_ASSERT_EQUAL(symlink("system.xml", path), 0);
	expect_message(&scene, "could not open: Too many levels of symbolic links");
	CU_ASSERT_EQUAL(g_unlink(path), 0);
	CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
	expect_message(&scene, "could not read: Is a directory");
	CU_ASSERT_EQUAL(g_rmdir(path), 0);
	CU_ASSERT_TRUE(ltt_live_open(scene.path, &live, NULL));
	CU_ASSERT_PTR_NULL(live);
	/* The folder is a file. */
	CU_ASSERT_TRUE(ltt_live_open(info, &live, NULL));
	CU_ASSERT_PTR_NULL(live);
	close(scene.keeper_fd);
	follow_scene_clear(&scene);
}

/* A reader of another user cannot open info/lock. It looks for the processes that the state names. */
static void test_without_the_locks(void)
{
	FollowScene scene = follow_scene_new("locks", 0);
	g_autofree char *lock = g_build_filename(scene.path, "info/lock", NULL);
	g_autoptr(LttLive) live = NULL;
	LttLive *later;

	CU_ASSERT_EQUAL(g_unlink(lock), 0);
	PUT(&scene, keeper_pid, guint32, (guint32)getpid());
	CU_ASSERT_TRUE_FATAL(ltt_live_open(scene.path, &live, NULL));
	CU_ASSERT_FALSE(ltt_live_is_over(live, 0));

	/* The recorder has ended, a traced process has not. */
	PUT(&scene, keeper_pid, guint32, 0);
	PUT(&scene, processes[3].owner, guint64, 7);
	PUT(&scene, processes[3].who, guint64, LTTP_WHO(getpid(), 7));
	CU_ASSERT_FALSE(ltt_live_is_over(live, 0));
	/* The same after the session was ended. */
	PUT(&scene, running, guint64, 0);
	CU_ASSERT_TRUE(ltt_live_is_over(live, 0));

	/* No process has this number. */
	PUT(&scene, running, guint64, 1);
	PUT(&scene, keeper_pid, guint32, G_MAXINT32 - 1);
	PUT(&scene, processes[3].who, guint64, LTTP_WHO(G_MAXINT32 - 1, 7));
	CU_ASSERT_TRUE_FATAL(ltt_live_open(scene.path, &later, NULL));
	CU_ASSERT_TRUE(ltt_live_is_over(later, 0));
	ltt_live_free(later);

	/* All processes have ended. */
	PUT(&scene, running, guint64, 1);
	PUT(&scene, processes[3].owner, guint64, 0);
	CU_ASSERT_TRUE_FATAL(ltt_live_open(scene.path, &later, NULL));
	/* The patience begins when a reader finds no process, not when the machine was started. */
	CU_ASSERT_FALSE(ltt_live_is_over(later, 1));
	CU_ASSERT_FALSE(ltt_live_is_over(later, G_MAXUINT));
	CU_ASSERT_TRUE(ltt_live_is_over(later, 0));
	follow_scene_end(&scene);
	CU_ASSERT_TRUE(ltt_live_is_over(later, G_MAXUINT));
	ltt_live_free(later);
	follow_scene_clear(&scene);
}

/* A state that cannot be read names no process. */
static void test_a_state_that_is_cut_off(void)
{
	FollowScene scene = follow_scene_new("cut-off", 0);
	g_autofree char *lock = g_build_filename(scene.path, "info/lock", NULL);
	g_autofree char *state = g_build_filename(scene.path, "info/session", NULL);
	g_autoptr(LttLive) live = NULL;

	CU_ASSERT_EQUAL(g_unlink(lock), 0);
	PUT(&scene, keeper_pid, guint32, (guint32)getpid());
	CU_ASSERT_TRUE_FATAL(ltt_live_open(scene.path, &live, NULL));
	CU_ASSERT_FALSE(ltt_live_is_over(live, 0));
	CU_ASSERT_EQUAL(truncate(state, G_STRUCT_OFFSET(struct lttp_head, keeper_pid)), 0);
	CU_ASSERT_TRUE(ltt_live_is_over(live, 0));
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* The monotonic clock of the recording is not comparable with that of the reader. */
static void test_another_time_namespace(void)
{
	FollowScene scene = follow_scene_new("namespace", 0);
	const guint64 before_ns = (guint64)g_get_real_time() * 1000;
	g_autoptr(LttLive) live = NULL;

	PUT(&scene, time_namespace, guint64, 1);
	CU_ASSERT_TRUE_FATAL(ltt_live_open(scene.path, &live, NULL));
	CU_ASSERT_TRUE(ltt_live_get_now_ns(live) >= before_ns);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* A program whose standard input is closed gets its descriptor for the state. */
static void test_without_standard_input(void)
{
	FollowScene scene = follow_scene_new("input", 0);
	const int input = dup(0);
	LttLive *live = NULL;
	gboolean opened;

	close(0);
	errno = ENOENT; /* of an earlier call */
	opened = ltt_live_open(scene.path, &live, NULL);
	CU_ASSERT_TRUE(opened && live != NULL && !ltt_live_is_over(live, 0));
	ltt_live_free(live);
	CU_ASSERT_EQUAL(dup2(input, 0), 0);
	close(input);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

UNIT_MAIN("live", UNIT(test_invalid_numbers), UNIT(test_valid_numbers),
	  UNIT(test_losses_outside_blocks), UNIT(test_losses_without_an_event),
	  UNIT(test_files_that_are_no_state), UNIT(test_without_the_locks),
	  UNIT(test_a_state_that_is_cut_off), UNIT(test_another_time_namespace),
	  UNIT(test_without_standard_input))
