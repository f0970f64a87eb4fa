/* Sessions on file systems that lack a function, or that do less than they should. */
#define _GNU_SOURCE
#include "support-faults.h"
#include "support-session.h"
#include "unit.h"

#include "session/copy-blocks.h"
#include "session/eventdef.h"
#include "session/events.h"
#include "session/file.h"
#include "session/finish.h"
#include "session/half.h"
#include "session/open.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Descriptions on a file system without links, or without renameat2(2). */
static void test_descriptions(void)
{
	static const struct {
		int error, result;
	} cases[] = {{EPERM, 0}, {EOPNOTSUPP, 0}, {ENOSYS, 0}, {EMLINK, 0}, {EIO, -EIO}};
	TestSession test = new_session_for_faults("fault-eventdefs");

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *name = g_strdup_printf("f%u", i);
		g_autofree char *path = g_strdup_printf("eventdefs/%s.xml", name);

		fail(SYS_linkat, 1, cases[i].error);
		CU_ASSERT_EQUAL(lttp_eventdef_write(test.session, name, 1, "<x/>"),
				cases[i].result);
		EXPECT_FILE(&test, path, cases[i].result == 0 ? "<x/>" : NULL);
		/* A name that is taken. */
		if (cases[i].result == 0) {
			fail(SYS_linkat, 1, cases[i].error);
			CU_ASSERT_EQUAL(lttp_eventdef_write(test.session, name, 2, "<y/>"), 0);
			EXPECT_FILE(&test, path, "<x/>");
		}
	}
	/* Nor renameat2(2) with RENAME_NOREPLACE. */
	for (guint i = 0; i < 3; i++) {
		static const int errors[] = {EINVAL, ENOSYS, EIO};
		g_autofree char *name = g_strdup_printf("r%u", i);
		g_autofree char *path = g_strdup_printf("eventdefs/%s.xml", name);

		fail(SYS_linkat, 1, EPERM);
		plan.then_number = SYS_renameat2;
		plan.then_error = errors[i];
		CU_ASSERT_EQUAL(lttp_eventdef_write(test.session, name, 1, "<x/>"),
				i < 2 ? 0 : -EIO);
		EXPECT_FILE(&test, path, i < 2 ? "<x/>" : NULL);
	}
	/* Interrupted and short writes. */
	fail(SYS_write, 1, EINTR);
	CU_ASSERT_EQUAL(lttp_eventdef_write(test.session, "interrupted", 1, "<x/>"), 0);
	EXPECT_FILE(&test, "eventdefs/interrupted.xml", "<x/>");
	shorten(SYS_write, 3);
	CU_ASSERT_EQUAL(lttp_eventdef_write(test.session, "short", 1, "<longer/>"), 0);
	CU_ASSERT_EQUAL(plan.hits, 3);
	EXPECT_FILE(&test, "eventdefs/short.xml", "<longer/>");
	fail(SYS_write, 1, EIO);
	CU_ASSERT_EQUAL(lttp_eventdef_write(test.session, "failed", 1, "<x/>"), -EIO);
	EXPECT_FILE(&test, "eventdefs/failed.xml", NULL);
	/* A part that is read at once. */
	shorten(SYS_read, 2);
	CU_ASSERT_EQUAL(lttp_eventdef_write(test.session, "short", 1, "<longer/>"), 0);
	CU_ASSERT_EQUAL(lttp_eventdef_write(test.session, "short", 5, "<lon"), 0);
	EXPECT_FILE(&test, "eventdefs/short-00000005.xml", "<lon");
	free_session_for_faults(&test);
}

/* A file system without fallocate(2): zeros are appended, and the file stays as it was otherwise. */
static void test_no_fallocate(void)
{
	static const int errors[] = {EOPNOTSUPP, ENOSYS};

	for (guint i = 0; i < G_N_ELEMENTS(errors); i++) {
		TestSession test = new_session_for_faults("fault-allocate");
		g_autofree char *path = test_session_path(&test, "file");
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		char bytes[10000];
		struct stat status;

		CU_ASSERT_EQUAL(write(fd, "abc", 3), 3);
		fail(SYS_fallocate, 1, errors[i]);
		CU_ASSERT_EQUAL(lttp_allocate(fd, 1, 9999), 0);
		CU_ASSERT_EQUAL(fstat(fd, &status), 0);
		CU_ASSERT_EQUAL(status.st_size, 10000);
		CU_ASSERT_EQUAL(lseek(fd, 0, SEEK_CUR), 3);
		CU_ASSERT_EQUAL(fcntl(fd, F_GETFL) & O_APPEND, 0);
		CU_ASSERT_EQUAL(pread(fd, bytes, sizeof(bytes), 0), sizeof(bytes));
		CU_ASSERT_TRUE(memcmp(bytes, "abc\0", 4) == 0 && bytes[9999] == 0);
		/* It has that size. */
		fail(SYS_fallocate, 1, errors[i]);
		CU_ASSERT_EQUAL(lttp_allocate(fd, 0, 5000), 0);
		CU_ASSERT_EQUAL(fstat(fd, &status), 0);
		CU_ASSERT_EQUAL(status.st_size, 10000);
		close(fd);
		/* A file that cannot be written. */
		fd = open(path, O_RDONLY | O_CLOEXEC);
		fail(SYS_fallocate, 1, errors[i]);
		CU_ASSERT_EQUAL(lttp_allocate(fd, 0, 20000), -EBADF);
		CU_ASSERT_EQUAL(fcntl(fd, F_GETFL) & O_APPEND, 0);
		close(fd);
		fail(SYS_fallocate, 3, EINTR);
		fd = open(path, O_RDWR | O_CLOEXEC);
		CU_ASSERT_EQUAL(lttp_allocate(fd, 0, 20000), 0);
		CU_ASSERT_EQUAL(plan.hits, 3);
		fail(SYS_fallocate, 1, ENOSPC);
		CU_ASSERT_EQUAL(lttp_allocate(fd, 0, 30000), -ENOSPC);
		close(fd);
		g_unlink(path);
		free_session_for_faults(&test);
	}
}

/* If a file system does not support SEEK_DATA, all blocks of a file are read. */
static void test_no_holes(void)
{
	TestSession test = new_session_for_faults("fault-holes");
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
	free_session_for_faults(&test);
}

static void test_reading_and_writing(void)
{
	g_autofree char *path = unit_temp_path("moved");
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	char bytes[10] = "";

	shorten(SYS_pwrite64, 3);
	CU_ASSERT_EQUAL(lttp_write_all(fd, "0123456789", 10, 2), 0);
	CU_ASSERT_EQUAL(plan.hits, 4);
	shorten(SYS_pread64, 4);
	CU_ASSERT_EQUAL(lttp_read_all(fd, bytes, 10, 2), 0);
	CU_ASSERT_EQUAL(plan.hits, 3);
	CU_ASSERT_EQUAL(memcmp(bytes, "0123456789", 10), 0);
	fail(SYS_pwrite64, 2, EINTR);
	CU_ASSERT_EQUAL(lttp_write_all(fd, "ab", 2, 2), 0);
	fail(SYS_pread64, 2, EINTR);
	CU_ASSERT_EQUAL(lttp_read_all(fd, bytes, 2, 2), 0);
	CU_ASSERT_EQUAL(memcmp(bytes, "ab", 2), 0);
	fail(SYS_pwrite64, 1, EIO);
	CU_ASSERT_EQUAL(lttp_write_all(fd, "ab", 2, 2), -EIO);
	fail(SYS_pread64, 1, EISDIR);
	CU_ASSERT_EQUAL(lttp_read_all(fd, bytes, 2, 2), -EISDIR);
	fail(-1, 0, 0);
	CU_ASSERT_EQUAL(lttp_read_all(fd, bytes, 10, 8), -EIO);
	CU_ASSERT_EQUAL(lttp_read_all(fd, bytes, 0, 100), 0);
	close(fd);
}

/* A half whose blocks cannot be read is thawed as it is. */
static void test_thawing(void)
{
	TestSession test = test_session_new("fault-thaw", 2 * 4096, LTTP_SESSION_ATTACH);
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	for (uint64_t i = 0; i < 4; i++) {
		CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
		CU_ASSERT_EQUAL(test_lane_write(&lane, i), LTTP_WRITTEN);
		if (i != 1)
			continue;
		CU_ASSERT_EQUAL(lttp_half_make(test.session, lane.number), 0);
		test_lane_state(&lane)->frozen = 1;
	}
	fail(SYS_pread64, INT_MAX, EIO);
	lttp_half_thaw(test.session, lane.number);
	CU_ASSERT_EQUAL(plan.hits, 2);
	EXPECT_EVENTS(&test, test_lane_file(&lane),
		      "{start 0 clock thread 7/1 e0 end 0}{start 1 clock thread 7/1 e1 end 1}"
		      "{start 2 clock thread 7/1 e2 end 2}{start 3 clock thread 7/1 e3}");
	free_session_for_faults(&test);
}

UNIT_MAIN("session-file-systems", UNIT(test_descriptions), UNIT(test_no_fallocate),
	  UNIT(test_no_holes), UNIT(test_reading_and_writing), UNIT(test_thawing))
