/* The end of a session: blocks are closed, files are trimmed, and the state is removed. */
#define _GNU_SOURCE
#include "support-session.h"
#include "unit.h"

#include "session/atomic.h"
#include "session/control.h"
#include "session/cpus.h"
#include "session/directory.h"
#include "session/events.h"
#include "session/file.h"
#include "session/finish.h"
#include "session/half.h"
#include "session/open.h"
#include "session/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(const TestSession *test, const char *name)
{
	g_autofree char *path = test_session_path(test, name);

	return g_file_test(path, G_FILE_TEST_EXISTS);
}

static void put_file(const TestSession *test, const char *name, const char *text)
{
	g_autofree char *path = test_session_path(test, name);

	CU_ASSERT_TRUE(g_file_set_contents(path, text, -1, NULL));
}

static void test_finish(void)
{
	TestSession test = test_session_new("finish", 0, LTTP_SESSION_WATCH);
	struct lttp_session *session = test.session;
	struct lttp_head *head = session->head;
	g_autofree char *name = NULL, *empty = NULL;
	TestLane lane, closed;

	test_lane_open(&lane, &test, 0, 1);
	test_lane_open(&closed, &test, 1, 2);
	name = g_strdup(test_lane_file(&lane));
	for (uint64_t i = 0; i < 2; i++) {
		CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
		CU_ASSERT_EQUAL(test_lane_write(&lane, i), LTTP_WRITTEN);
	}
	CU_ASSERT_EQUAL(test_lane_write(&closed, 7), LTTP_WRITTEN);
	CU_ASSERT_TRUE(lttp_writer_close(&closed.writer));
	CU_ASSERT_EQUAL(lttp_file_extend(session, lane.number, 200), 0);
	/* A file that has blocks but no event, and losses that no file counts. */
	CU_ASSERT_EQUAL(lttp_file_extend(session, 0, 3), 0);
	session->files[0].lost = 4;
	session->files[lane.number].lost = 5;
	head->lost = 1;
	head->losses.events[LTTP_LOST_QUOTA] = 10;
	put_file(&test, "eventdefs/.0001", "<");
	put_file(&test, "eventdefs/x.xml", "<x/>");
	CU_ASSERT_EQUAL(lttp_session_finish(session, false), LTTP_FINISHED);
	EXPECT_EVENTS(
		&test, name,
		"{start 0 clock thread 7/1 e0 end 0}{start 1 clock thread 7/1 e1 lost 5 end 1}");
	empty = g_strdup(test_lane_file(&closed));
	EXPECT_EVENTS(&test, empty, "{start 0 clock thread 7/2 e7 end 0}");
	EXPECT_EVENTS(&test, "cpu/0", "none");
	EXPECT_EVENTS(&test, "control/processes", "{start 0 quota 10 beat lost 5 end 0}");
	EXPECT_EVENTS(&test, "control/facilities",
		      "{start 0 load tracer 5a5cf28d 4 beat load losses 30b302d9 9 end 0}");
	CU_ASSERT_TRUE(exists(&test, "info/system.xml"));
	CU_ASSERT_FALSE(exists(&test, "info/session"));
	CU_ASSERT_FALSE(exists(&test, "info/lock"));
	CU_ASSERT_FALSE(exists(&test, "info/spare"));
	CU_ASSERT_FALSE(exists(&test, "eventdefs/.0001"));
	CU_ASSERT_TRUE(exists(&test, "eventdefs/x.xml"));
	CU_ASSERT_EQUAL(head->running, 0);
	for (uint32_t i = 0; i < lttp_session_files(head); i++)
		CU_ASSERT_EQUAL(session->files[i].gate.cut_cycles, LTTP_CUT_ENDED);
	test_session_free(&test);
}

/* While a process is attached, its lanes stay open, and so does the state. */
static void test_attached(void)
{
	TestSession test = test_session_new("attached", 0, LTTP_SESSION_WATCH);
	struct lttp_session *session = test.session;
	g_autofree struct lttp_session *other = g_new0(struct lttp_session, 1);
	g_autofree char *name = NULL, *idle_name = NULL;
	TestLane lane, idle;

	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH), 0);
	test_lane_open(&lane, &test, 0, 1);
	test_lane_open(&idle, &test, 1, 2);
	name = g_strdup(test_lane_file(&lane));
	idle_name = g_strdup(test_lane_file(&idle));
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	CU_ASSERT_EQUAL(test_lane_write(&idle, 2), LTTP_WRITTEN);
	/* An event of a stopped thread is in progress. */
	test_lane_state(&lane)->turns = 1;
	test_lane_state(&lane)->lane_owner = lttp_file_lane_owner(session, (uint32_t)getpid());
	CU_ASSERT_EQUAL(lttp_session_finish(session, true), LTTP_FINISHED_SEEN);
	EXPECT_EVENTS(&test, name, "{start 0 clock thread 7/1 e1}");
	EXPECT_EVENTS(&test, idle_name, "{start 0 clock thread 7/2 e2 end 0}");
	EXPECT_EVENTS(&test, "control/processes", "-----------");
	CU_ASSERT_TRUE(exists(&test, "info/session"));
	/* The processes are known to be quiet. */
	test_lane_state(&lane)->turns = 2;
	CU_ASSERT_EQUAL(lttp_session_finish(session, false), LTTP_FINISHED_SEEN);
	EXPECT_EVENTS(&test, name, "{start 0 clock thread 7/1 e1 end 0}");
	CU_ASSERT_TRUE(exists(&test, "info/session"));
	CU_ASSERT_EQUAL(lttp_session_finish(session, true), LTTP_FINISHED);
	CU_ASSERT_FALSE(exists(&test, "info/session"));
	lttp_session_close(other);
	test_session_free(&test);
}

/* After the end, no program can join, and an attached program sees that the session has ended. */
static void test_end(void)
{
	TestSession test = test_session_new("end", 0, LTTP_SESSION_ATTACH);
	g_autofree struct lttp_session *other = g_new0(struct lttp_session, 1);
	TestLane lane;
	int lock;

	test_lane_open(&lane, &test, 0, 1);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	lttp_session_end(test.session);
	lttp_session_end(test.session);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_ENDED);
	for (uint32_t i = 0; i < lttp_session_files(test.session->head); i++)
		CU_ASSERT_EQUAL(test.session->files[i].gate.cut_cycles, LTTP_CUT_ENDED);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH), -ESHUTDOWN);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_WATCH), 0);
	lttp_session_close(other);
	/* The finisher holds the lock for writing. */
	test.session->head->running = 1;
	lttp_session_close(test.session);
	CU_ASSERT_EQUAL(lttp_session_open(test.session, test.path, LTTP_SESSION_WATCH), 0);
	lock = lttp_session_lock(test.session, LTTP_LOCK_ATTACHED, F_WRLCK);
	CU_ASSERT_TRUE(lock >= 0);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH), -ESHUTDOWN);
	close(lock);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH), 0);
	CU_ASSERT_EQUAL(lttp_session_lock(test.session, LTTP_LOCK_ATTACHED, F_WRLCK), -EBUSY);
	lttp_session_close(other);
	lock = lttp_session_lock(test.session, LTTP_LOCK_ATTACHED, F_WRLCK);
	CU_ASSERT_TRUE(lock >= 0);
	close(lock);
	test_session_free(&test);
}

/* The halves of a flight recorder's file are joined, at the end. */
static void test_flight(void)
{
	TestSession test = test_session_new("finish-flight", 2 * 4096, LTTP_SESSION_WATCH);
	g_autofree char *name = NULL;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	name = g_strdup(test_lane_file(&lane));
	CU_ASSERT_EQUAL(test_lane_write(&lane, 0), LTTP_WRITTEN);
	CU_ASSERT_EQUAL(lttp_half_make(test.session, lane.number), 0);
	test_lane_state(&lane)->frozen = 1;
	for (uint64_t i = 1; i < 3; i++) {
		CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
		CU_ASSERT_EQUAL(test_lane_write(&lane, i), LTTP_WRITTEN);
	}
	EXPECT_EVENTS(&test, name,
		      "{start 0 clock thread 7/1 e0 end 0}-{start 2 clock thread 7/1 e2}"
		      "{start 1 clock thread 7/1 e1 end 1}");
	CU_ASSERT_EQUAL(lttp_session_finish(test.session, false), LTTP_FINISHED);
	EXPECT_EVENTS(&test, name,
		      "{start 2 clock thread 7/1 e2 end 2}{start 1 clock thread 7/1 e1 end 1}");
	CU_ASSERT_EQUAL(test_lane_state(&lane)->frozen, 0);
	test_session_free(&test);
}

/* The last events go to the blocks that are kept for them. */
static void test_full_disk(void)
{
	TestSession test = test_session_new("finish-full", 0, LTTP_SESSION_WATCH);
	const struct rlimit limit = {11 * 4096, RLIM_INFINITY};
	const int32_t bytes[2] = {42, 1};
	g_autofree char *text = NULL;
	struct rlimit before;

	for (int i = 0; i < 111; i++)
		CU_ASSERT_EQUAL(
			lttp_control_append(test.session, LTTP_ID_PROCESS_EXIT, bytes, 8, NULL), 0);
	test.session->head->losses.events[LTTP_LOST_QUOTA] = 3;
	CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	CU_ASSERT_EQUAL(lttp_session_finish(test.session, false), LTTP_FINISHED);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &before), 0);
	text = test_session_text(&test, "control/processes");
	CU_ASSERT_TRUE(g_str_has_suffix(text, " exit 42 1 end 0}{start 1 quota 3 end 1}"));
	test_session_free(&test);
}

/* Blocks in a file of holes: those up to the last one that is used. */
static void test_trimming(void)
{
	static const struct {
		unsigned blocks, used[4];
		unsigned left;
	} cases[] = {
		{10, {1, 4, 0, 0}, 4},
		{300, {1, 200, 290, 0}, 290},
		{3, {1, 2, 3, 0}, 3},
		{2000, {7, 0, 0, 0}, 7},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		TestSession test = test_session_new("trimming", 0, LTTP_SESSION_WATCH);
		g_autofree char *path = test_session_path(&test, "cpu/77");
		const uint16_t id = LTTP_ID_BLOCK_START;
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		GStatBuf status;

		CU_ASSERT_EQUAL(ftruncate(fd, cases[i].blocks * 4096), 0);
		for (int k = 0; k < 4 && cases[i].used[k] != 0; k++)
			CU_ASSERT_EQUAL(pwrite(fd, &id, 2, (cases[i].used[k] - 1) * 4096), 2);
		close(fd);
		CU_ASSERT_EQUAL(lttp_session_finish(test.session, false), LTTP_FINISHED);
		CU_ASSERT_EQUAL(g_stat(path, &status), 0);
		CU_ASSERT_EQUAL(status.st_size, cases[i].left * 4096);
		test_session_free(&test);
	}
}

/* A block that has a word but no id was being replaced; 70 pieces are more than are remembered. */
static void test_trimming_pieces(void)
{
	TestSession test = test_session_new("pieces", 0, LTTP_SESSION_WATCH);
	g_autofree char *path = test_session_path(&test, "cpu/77");
	g_autofree char *other = test_session_path(&test, "cpu/78");
	const uint64_t word = lttp_word(100, 50), zero = 0;
	const uint16_t id = LTTP_ID_BLOCK_START;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	GStatBuf status;

	CU_ASSERT_EQUAL(pwrite(fd, &word, 8, 3 * 4096 - 8), 8);
	CU_ASSERT_EQUAL(pwrite(fd, &zero, 8, 5 * 4096 - 8), 8);
	close(fd);
	fd = open(other, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	CU_ASSERT_EQUAL(pwrite(fd, &id, 2, 0), 2);
	for (int i = 1; i < 70; i++)
		CU_ASSERT_EQUAL(pwrite(fd, &zero, 8, i * 8 * 4096), 8);
	close(fd);
	CU_ASSERT_EQUAL(lttp_session_finish(test.session, false), LTTP_FINISHED);
	CU_ASSERT_EQUAL(g_stat(path, &status), 0);
	CU_ASSERT_EQUAL(status.st_size, 3 * 4096);
	CU_ASSERT_EQUAL(g_stat(other, &status), 0);
	CU_ASSERT_TRUE(status.st_size >= 4096);
	test_session_free(&test);
}

static void note(uint32_t cpu, void *data)
{
	bool *noted = data;

	CU_ASSERT_EQUAL(sched_getcpu(), (int)cpu);
	noted[cpu] = true;
}

/* The thread has been on each CPU, and is back on those on which it may run. */
static void visit_all(void)
{
	g_autofree struct lttp_head *head = g_new0(struct lttp_head, 1);
	bool visited[LTTP_CPUS_MAX] = {false}, noted[LTTP_CPUS_MAX] = {false};
	cpu_set_t before, after;

	head->cpus = (uint32_t)sysconf(_SC_NPROCESSORS_CONF) + 1;
	CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(before), &before), 0);
	visited[head->cpus - 1] = true;
	lttp_cpus_visit(head, note, noted, visited);
	CU_ASSERT_EQUAL(memcmp(visited, noted, head->cpus), 0);
	CU_ASSERT_FALSE(visited[head->cpus - 1]);
	for (uint32_t i = 0; i < head->cpus; i++)
		CU_ASSERT_TRUE(visited[i] || !CPU_ISSET(i, &before));
	CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(after), &after), 0);
	CU_ASSERT_TRUE(CPU_EQUAL(&before, &after));
}

static void test_visits(void)
{
	cpu_set_t all, one;

	visit_all();
	CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof(one), &one), 0);
	visit_all();
	CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof(all), &all), 0);
}

UNIT_MAIN("session-finish", UNIT(test_finish), UNIT(test_attached), UNIT(test_end),
	  UNIT(test_flight), UNIT(test_full_disk), UNIT(test_trimming), UNIT(test_trimming_pieces),
	  UNIT(test_visits))
