/* Sessions without memory, descriptors or room: each call fails once, and files get the descriptor 0. */
#define _GNU_SOURCE
#include "support-faults.h"
#include "support-session.h"
#include "unit.h"

#include "session/anchor.h"
#include "session/broker-client.h"
#include "session/create.h"
#include "session/eventdef.h"
#include "session/events.h"
#include "session/file.h"
#include "session/finish.h"
#include "session/kept.h"
#include "session/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static TestSession new_session(const char *name)
{
	fail(-1, 0, 0);
	return test_session_new(name, 0, LTTP_SESSION_ATTACH);
}

static void free_session(TestSession *test)
{
	fail(-1, 0, 0);
	plan.takes_zero = false;
	test_session_free(test);
}

static void expect_file(const TestSession *test, const char *name, const char *expected)
{
	g_autofree char *path = test_session_path(test, name), *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	UNIT_ASSERT_TEXT(text, expected);
}

/* Each call in turn fails: nothing is left of what could not be made. */
static void test_each_call(void)
{
	static const struct {
		long number;
		int error;
	} cases[] = {{SYS_openat, EMFILE}, {SYS_fallocate, ENOSPC}, {SYS_write, EIO}};
	g_autofree char *path = unit_temp_path("fault-create");
	g_autofree char *copy = unit_temp_path("fault-copy");
	const struct ltt_probe_options options = {.size_bytes = sizeof(options),
						  .block_bytes = 4096};
	g_autofree struct lttp_session *session = g_new0(struct lttp_session, 1);
	struct lttp_copying copying = {.on_block = NULL};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		unsigned hits = 1;
		int result = -1;

		for (int skip = 0; result != 0 || plan.hits != 0; skip++) {
			fail(cases[i].number, 1, cases[i].error);
			plan.skip = skip;
			result = lttp_session_create(path, &options);
			CU_ASSERT_TRUE(result == 0 || result == -cases[i].error || result == -EIO);
			CU_ASSERT_EQUAL(g_file_test(path, G_FILE_TEST_EXISTS), result == 0);
			if (result == 0 && plan.hits != 0)
				lttp_session_remove(path);
		}
		for (int skip = 0; i == 0 && (skip == 0 || plan.hits != 0); skip++) {
			fail(SYS_openat, 1, EMFILE);
			plan.skip = skip;
			result = lttp_session_open(session, path, LTTP_SESSION_ATTACH);
			CU_ASSERT_EQUAL(result, skip < 3 ? -EMFILE : 0);
			lttp_session_close(session);
		}
		fail(-1, 0, 0);
		CU_ASSERT_EQUAL(lttp_session_open(session, path, LTTP_SESSION_ATTACH), 0);
		for (int skip = 0; i < 2 && hits != 0; skip++) {
			fail(cases[i].number, 1, cases[i].error);
			plan.skip = skip;
			result = lttp_snapshot(session, copy, &copying);
			hits = plan.hits;
			fail(-1, 0, 0);
			CU_ASSERT_TRUE(result == 0 || result == -cases[i].error || result == -EIO);
			CU_ASSERT_EQUAL(g_file_test(copy, G_FILE_TEST_EXISTS), result == 0);
			lttp_session_remove(copy);
		}
		lttp_session_close(session);
		lttp_session_remove(path);
	}
	shorten(SYS_write, 100);
	CU_ASSERT_EQUAL(lttp_session_create(path, &options), 0);
	CU_ASSERT_TRUE(plan.hits > 3);
	lttp_session_remove(path);
	fail(SYS_write, 2, EINTR);
	CU_ASSERT_EQUAL(lttp_session_create(path, &options), 0);
	lttp_session_remove(path);
	fail(-1, 0, 0);
}

/* Pages that this process has mapped; allocates none. */
static unsigned long count_pages(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);

	CU_ASSERT_TRUE(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return strtoul(text, NULL, 10);
}

/* Memory that cannot be mapped. */
static void test_no_memory(void)
{
	static const char broker[] = "libltt-no-broker:0123456789abcdef0123456789abcdef";
	TestSession test = new_session("fault-memory");
	g_autofree struct lttp_session *session = g_new0(struct lttp_session, 1);
	g_autofree char *path = unit_temp_path("fault-none");
	unsigned long pages;
	char *at = NULL;

	lttp_anchors_free(test.session);
	fail(SYS_mmap, 1, ENOMEM);
	CU_ASSERT_FALSE(lttp_anchors_make(test.session));
	CU_ASSERT_PTR_NULL(test.session->anchors);
	fail(SYS_mmap, 1, ENOMEM);
	CU_ASSERT_EQUAL(lttp_session_receive(session, broker, false, LTTP_SESSION_WATCH), -ENOMEM);
	g_strlcpy(test.session->broker, broker, sizeof(test.session->broker));
	fail(SYS_mmap, 1, ENOMEM);
	CU_ASSERT_EQUAL(lttp_broker_describe(test.session, "x", 1, "<x/>"), -ENOMEM);
	fail(SYS_mmap, 1, ENOMEM);
	lttp_kept_open(test.session);
	CU_ASSERT_PTR_NULL(test.session->kept);
	CU_ASSERT_EQUAL(lttp_file_extend(test.session, 0, 1), 0);
	fail(SYS_mmap, 1, ENOMEM);
	CU_ASSERT_EQUAL(lttp_file_map(test.session, 0, 0, &at), -ENOMEM);
	CU_ASSERT_PTR_NULL(at);
	/* To open a session: its state, the private copy, and the lock. */
	for (int i = 0; i < 3; i++) {
		plan.skip = i;
		fail(SYS_mmap, 1, ENOMEM);
		CU_ASSERT_EQUAL(lttp_session_open(session, test.path, LTTP_SESSION_ATTACH),
				-ENOMEM);
		CU_ASSERT_PTR_NULL(session->head);
	}
	plan.skip = 3;
	fail(SYS_mmap, 1, ENOMEM);
	CU_ASSERT_EQUAL(lttp_session_open(session, test.path, LTTP_SESSION_ATTACH), 0);
	CU_ASSERT_PTR_NULL(session->anchors);
	plan.skip = 0;
	lttp_session_close(session);
	/* Its state cannot be read: nothing stays mapped. */
	pages = count_pages();
	fail(SYS_pread64, 1, EIO);
	CU_ASSERT_EQUAL(lttp_session_open(session, test.path, LTTP_SESSION_ATTACH), -EBADMSG);
	CU_ASSERT_EQUAL(count_pages(), pages);
	fail(SYS_mmap, 1, ENOMEM);
	CU_ASSERT_EQUAL(lttp_session_create(path, NULL), -ENOMEM);
	CU_ASSERT_FALSE(g_file_test(path, G_FILE_TEST_EXISTS));
	free_session(&test);
}

/* If a file system does not support SEEK_DATA, all blocks of a file are read. */
static void test_no_holes(void)
{
	TestSession test = new_session("fault-holes");
	g_autofree char *path = test_session_path(&test, "cpu/77");
	const uint16_t id = LTTP_ID_BLOCK_START;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	GStatBuf status;

	CU_ASSERT_EQUAL(pwrite(fd, &id, 2, 3 * 4096), 2);
	CU_ASSERT_EQUAL(ftruncate(fd, 10 * 4096), 0);
	close(fd);
	lttp_session_close(test.session);
	CU_ASSERT_EQUAL(lttp_session_open(test.session, test.path, LTTP_SESSION_WATCH), 0);
	fail(SYS_lseek, INT_MAX, EINVAL);
	CU_ASSERT_EQUAL(lttp_session_finish(test.session, false), LTTP_FINISHED);
	CU_ASSERT_EQUAL(g_stat(path, &status), 0);
	CU_ASSERT_EQUAL(status.st_size, 4 * 4096);
	EXPECT_EVENTS(&test, "control/processes", "none");
	free_session(&test);
}

static goffset size_of(const TestSession *test, const char *name)
{
	g_autofree char *path = test_session_path(test, name);
	GStatBuf status;

	return g_stat(path, &status) == 0 ? status.st_size : -1;
}

/* All that a session opens gets the descriptor 0, which is valid. */
static void test_descriptor_zero(void)
{
	TestSession test = new_session("fault-zero"), copy;
	struct lttp_session *session = test.session;
	struct lttp_copying copying = {.on_block = NULL};
	TestLane lane, other;
	int fd;

	plan.takes_zero = true;
	close(0);
	test_lane_open(&lane, &test, 0, 1);
	test_lane_open(&other, &test, 1, 2);
	for (uint64_t i = 0; i < 3; i++) {
		CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
		CU_ASSERT_EQUAL(test_lane_write(&lane, i), LTTP_WRITTEN);
	}
	CU_ASSERT_EQUAL(test_lane_write(&other, 1), LTTP_WRITTEN);
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "zero", 1, "<x/>"), 0);
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "zero", 1, "<x/>"), 0);
	expect_file(&test, "eventdefs/zero.xml", "<x/>");
	fd = lttp_session_file(session, "info/system.xml", O_RDONLY);
	CU_ASSERT_EQUAL(fd, 0);
	close(0);
	copy = (TestSession){unit_temp_path("fault-zero-copy"), session};
	session->head->lost = 4;
	session->head->kernel_files = 1;
	CU_ASSERT_EQUAL(lttp_snapshot(session, copy.path, &copying), 0);
	CU_ASSERT_EQUAL(copying.blocks, 5);
	EXPECT_EVENTS(&copy, test_lane_file(&other), "{start 0 clock thread 7/2 e1}");
	EXPECT_EVENTS(&copy, "control/processes", "{start 0 lost 4}");
	expect_file(&copy, "eventdefs/zero.xml", "<x/>");
	CU_ASSERT_TRUE(size_of(&copy, "info/system.xml") > 0);
	close(0);
	g_free(copy.path);
	/* A kept file. */
	CU_ASSERT_EQUAL(lttp_file_extend(session, 0, 1), 0);
	lttp_kept_open(session);
	CU_ASSERT_TRUE(lttp_kept_file(session, 0) > 0);
	lttp_kept_close(session);
	CU_ASSERT_EQUAL(fcntl(0, F_GETFD), -1);
	lttp_session_close(session);
	CU_ASSERT_EQUAL(lttp_session_open(session, test.path, LTTP_SESSION_ATTACH), 0);
	CU_ASSERT_EQUAL(fcntl(0, F_GETFD), -1);
	lttp_session_close(session);
	CU_ASSERT_EQUAL(lttp_session_open(session, test.path, LTTP_SESSION_WATCH), 0);
	CU_ASSERT_EQUAL(lttp_session_finish(session, false), LTTP_FINISHED);
	CU_ASSERT_EQUAL(fcntl(0, F_GETFD), -1);
	EXPECT_EVENTS(&test, "control/processes", "{start 0 lost 4 end 0}");
	EXPECT_EVENTS(&test, "cpu/0", "none");
	free_session(&test);
}

UNIT_MAIN("session-failures", UNIT(test_each_call), UNIT(test_no_memory), UNIT(test_no_holes),
	  UNIT(test_descriptor_zero))
