/* Sessions of processes that lack descriptors, memory, room, rights or a broker, or whose files get the
 * descriptor 0. */
#define _GNU_SOURCE
#include "support-faults.h"
#include "support-session.h"
#include "unit.h"

#include "session/anchor.h"
#include "session/broker-client.h"
#include "session/create.h"
#include "session/eventdef.h"
#include "session/file.h"
#include "session/finish.h"
#include "session/kept.h"
#include "session/next-block.h"
#include "session/open.h"
#include "session/serve.h"
#include "session/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

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

/* Memory that cannot be mapped. */
static void test_no_memory(void)
{
	static const char broker[] = "libltt-no-broker:0123456789abcdef0123456789abcdef";
	TestSession test = new_session_for_faults("fault-memory");
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
	pages = test_count_pages();
	fail(SYS_pread64, 1, EIO);
	CU_ASSERT_EQUAL(lttp_session_open(session, test.path, LTTP_SESSION_ATTACH), -EBADMSG);
	CU_ASSERT_EQUAL(test_count_pages(), pages);
	fail(SYS_mmap, 1, ENOMEM);
	CU_ASSERT_EQUAL(lttp_session_create(path, NULL), -ENOMEM);
	CU_ASSERT_FALSE(g_file_test(path, G_FILE_TEST_EXISTS));
	free_session_for_faults(&test);
}

/* A program that has lost the right to extend a file relies on the recorder, if there is one. */
static void test_lost_rights(void)
{
	static const int errors[] = {EACCES, EPERM, EIO};
	static const enum lttp_loss losses[] = {LTTP_LOST_NO_RIGHT, LTTP_LOST_NO_RIGHT,
						LTTP_LOST_IO_ERROR};

	for (guint i = 0; i < 2 * G_N_ELEMENTS(errors); i++) {
		TestSession test = new_session_for_faults("fault-rights");
		bool has_recorder = i % 2 != 0;
		TestLane lane;

		test_lane_open(&lane, &test, 0, 1);
		test.session->slot = &test.session->head->processes[0];
		test.session->head->keeper_cycles = has_recorder;
		test.session->head->unanswered_cycles = 1;
		fail(SYS_fallocate, INT_MAX, errors[i / 2]);
		CU_ASSERT_FALSE(lttp_next_block_allocate(&lane.writer, 0, 1));
		CU_ASSERT_EQUAL(lane.writer.loss,
				has_recorder && i / 2 < 2 ? LTTP_LOST_NO_RECORDER : losses[i / 2]);
		lttp_chunks_end(&lane.writer.chunks);
		free_session_for_faults(&test);
	}
	/* A flight recorder is not extended by a part, not by the recorder either. */
	{
		TestSession test = test_session_new("fault-flight", 3 * 4096, LTTP_SESSION_ATTACH);
		TestLane lane;

		test_lane_open(&lane, &test, 0, 1);
		fail(SYS_fallocate, 1, ENOSPC);
		CU_ASSERT_FALSE(lttp_next_block_allocate(&lane.writer, 0, 1));
		CU_ASSERT_EQUAL(lane.writer.loss, LTTP_LOST_DISK_FULL);
		lttp_chunks_end(&lane.writer.chunks);
		test_lane_state(&lane)->wanted = 3;
		fail(SYS_fallocate, 1, ENOSPC);
		lttp_serve_requests(test.session);
		CU_ASSERT_EQUAL(test_lane_state(&lane)->blocks, 0);
		CU_ASSERT_EQUAL(test_lane_state(&lane)->refused_errno, ENOSPC);
		free_session_for_faults(&test);
	}
}

/* A broker that cannot be reached, at once or after some time. */
static void test_broker(void)
{
	static const char broker[] = "libltt-no-broker:0123456789abcdef0123456789abcdef";
	g_autofree struct lttp_session *session = g_new0(struct lttp_session, 1);
	static const struct {
		long number;
		int times, error, result;
	} cases[] = {
		{SYS_socket, 1, EMFILE, -EMFILE},
		{SYS_connect, 1, EACCES, -EACCES},
		{SYS_connect, 2, EINTR, -ECONNREFUSED},
		{SYS_connect, 2, EAGAIN, -ECONNREFUSED},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		fail(cases[i].number, cases[i].times, cases[i].error);
		CU_ASSERT_EQUAL(lttp_session_receive(session, broker, false, LTTP_SESSION_ATTACH),
				cases[i].result);
		CU_ASSERT_EQUAL(plan.hits, (unsigned)cases[i].times);
	}
}

/* All that a session opens gets the descriptor 0, which is valid. */
static void test_descriptor_zero(void)
{
	TestSession test = new_session_for_faults("fault-zero"), copy;
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
	EXPECT_FILE(&test, "eventdefs/zero.xml", "<x/>");
	fd = lttp_session_file(session, "info/system.xml", O_RDONLY);
	CU_ASSERT_TRUE(fd > STDERR_FILENO);
	close(fd);
	copy = (TestSession){unit_temp_path("fault-zero-copy"), session};
	session->head->lost = 4;
	session->head->kernel_files = 1;
	CU_ASSERT_EQUAL(lttp_snapshot(session, copy.path, &copying), 0);
	CU_ASSERT_EQUAL(copying.blocks, 5);
	EXPECT_EVENTS(&copy, test_lane_file(&other), "{start 0 clock thread 7/2 e1}");
	EXPECT_EVENTS(&copy, "control/processes", "{start 0 lost 4}");
	EXPECT_FILE(&copy, "eventdefs/zero.xml", "<x/>");
	CU_ASSERT_TRUE(test_session_size(&copy, "info/system.xml") > 0);
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
	free_session_for_faults(&test);
}

UNIT_MAIN("session-resources", UNIT(test_each_call), UNIT(test_no_memory), UNIT(test_lost_rights),
	  UNIT(test_broker), UNIT(test_descriptor_zero))
