/* Copies of a session while it is written, and its end. */
#include "support-session.h"
#include "unit.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/control.h"
#include "session/copy-blocks.h"
#include "session/create.h"
#include "session/cut.h"
#include "session/directory.h"
#include "session/events.h"
#include "session/file.h"
#include "session/finish.h"
#include "session/half.h"
#include "session/kernel-cut.h"
#include "session/registry.h"
#include "session/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Begins a block, and writes an event to it. */
static void write_block(TestLane *lane, uint64_t value)
{
	CU_ASSERT_TRUE(lttp_writer_close(&lane->writer));
	CU_ASSERT_EQUAL(test_lane_write(lane, value), LTTP_WRITTEN);
}

static TestSession copy_of(const TestSession *test, const char *name)
{
	return (TestSession){unit_temp_path(name), test->session};
}

static void remove_copy(TestSession *copy)
{
	lttp_session_remove(copy->path);
	CU_ASSERT_FALSE(g_file_test(copy->path, G_FILE_TEST_EXISTS));
	g_free(copy->path);
}

static bool exists(const TestSession *test, const char *name)
{
	g_autofree char *path = test_session_path(test, name);

	return g_file_test(path, G_FILE_TEST_EXISTS);
}

static void expect_same(const TestSession *one, const TestSession *two, const char *name)
{
	g_autofree char *path_one = test_session_path(one, name), *bytes_one = NULL;
	g_autofree char *path_two = test_session_path(two, name), *bytes_two = NULL;
	gsize size_one = 1, size_two = 2;

	g_file_get_contents(path_one, &bytes_one, &size_one, NULL);
	g_file_get_contents(path_two, &bytes_two, &size_two, NULL);
	CU_ASSERT_TRUE(size_one == size_two && memcmp(bytes_one, bytes_two, size_one) == 0);
}

static void put_file(const TestSession *test, const char *name, const char *text)
{
	g_autofree char *path = test_session_path(test, name);

	CU_ASSERT_TRUE(g_file_set_contents(path, text, -1, NULL));
}

static unsigned count_descriptors(void)
{
	g_autoptr(GDir) dir = g_dir_open("/proc/self/fd", 0, NULL);
	unsigned n = 0;

	while (g_dir_read_name(dir) != NULL)
		n++;
	return n;
}

static bool count_call(const struct lttp_copying *copying)
{
	++*(unsigned *)copying->data;
	return true;
}

static bool cancel(const struct lttp_copying *copying)
{
	++*(unsigned *)copying->data;
	return false;
}

static void test_snapshot(void)
{
	TestSession test = test_session_new("snapshot", 0, LTTP_SESSION_ATTACH), copy, third;
	TestLane lane, other;
	unsigned calls = 0, descriptors = count_descriptors();
	struct lttp_copying copying = {.on_block = count_call, .data = &calls};
	g_autofree char *name = NULL, *other_name = NULL, *none = NULL;
	int32_t exit_bytes[2] = {42, 1};

	copy = copy_of(&test, "snapshot-copy");
	test_lane_open(&lane, &test, 0, 1);
	test_lane_open(&other, &test, 5, 2);
	name = g_strdup(test_lane_file(&lane));
	other_name = g_strdup(test_lane_file(&other));
	none = g_strdup(lttp_file_name(lane.number + 1).text);
	for (uint64_t i = 0; i < 3; i++)
		write_block(&lane, i);
	write_block(&other, 7);
	CU_ASSERT_EQUAL(
		lttp_control_append(test.session, LTTP_ID_PROCESS_EXIT, exit_bytes, 8, NULL), 0);
	put_file(&test, "info/bookmarks.xml", "<b/>");
	put_file(&test, "eventdefs/.unfinished", "<");
	CU_ASSERT_EQUAL(lttp_snapshot(test.session, copy.path, &copying), 0);
	CU_ASSERT_TRUE(copying.total == 5 && calls == copying.blocks);
	CU_ASSERT_EQUAL(copying.blocks, 6); /* with control/facilities */
	for (uint64_t i = 3; i < 5; i++)
		write_block(&lane, i);
	CU_ASSERT_EQUAL(test_lane_write(&other, 8), LTTP_WRITTEN);
	EXPECT_EVENTS(&copy, name,
		      "{start 0 clock thread 7/1 e0 end 0}{start 1 clock thread 7/1 e1 end 1}"
		      "{start 2 clock thread 7/1 e2}");
	EXPECT_EVENTS(&copy, other_name, "{start 0 clock thread 7/2 e7}");
	EXPECT_EVENTS(&copy, none, "none");
	EXPECT_EVENTS(&copy, "control/processes", "{start 0 exit 42 1}");
	EXPECT_EVENTS(&copy, "control/facilities",
		      "{start 0 load tracer 5a5cf28d 4 beat load losses 30b302d9 9}");
	expect_same(&test, &copy, "info/system.xml");
	expect_same(&test, &copy, "info/bookmarks.xml");
	expect_same(&test, &copy, "eventdefs/tracer.xml");
	expect_same(&test, &copy, "eventdefs/losses.xml");
	CU_ASSERT_FALSE(exists(&copy, "eventdefs/.unfinished"));
	CU_ASSERT_FALSE(exists(&copy, "control/interrupts"));
	CU_ASSERT_FALSE(exists(&copy, "info/session"));

	/* Not over an existing directory, and not twice at a time. */
	CU_ASSERT_EQUAL(lttp_snapshot(test.session, copy.path, &copying), -EEXIST);
	CU_ASSERT_TRUE(exists(&copy, "info/system.xml"));
	remove_copy(&copy);
	copy = copy_of(&test, "snapshot-copy");
	{
		int lock = lttp_session_lock(test.session, LTTP_LOCK_SNAPSHOT, F_WRLCK);

		CU_ASSERT_EQUAL(lttp_snapshot(test.session, copy.path, &copying), -EBUSY);
		close(lock);
	}
	/* A cancelled one is removed. */
	calls = 0;
	copying.on_block = cancel;
	CU_ASSERT_EQUAL(lttp_snapshot(test.session, copy.path, &copying), -ECANCELED);
	CU_ASSERT_EQUAL(calls, 1);
	CU_ASSERT_FALSE(exists(&copy, ""));
	/* So is one that fails. */
	copying.on_block = NULL;
	put_file(&test, "control/interrupts", "i");
	third = copy_of(&test, "snapshot/info/system.xml/x");
	CU_ASSERT_EQUAL(lttp_snapshot(test.session, third.path, &copying), -ENOTDIR);
	g_free(third.path);
	CU_ASSERT_EQUAL(lttp_snapshot(test.session, copy.path, &copying), 0);
	expect_same(&test, &copy, "control/interrupts");
	CU_ASSERT_EQUAL(test.session->files[0].gate.cut_cycles, LTTP_CUT_NEVER);
	remove_copy(&copy);
	copy = copy_of(&test, "snapshot-copy");
	test.session->head->running = 0;
	CU_ASSERT_EQUAL(lttp_snapshot(test.session, copy.path, &copying), -ESHUTDOWN);
	remove_copy(&copy);
	CU_ASSERT_EQUAL(count_descriptors(), descriptors);
	test_session_free(&test);
}

/* Losses of which no tracefile of the copy tells are in its control/processes. */
static void test_losses_in_snapshots(void)
{
	TestSession test = test_session_new("lossy", 0, LTTP_SESSION_ATTACH), copy;
	struct lttp_head *head = test.session->head;
	struct lttp_copying copying = {.on_block = NULL};
	int32_t exit_bytes[2] = {42, 1};

	head->lost = 2;
	test.session->files[head->cpus].lost = 3;
	copy = copy_of(&test, "lossy-1");
	CU_ASSERT_EQUAL(lttp_snapshot(test.session, copy.path, &copying), 0);
	EXPECT_EVENTS(&copy, "control/processes", "{start 0 lost 5}");
	EXPECT_EVENTS(&test, "control/processes", "-----------");
	remove_copy(&copy);
	CU_ASSERT_EQUAL(
		lttp_control_append(test.session, LTTP_ID_PROCESS_EXIT, exit_bytes, 8, NULL), 0);
	head->losses.events[LTTP_LOST_QUOTA] = 2;
	copy = copy_of(&test, "lossy-2");
	CU_ASSERT_EQUAL(lttp_snapshot(test.session, copy.path, &copying), 0);
	EXPECT_EVENTS(&copy, "control/processes", "{start 0 exit 42 1 beat quota 2 ~beat lost 5}");
	EXPECT_EVENTS(&test, "control/processes", "{start 0 exit 42 1 beat quota 2}----------");
	remove_copy(&copy);
	/* After a closed block. */
	CU_ASSERT_EQUAL(lttp_control_append(test.session, LTTP_ID_BLOCK_END, "", 0, NULL), 0);
	copy = copy_of(&test, "lossy-3");
	CU_ASSERT_EQUAL(lttp_snapshot(test.session, copy.path, &copying), 0);
	EXPECT_EVENTS(&copy, "control/processes",
		      "{start 0 exit 42 1 beat quota 2 end 0}{start 1 lost 5}");
	remove_copy(&copy);
	test_session_free(&test);
}

/* Of a flight recorder the newest blocks are copied, in the order of their numbers. */
static void test_flight_snapshots(void)
{
	TestSession test = test_session_new("flying", 3 * 4096, LTTP_SESSION_ATTACH), copy;
	struct lttp_session *session = test.session;
	struct lttp_copying copying = {.on_block = NULL};
	g_autofree char *name = NULL;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	name = g_strdup(test_lane_file(&lane));
	for (uint64_t i = 0; i < 5; i++)
		write_block(&lane, i);
	copy = copy_of(&test, "flying-1");
	CU_ASSERT_EQUAL(lttp_snapshot(session, copy.path, &copying), 0);
	EXPECT_EVENTS(&copy, name,
		      "{start 3 clock thread 7/1 e3 end 3}{start 4 clock thread 7/1 e4}"
		      "{start 2 clock thread 7/1 e2 end 2}");
	remove_copy(&copy);
	CU_ASSERT_EQUAL(test_lane_state(&lane)->blocks, 6);
	CU_ASSERT_FALSE(exists(&test, lttp_file_name(lttp_session_files(session->head)).text));
	/* Blocks in both halves. */
	write_block(&lane, 5);
	test_lane_state(&lane)->frozen = 1;
	write_block(&lane, 6);
	test_lane_state(&lane)->frozen = 0;
	EXPECT_EVENTS(&test, name,
		      "{start 3 clock thread 7/1 e3 end 3}{start 4 clock thread 7/1 e4 end 4}"
		      "{start 5 clock thread 7/1 e5 end 5}{start 6 clock thread 7/1 e6}--");
	copy = copy_of(&test, "flying-2");
	CU_ASSERT_EQUAL(lttp_snapshot(session, copy.path, &copying), 0);
	EXPECT_EVENTS(&copy, name,
		      "{start 6 clock thread 7/1 e6}{start 4 clock thread 7/1 e4 end 4}"
		      "{start 5 clock thread 7/1 e5 end 5}");
	remove_copy(&copy);
	/* A half that a killed snapshot left frozen. */
	test_lane_state(&lane)->frozen = 2;
	copy = copy_of(&test, "flying-3");
	CU_ASSERT_EQUAL(lttp_snapshot(session, copy.path, &copying), 0);
	CU_ASSERT_EQUAL(test_lane_state(&lane)->frozen, 0);
	remove_copy(&copy);
	test_session_free(&test);
}

/* Ids of blocks begin anew after 2^32. */
static void test_flight_after_the_last_id(void)
{
	TestSession test = test_session_new("aged", 3 * 4096, LTTP_SESSION_ATTACH), copy;
	struct lttp_copying copying = {.on_block = NULL};
	g_autofree char *name = NULL;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	name = g_strdup(test_lane_file(&lane));
	write_block(&lane, 0);
	test_lane_state(&lane)->current = LTTP_CURRENT(0, UINT32_MAX - 1);
	for (uint64_t i = 1; i < 4; i++)
		write_block(&lane, i);
	copy = copy_of(&test, "aged-1");
	CU_ASSERT_EQUAL(lttp_snapshot(test.session, copy.path, &copying), 0);
	EXPECT_EVENTS(
		&copy, name,
		"{start 1 clock thread 7/1 e3}{start 4294967295 clock thread 7/1 e1 end 4294967295}"
		"{start 0 clock thread 7/1 e2 end 0}");
	remove_copy(&copy);
	test_session_free(&test);
}

/* Blocks of the kernel's files, with the id given, and a word; 0: none. */
static void put_blocks(const TestSession *test, const char *name, const uint32_t *ids, unsigned n)
{
	g_autofree char *path = test_session_path(test, name);
	g_autofree char *bytes = g_malloc(n * 4096);

	memset(bytes, 'x', n * 4096);
	for (unsigned i = 0; i < n; i++) {
		const uint16_t start = LTTP_ID_BLOCK_START;
		const uint64_t word = ids[i] == 99 ? 0 : lttp_word(40, 26);

		memcpy(bytes + i * 4096, &start, 2);
		memcpy(bytes + i * 4096 + 22, &ids[i], 4);
		memcpy(bytes + i * 4096 + 4088, &word, 8);
	}
	CU_ASSERT_TRUE(g_file_set_contents(path, bytes, n * 4096, NULL));
}

/* The kernel's files, whose recorder was killed. */
static void test_kernel_files(void)
{
	TestSession test = test_session_new("kernel-files", 0, LTTP_SESSION_ATTACH), copy;
	struct lttp_head *head = test.session->head;
	struct lttp_copying copying = {.on_block = NULL, .blocks = 100};
	g_autofree char *name = g_strdup(lttp_kernel_cut_name(head, 1).text);
	const uint32_t cpu[] = {0, 1, 2}, threads[] = {0, 1};

	head->kernel_files = 1;
	put_blocks(&test, name, cpu, 3);
	put_blocks(&test, "control/processes.kernel", threads, 2);
	copy = copy_of(&test, "kernel-copy");
	CU_ASSERT_EQUAL(lttp_snapshot(test.session, copy.path, &copying), 0);
	CU_ASSERT_TRUE(copying.total == 5 && copying.blocks == 6);
	CU_ASSERT_EQUAL(test_session_size(&copy, name), 3 * 4096);
	CU_ASSERT_EQUAL(test_session_size(&copy, "control/processes.kernel"), 2 * 4096);
	remove_copy(&copy);
	test_session_free(&test);
}

static void test_counts(void)
{
	g_autofree struct lttp_head *head = g_new0(struct lttp_head, 1);
	struct lttp_place place = {LTTP_NO_BLOCK, 0};

	CU_ASSERT_EQUAL(lttp_copy_count(head, &place, LTTP_COPY_FLIGHT), 0);
	place.current = LTTP_CURRENT(6, 6);
	CU_ASSERT_EQUAL(lttp_copy_count(head, &place, LTTP_COPY_FLIGHT), 7);
	CU_ASSERT_EQUAL(lttp_copy_count(head, &place, LTTP_COPY_PLAIN), 7);
	head->flight_blocks = 3;
	CU_ASSERT_EQUAL(lttp_copy_count(head, &place, LTTP_COPY_FLIGHT), 3);
	CU_ASSERT_EQUAL(lttp_copy_count(head, &place, LTTP_COPY_RING), 3);
	CU_ASSERT_EQUAL(lttp_copy_count(head, &place, LTTP_COPY_PLAIN), 7);
	/* Ids begin anew after 2^32 blocks: a low one does not mean that there are few. */
	place.current = LTTP_CURRENT(1, 1);
	CU_ASSERT_EQUAL(lttp_copy_count(head, &place, LTTP_COPY_FLIGHT), 3);
}

/* The copy begins after the first block that was overwritten. */
static void test_copied_blocks(void)
{
	TestSession test = test_session_new("copied", 2 * 4096, LTTP_SESSION_ATTACH), copy;
	const uint32_t plain[] = {0, 1, 2, 3}, ring[] = {4, 5, 2, 3}, lost[] = {0, 99, 2, 3};
	struct lttp_copying copying = {.on_block = NULL};
	struct lttp_place place = {LTTP_CURRENT(3, 3), lttp_word(50, 26)};
	g_autofree char *path = NULL, *bytes = NULL;
	gsize size;
	int to;

	copy = copy_of(&test, "copied-to");
	to = lttp_directory_make(copy.path);
	CU_ASSERT_TRUE_FATAL(to >= 0);
	path = test_session_path(&copy, "cpu/9000");
#define COPY(ids, form, expected)                                                                  \
	G_STMT_START                                                                               \
	{                                                                                          \
		put_blocks(&test, "cpu/9000", ids, G_N_ELEMENTS(ids));                             \
		g_unlink(path);                                                                    \
		g_clear_pointer(&bytes, g_free);                                                   \
		copying.blocks = 0;                                                                \
		CU_ASSERT_EQUAL(                                                                   \
			lttp_copy_tracefile(test.session, to, "cpu/9000", &place, form, &copying), \
			expected);                                                                 \
		CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &bytes, &size, NULL));              \
	}                                                                                          \
	G_STMT_END
	COPY(plain, LTTP_COPY_PLAIN, 0);
	CU_ASSERT_TRUE(size == 4 * 4096 && copying.blocks == 4);
	/* The newest has the given word, and nothing after its events; others have their own. */
	CU_ASSERT_EQUAL(*(uint64_t *)(void *)(bytes + 4 * 4096 - 8), place.word);
	CU_ASSERT_TRUE(bytes[3 * 4096 + 49] == 'x' && bytes[3 * 4096 + 50] == 0);
	CU_ASSERT_EQUAL(*(uint64_t *)(void *)(bytes + 4096 - 8), lttp_word(40, 26));
	CU_ASSERT_TRUE(bytes[39] == 'x' && bytes[40] == 0 && bytes[4087] == 0);
	/* A closed block ends with its block_end. */
	place.word = lttp_word(4096, 100);
	COPY(plain, LTTP_COPY_PLAIN, 0);
	CU_ASSERT_TRUE(bytes[3 * 4096 + 125] == 'x' && bytes[3 * 4096 + 126] == 0);
	place.word = 0;
	COPY(plain, LTTP_COPY_PLAIN, 0);
	CU_ASSERT_EQUAL(*(uint64_t *)(void *)(bytes + 4 * 4096 - 8), lttp_word(40, 26));
	COPY(lost, LTTP_COPY_PLAIN, 0);
	CU_ASSERT_TRUE(size == 4 * 4096 && copying.blocks == 2);
	CU_ASSERT_TRUE(bytes[0] == 0 && bytes[4096] == 0 && bytes[2 * 4096] == 1);
	COPY(ring, LTTP_COPY_RING, 0);
	CU_ASSERT_TRUE(size == 2 * 4096 && copying.blocks == 2);
	CU_ASSERT_TRUE(bytes[22] == 2 && bytes[4096 + 22] == 3);
	place.current = LTTP_CURRENT(0, 4);
	COPY(ring, LTTP_COPY_RING, 0);
	CU_ASSERT_TRUE(bytes[22] == 4 && bytes[4096 + 22] == 3);
	place.current = LTTP_CURRENT(1, 6);
	COPY(ring, LTTP_COPY_RING, -EAGAIN);
	place.current = LTTP_CURRENT(1, 1);
	COPY(lost, LTTP_COPY_PLAIN, -EAGAIN);
#undef COPY
	/* Neither over a file nor of one that is missing; nothing of one without blocks. */
	CU_ASSERT_EQUAL(lttp_copy_tracefile(test.session, to, "cpu/9000", &place, LTTP_COPY_PLAIN,
					    &copying),
			-EEXIST);
	CU_ASSERT_EQUAL(lttp_copy_tracefile(test.session, to, "cpu/9001", &place, LTTP_COPY_PLAIN,
					    &copying),
			-ENOENT);
	place.current = LTTP_NO_BLOCK;
	CU_ASSERT_EQUAL(lttp_copy_tracefile(test.session, to, "cpu/9001", &place, LTTP_COPY_PLAIN,
					    &copying),
			0);
	/* A file that is too short. */
	place.current = LTTP_CURRENT(5, 5);
	CU_ASSERT_EQUAL(g_unlink(path), 0);
	CU_ASSERT_EQUAL(lttp_copy_tracefile(test.session, to, "cpu/9000", &place, LTTP_COPY_PLAIN,
					    &copying),
			-EIO);
	close(to);
	remove_copy(&copy);
	test_session_free(&test);
}

UNIT_MAIN("session-snapshot", UNIT(test_snapshot), UNIT(test_losses_in_snapshots),
	  UNIT(test_flight_snapshots), UNIT(test_flight_after_the_last_id), UNIT(test_kernel_files),
	  UNIT(test_counts), UNIT(test_copied_blocks))
