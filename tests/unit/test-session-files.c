/* The files of a session: opened by path or kept open, anchored, extended; its descriptions. */
#include "support-session.h"
#include "unit.h"

#include "session/anchor.h"
#include "session/atomic.h"
#include "session/directory.h"
#include "session/eventdef.h"
#include "session/file.h"
#include "session/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static TestSession new_session(const char *name)
{
	return test_session_new(name, 0, LTTP_SESSION_ATTACH);
}

static unsigned count_descriptors(void)
{
	g_autoptr(GDir) dir = g_dir_open("/proc/self/fd", 0, NULL);
	unsigned n = 0;

	while (g_dir_read_name(dir) != NULL)
		n++;
	return n;
}

/* Whether a forked child has a mapping, too. */
static bool child_has(const char *at)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0)
		_exit(msync((void *)(uintptr_t)at, 1, MS_ASYNC) == 0);
	CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
	return status != 0;
}

static void test_names(void)
{
	UNIT_ASSERT_TEXT(lttp_file_name(0).text, "cpu/0");
	UNIT_ASSERT_TEXT(lttp_file_name(4294967295u).text, "cpu/4294967295");
	UNIT_ASSERT_TEXT(lttp_spare_name(1020).text, "info/spare/1020");
}

static int stop_at_session(int folder, const char *name, void *data)
{
	(void)folder;
	++*(int *)data;
	return strcmp(name, "session") == 0 ? 7 : 0;
}

static int count_entry(int folder, const char *name, void *data)
{
	(void)folder, (void)name;
	++*(int *)data;
	return 0;
}

static void test_directory(void)
{
	TestSession test = new_session("directory");
	g_autofree char *moved = unit_temp_path("directory-moved");
	int directory = lttp_session_directory(test.session), n = 0;

	CU_ASSERT_TRUE_FATAL(directory >= 0);
	CU_ASSERT_EQUAL(lttp_folder_each(directory, "info", stop_at_session, &n), 7);
	n = -4; /* lock, session, spare, system.xml */
	CU_ASSERT_EQUAL(lttp_folder_each(directory, "info", count_entry, &n), 0);
	CU_ASSERT_EQUAL(n, 0);
	close(directory);
	/* Another directory with that name. */
	CU_ASSERT_EQUAL(g_rename(test.path, moved), 0);
	CU_ASSERT_EQUAL(lttp_session_directory(test.session), -ENOENT);
	CU_ASSERT_EQUAL(g_mkdir(test.path, 0700), 0);
	CU_ASSERT_EQUAL(lttp_session_directory(test.session), -ENOENT);
	CU_ASSERT_EQUAL(lttp_session_file(test.session, "info/lock", O_RDWR), -ENOENT);
	CU_ASSERT_EQUAL(lttp_session_lock(test.session, LTTP_LOCK_KEEPER, F_RDLCK), -ENOENT);
	CU_ASSERT_EQUAL(g_rmdir(test.path), 0);
	CU_ASSERT_EQUAL(g_rename(moved, test.path), 0);
	directory = lttp_session_directory(test.session);
	CU_ASSERT_TRUE(directory >= 0);
	close(directory);
	test_session_free(&test);
}

/* A tracefile is spare until it has a block. */
static void test_extending(void)
{
	TestSession test = new_session("extending");
	struct lttp_session *session = test.session;
	uint32_t number = session->head->cpus + 3, descriptors = count_descriptors();
	struct lttp_file *file = &session->files[number];
	g_autofree char *name = g_strdup(lttp_file_name(number).text);
	g_autofree char *spare = g_strdup(lttp_spare_name(number).text);
	g_autofree char *path = test_session_path(&test, name);
	int directory = lttp_session_directory(session), fd;

	CU_ASSERT_EQUAL(lttp_file_open(session, directory, number), -ENOENT);
	CU_ASSERT_EQUAL(lttp_file_make(session, directory, number), 0);
	CU_ASSERT_EQUAL(lttp_file_make(session, directory, number), 0);
	CU_ASSERT_EQUAL(file->made, LTTP_MADE_WHOLE);
	CU_ASSERT_EQUAL(test_session_size(&test, spare), 0);
	fd = lttp_file_open(session, directory, number);
	CU_ASSERT_TRUE(fd >= 0);
	close(fd);
	/* Another process creates it. */
	session->files[number + 1].made = LTTP_MADE_HALF;
	CU_ASSERT_EQUAL(lttp_file_make(session, directory, number + 1), -EAGAIN);
	CU_ASSERT_EQUAL(lttp_file_extend(session, number + 1, 1), -EAGAIN);
	session->files[number + 1].made = LTTP_MADE_NOT;
	/* It cannot be created; later it can. */
	file->made = LTTP_MADE_NOT;
	CU_ASSERT_EQUAL(lttp_file_make(session, directory, number), -EEXIST);
	CU_ASSERT_EQUAL(file->made, LTTP_MADE_NOT);
	file->made = LTTP_MADE_WHOLE;

	CU_ASSERT_EQUAL(lttp_file_extend(session, number, 2), 0);
	CU_ASSERT_EQUAL(test_session_size(&test, spare), -1);
	CU_ASSERT_EQUAL(test_session_size(&test, name), 2 * 4096);
	CU_ASSERT_EQUAL(file->blocks, 2);
	CU_ASSERT_EQUAL(lttp_file_extend(session, number, 2), 0);
	CU_ASSERT_EQUAL(lttp_file_extend(session, number, 1), 0);
	CU_ASSERT_EQUAL(file->blocks, 2);
	fd = lttp_file_open(session, directory, number);
	CU_ASSERT_TRUE(fd >= 0);
	close(fd);
	/* Numbers of a damaged state: 32 MiB, a chunk, and twice what it has. */
	CU_ASSERT_EQUAL(lttp_file_extend(session, number, UINT32_MAX), -EIO);
	CU_ASSERT_EQUAL(lttp_file_extend(session, number, 1ull << 32), -EFBIG);
	CU_ASSERT_EQUAL(lttp_file_extend(session, number, 4 + 8192 + 1024 + 1), -EIO);
	CU_ASSERT_EQUAL(file->blocks, 2);
	CU_ASSERT_EQUAL(lttp_file_extend(session, number, 4 + 8192 + 1024), 0);
	CU_ASSERT_EQUAL(file->blocks, 4 + 8192 + 1024);
	/* A file with blocks that is missing is not created again. */
	CU_ASSERT_EQUAL(g_unlink(path), 0);
	CU_ASSERT_EQUAL(lttp_file_extend(session, number, 10000), -ENOENT);
	close(directory);
	CU_ASSERT_EQUAL(count_descriptors(), descriptors);
	test_session_free(&test);
}

/* Each process has lanes that exist before it needs them. */
static void test_lanes(void)
{
	TestSession test = new_session("lanes");
	struct lttp_session *session = test.session;
	uint32_t cpus = session->head->cpus;

	session->head->lanes = 5;
	CU_ASSERT_EQUAL(lttp_file_make_lanes(session), cpus);
	CU_ASSERT_EQUAL(session->files[cpus + 4].made, LTTP_MADE_WHOLE);
	CU_ASSERT_EQUAL(session->files[cpus + 5].made, LTTP_MADE_NOT);
	session->head->lanes = 1024;
	CU_ASSERT_EQUAL(lttp_file_make_lanes(session), cpus);
	CU_ASSERT_EQUAL(lttp_file_make_lanes(session), cpus + 32);
	for (uint32_t i = 0; i < 70; i++)
		CU_ASSERT_EQUAL(session->files[cpus + i].made,
				i < 64 ? LTTP_MADE_WHOLE : LTTP_MADE_NOT);
	session->head->lane_windows = 31;
	CU_ASSERT_EQUAL(lttp_file_make_lanes(session), cpus + 31 * 32);
	session->head->lanes = 33;
	session->head->lanes = 1024;
	test_session_free(&test);
}

static void test_owners_of_lanes(void)
{
	TestSession test = new_session("owners");
	struct lttp_session *session = test.session;
	uint32_t lane = session->head->cpus;
	uint64_t *owner = &session->files[lane].lane_owner, *turns = &session->files[lane].turns;
	unsigned patience = 2;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	CU_ASSERT_EQUAL(waitpid(pid, NULL, 0), pid);
	CU_ASSERT_TRUE(lttp_file_lane_is_free(session, lane));
	*owner = lttp_file_lane_owner(session, (uint32_t)getpid());
	CU_ASSERT_EQUAL((uint32_t)*owner, (uint32_t)getpid());
	CU_ASSERT_EQUAL(*owner >> 63, 0);
	CU_ASSERT_NOT_EQUAL(*owner >> 32, 0);
	CU_ASSERT_FALSE(lttp_file_lane_is_free(session, lane));
	/* An event is being written: its thread has all the time that is left. */
	CU_ASSERT_TRUE(lttp_file_wait(session, lane, &patience));
	*turns = 1;
	CU_ASSERT_FALSE(lttp_file_wait(session, lane, &patience));
	CU_ASSERT_EQUAL(patience, 0);
	*turns = 2;
	CU_ASSERT_TRUE(lttp_file_wait(session, lane, &patience));
	*turns = 3;
	*owner = lttp_file_lane_owner(session, (uint32_t)pid);
	CU_ASSERT_TRUE(lttp_file_lane_is_free(session, lane));
	CU_ASSERT_TRUE(lttp_file_wait(session, lane, &patience));
	/* The numbers of processes in another namespace say nothing. */
	session->is_foreign = true;
	CU_ASSERT_FALSE(lttp_file_lane_is_free(session, lane));
	CU_ASSERT_EQUAL(lttp_file_lane_owner(session, 5) >> 63, 1);
	/* Those in the own one do. */
	session->pid_space = 7;
	*owner = lttp_file_lane_owner(session, (uint32_t)pid);
	CU_ASSERT_TRUE(lttp_file_lane_is_free(session, lane));
	session->pid_space = 8;
	CU_ASSERT_FALSE(lttp_file_lane_is_free(session, lane));
	session->pid_space = LTTP_SPACE_UNKNOWN;
	*owner = lttp_file_lane_owner(session, (uint32_t)pid);
	CU_ASSERT_FALSE(lttp_file_lane_is_free(session, lane));
	session->is_foreign = false;
	session->pid_space = LTTP_SPACE_OWN;
	CU_ASSERT_FALSE(lttp_file_lane_is_free(session, lane));
	*owner = lttp_file_lane_owner(session, (uint32_t)pid);
	*owner |= 1ull << 63;
	CU_ASSERT_FALSE(lttp_file_lane_is_free(session, lane));
	*owner = 1ull << 40;
	CU_ASSERT_FALSE(lttp_file_lane_is_free(session, lane));
	test_session_free(&test);
}

static void test_anchors(void)
{
	TestSession test = new_session("anchors");
	struct lttp_session *session = test.session;
	uint32_t files = lttp_session_files(session->head), last = files + 1;
	g_autofree char *path = test_session_path(&test, "info/system.xml");
	uint32_t lane = LTTP_ANCHOR_TRACEFILES + session->head->cpus;
	struct lttp_anchors *anchors = session->anchors;
	unsigned long pages;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	char *at;

	CU_ASSERT_PTR_NOT_NULL(anchors);
	CU_ASSERT_TRUE(lttp_anchors_make(session));
	CU_ASSERT_PTR_EQUAL(session->anchors, anchors);
	CU_ASSERT_TRUE(lttp_anchor_is_set(session, LTTP_ANCHOR_PROCESSES));
	CU_ASSERT_TRUE(lttp_anchor_is_set(session, LTTP_ANCHOR_FACILITIES));
	CU_ASSERT_TRUE(lttp_anchor_is_set(session, LTTP_ANCHOR_TRACEFILES));
	CU_ASSERT_FALSE(lttp_anchor_is_set(session, lane));
	CU_ASSERT_PTR_NULL(lttp_anchor_map(session, lane, 0, 4096));
	CU_ASSERT_FALSE(lttp_anchor_set(session, last + 1, fd));
	CU_ASSERT_FALSE(lttp_anchor_set(session, lane, -1));
	CU_ASSERT_FALSE(lttp_anchor_is_set(session, lane));
	CU_ASSERT_TRUE(lttp_anchor_set(session, last, fd));
	CU_ASSERT_TRUE(lttp_anchor_is_set(session, last));
	CU_ASSERT_TRUE(lttp_anchor_set(session, last, fd));
	/* Any part of the file, at its own address. */
	CU_ASSERT_EQUAL(ftruncate(fd, 3 * 4096), 0);
	CU_ASSERT_EQUAL(pwrite(fd, "0", 1, 0), 1);
	CU_ASSERT_EQUAL(pwrite(fd, "2", 1, 2 * 4096), 1);
	at = lttp_anchor_map(session, last, 2 * 4096, 4096);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	CU_ASSERT_EQUAL(*at, '2');
	CU_ASSERT_FALSE(child_has(at));
	munmap(at, 4096);
	at = lttp_anchor_map(session, last, 0, 4096);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	CU_ASSERT_EQUAL(*at, '0');
	munmap(at, 4096);
	CU_ASSERT_PTR_NULL(lttp_anchor_map(session, last, UINT64_MAX - 4095, 8192));
	CU_ASSERT_PTR_NULL(lttp_anchor_map(session, last, 1ull << 60, 4096));
	close(fd);
	lttp_anchors_free(session);
	CU_ASSERT_PTR_NULL(session->anchors);
	lttp_anchors_free(session);
	pages = test_count_pages();
	CU_ASSERT_TRUE(lttp_anchors_make(session));
	CU_ASSERT_TRUE(test_count_pages() > pages);
	lttp_anchors_free(session);
	CU_ASSERT_EQUAL(test_count_pages(), pages);
	CU_ASSERT_FALSE(lttp_anchor_set(session, last, 0));
	CU_ASSERT_FALSE(lttp_anchor_is_set(session, last));
	test_session_free(&test);
}

/* Chunks and control files are mapped from anchors, or by their paths. */
static void test_mapping(void)
{
	TestSession test = new_session("mapping");
	struct lttp_session *session = test.session;
	uint32_t number = session->head->cpus, anchor = LTTP_ANCHOR_TRACEFILES + number;
	size_t size = lttp_chunk_bytes(session->head);
	g_autofree char *path = test_session_path(&test, "control/processes");
	char *at = NULL;

	CU_ASSERT_EQUAL(size, 4 << 20);
	CU_ASSERT_EQUAL(lttp_file_map(session, number, 0, &at), -ENOENT);
	CU_ASSERT_PTR_NULL(at);
	CU_ASSERT_EQUAL(lttp_file_extend(session, number, 1025), 0);
	CU_ASSERT_EQUAL(lttp_file_map(session, number, 1, &at), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	CU_ASSERT_EQUAL(msync(at, size, MS_ASYNC), 0);
	munmap(at, size);
	CU_ASSERT_TRUE(lttp_anchor_is_set(session, anchor));
	CU_ASSERT_EQUAL(lttp_file_map(session, number, 1, &at), 0);
	munmap(at, size);
	/* A process that may not open files. */
	session->head->keeper_cycles = 1;
	CU_ASSERT_EQUAL(lttp_file_map(session, number, 1, &at), 0);
	munmap(at, size);
	CU_ASSERT_EQUAL(lttp_file_map(session, number + 1, 0, &at), -EACCES);
	CU_ASSERT_EQUAL(lttp_file_map(session, number, 1ull << 30, &at), -ENOMEM);
	at = lttp_file_map_control(session, LTTP_ANCHOR_PROCESSES, 10);
	CU_ASSERT_PTR_NOT_NULL(at);
	munmap(at, 4096);
	CU_ASSERT_PTR_NULL(lttp_file_map_control(session, LTTP_ANCHOR_PROCESSES, 11));
	lttp_anchors_free(session);
	CU_ASSERT_PTR_NULL(lttp_file_map_control(session, LTTP_ANCHOR_PROCESSES, 10));
	session->head->keeper_cycles = 0;
	at = lttp_file_map_control(session, LTTP_ANCHOR_FACILITIES, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	CU_ASSERT_NOT_EQUAL(*(uint64_t *)(void *)(at + 4088), 0);
	munmap(at, 4096);
	at = lttp_file_map_control(session, LTTP_ANCHOR_PROCESSES, 10);
	CU_ASSERT_PTR_NOT_NULL(at);
	munmap(at, 4096);
	CU_ASSERT_PTR_NULL(lttp_file_map_control(session, LTTP_ANCHOR_PROCESSES, 11));
	CU_ASSERT_EQUAL(g_unlink(path), 0);
	CU_ASSERT_PTR_NULL(lttp_file_map_control(session, LTTP_ANCHOR_PROCESSES, 0));
	test_session_free(&test);
}

/* Descriptors that a program without a recorder keeps: high ones, of the files that have a block. */
static void test_kept_files(void)
{
	TestSession test = new_session("kept");
	struct lttp_session *session = test.session;
	unsigned descriptors = count_descriptors(), anchored = 2;
	g_autofree char *path = test_session_path(&test, "info/system.xml");
	struct rlimit before, limit;
	unsigned long pages;
	int fd, other;

	CU_ASSERT_EQUAL(lttp_kept_file(session, LTTP_ANCHOR_PROCESSES), -EBADF);
	CU_ASSERT_EQUAL(lttp_file_extend(session, 0, 1), 0);
	for (uint32_t i = 0; i < session->head->cpus; i++)
		anchored += lttp_anchor_is_set(session, LTTP_ANCHOR_TRACEFILES + i);
	CU_ASSERT_EQUAL(getrlimit(RLIMIT_NOFILE, &before), 0);
	limit = (struct rlimit){2 * anchored - 1, before.rlim_max};
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_NOFILE, &limit), 0);
	lttp_kept_open(session);
	CU_ASSERT_PTR_NULL(session->kept);
	limit.rlim_cur = 2 * anchored;
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_NOFILE, &limit), 0);
	pages = test_count_pages();
	lttp_kept_open(session);
	CU_ASSERT_PTR_NOT_NULL(session->kept);
	lttp_kept_close(session);
	CU_ASSERT_EQUAL(test_count_pages(), pages);
	limit.rlim_cur = 200;
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_NOFILE, &limit), 0);
	lttp_kept_open(session);
	CU_ASSERT_PTR_NOT_NULL(session->kept);
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_NOFILE, &before), 0);
	CU_ASSERT_EQUAL(count_descriptors(), descriptors + 2);
	CU_ASSERT_EQUAL(lttp_kept_file(session, LTTP_ANCHOR_PROCESSES), 200 - (int)anchored);
	fd = lttp_kept_file(session, LTTP_ANCHOR_TRACEFILES);
	CU_ASSERT_EQUAL(fd, 200 - (int)anchored + 1);
	CU_ASSERT_EQUAL(fcntl(fd, F_GETFD), FD_CLOEXEC);
	CU_ASSERT_EQUAL(lttp_kept_file(session, LTTP_ANCHOR_TRACEFILES + 1), -EBADF);
	CU_ASSERT_EQUAL(lttp_kept_file(session, LTTP_ANCHOR_FACILITIES), -EBADF);
	/* It is used to extend the file, and stays open. */
	CU_ASSERT_EQUAL(lttp_file_extend(session, 0, 3), 0);
	CU_ASSERT_EQUAL(test_session_size(&test, "cpu/0"), 3 * 4096);
	CU_ASSERT_EQUAL(lttp_kept_file(session, LTTP_ANCHOR_TRACEFILES), fd);
	/* The program has replaced it. */
	other = open(path, O_RDWR | O_CLOEXEC);
	CU_ASSERT_EQUAL(dup2(other, fd), fd);
	CU_ASSERT_EQUAL(lttp_kept_file(session, LTTP_ANCHOR_TRACEFILES), -EBADF);
	CU_ASSERT_EQUAL(lttp_file_extend(session, 0, 4), 0);
	CU_ASSERT_EQUAL(test_session_size(&test, "cpu/0"), 4 * 4096);
	close(other);
	lttp_kept_close(session);
	lttp_kept_close(session);
	CU_ASSERT_EQUAL(count_descriptors(), descriptors + 1);
	close(fd);
	test_session_free(&test);
}

UNIT_MAIN("session-files", UNIT(test_names), UNIT(test_directory), UNIT(test_extending),
	  UNIT(test_lanes), UNIT(test_owners_of_lanes), UNIT(test_anchors), UNIT(test_mapping),
	  UNIT(test_kept_files))
