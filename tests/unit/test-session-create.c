/* What a new session has in its directory and in its state, and who can open it. */
#define _GNU_SOURCE
#include "support-session.h"
#include "unit.h"

#include "session/anchor.h"
#include "session/atomic.h"
#include "session/clock.h"
#include "session/create.h"
#include "session/directory.h"
#include "session/open.h"
#include "session/system.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Fails unless a folder has these names, in their order. */
static void expect_names(const char *path, const char *folder, const char *expected)
{
	g_autofree char *where = g_build_filename(path, folder, NULL), *text = NULL;
	g_autoptr(GDir) dir = g_dir_open(where, 0, NULL);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	const char *name;

	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
		g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	text = g_strjoinv(" ", (char **)names->pdata);
	UNIT_ASSERT_TEXT(text, expected);
}

static ino_t inode_of(const char *path)
{
	GStatBuf status;

	return g_stat(path, &status) == 0 ? status.st_ino : 0;
}

static void test_directory(void)
{
	TestSession test = test_session_new("create", 0, LTTP_SESSION_WATCH);
	struct lttp_head *head = test.session->head;
	g_autofree char *lock = test_session_path(&test, "info/lock");
	g_autofree bool *online = g_new0(bool, head->cpus);
	GStatBuf status;

	expect_names(test.path, "", "control cpu eventdefs info");
	expect_names(test.path, "info", "lock session spare system.xml");
	expect_names(test.path, "control", "facilities processes");
	expect_names(test.path, "eventdefs", "losses.xml tracer.xml");
	expect_names(test.path, "cpu", "");
	CU_ASSERT_EQUAL(g_stat(lock, &status), 0);
	CU_ASSERT_EQUAL(status.st_mode & 07777, 0600);
	lttp_system_online(online, head->cpus);
	for (uint32_t i = 0; i < head->cpus; i++) {
		g_autofree char *path = test_session_path(&test, lttp_spare_name(i).text);

		CU_ASSERT_EQUAL(g_file_test(path, G_FILE_TEST_EXISTS), online[i]);
		CU_ASSERT_EQUAL(test.session->files[i].made,
				online[i] ? LTTP_MADE_WHOLE : LTTP_MADE_NOT);
	}
	CU_ASSERT_EQUAL(memcmp(head->magic, LTTP_SESSION_MAGIC, 8), 0);
	CU_ASSERT_EQUAL(head->cpus, lttp_system_cpus());
	CU_ASSERT_EQUAL(head->lanes, 1024);
	CU_ASSERT_TRUE(head->running == 1 && head->ordered == 1 &&
		       head->arch_size == 3 - (sizeof(void *) == 4));
	CU_ASSERT_EQUAL(head->inode, inode_of(test.path));
	CU_ASSERT_EQUAL(head->time_namespace, inode_of("/proc/self/ns/time"));
	CU_ASSERT_EQUAL(head->pid_namespace, inode_of("/proc/self/ns/pid"));
	CU_ASSERT_FALSE(test.session->is_foreign);
	CU_ASSERT_EQUAL(head->serials, 1 + head->start_monotonic_ns + 2);
	CU_ASSERT_EQUAL(head->beat_cycles, head->cycles_per_second + 1);
	UNIT_ASSERT_TEXT(head->globs, "*");
	for (uint32_t i = 0; i < lttp_session_files(head); i++) {
		CU_ASSERT_EQUAL(test.session->files[i].current, LTTP_NO_BLOCK);
		CU_ASSERT_EQUAL(test.session->files[i].gate.cut_cycles, LTTP_CUT_NEVER);
	}
	CU_ASSERT_EQUAL(head->control_blocks, 1);
	test_session_free(&test);
}

static void test_layouts(void)
{
	static const struct {
		uint32_t block;
		uint64_t flight;
		uint32_t blocks, chunk;
	} cases[] = {
		{0, 0, 0, 16},
		{4096, 0, 0, 1024},
		{4 << 20, 0, 0, 1},
		{2 << 20, 0, 0, 2},
		{8 << 20, 0, 0, 1},
		{64 << 20, 0, 0, 1},
		{4096, 1, 2, 4},
		{4096, 8192, 2, 4},
		{4096, 8193, 3, 6},
		{4096, 12288, 3, 6},
		{65536, 1ull << 40, 1 << 24, 1 << 25},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const struct ltt_probe_options options = {.size_bytes = sizeof(options),
							  .block_bytes = cases[i].block,
							  .flight_bytes = cases[i].flight,
							  .clock = LTT_PROBE_CLOCK_FAST,
							  .heartbeat_ms = 20,
							  .facilities = "a,b",
							  .system_xml = "<system/>"};
		g_autofree struct lttp_session *session = g_new0(struct lttp_session, 1);
		g_autofree char *path = unit_temp_path("layout"), *text = NULL;
		g_autofree char *system = g_build_filename(path, "info/system.xml", NULL);

		/* Blocks of 64 MiB: only the layout, not the files. */
		CU_ASSERT_EQUAL_FATAL(lttp_session_create(path, &options), 0);
		CU_ASSERT_EQUAL_FATAL(lttp_session_open(session, path, LTTP_SESSION_WATCH), 0);
		CU_ASSERT_EQUAL(session->head->block_bytes,
				cases[i].block != 0 ? cases[i].block : 262144);
		CU_ASSERT_EQUAL(session->head->flight_blocks, cases[i].blocks);
		CU_ASSERT_EQUAL(session->head->chunk_blocks, cases[i].chunk);
		CU_ASSERT_EQUAL(session->head->ordered, 0);
		UNIT_ASSERT_TEXT(session->head->globs, "a,b");
		CU_ASSERT_EQUAL(session->head->beat_cycles,
				session->head->cycles_per_second * 20 / 1000 + 1);
		CU_ASSERT_TRUE(g_file_get_contents(system, &text, NULL, NULL));
		UNIT_ASSERT_TEXT(text, "<system/>");
		lttp_session_close(session);
		lttp_session_remove(path);
		CU_ASSERT_FALSE(g_file_test(path, G_FILE_TEST_EXISTS));
	}
}

/* Options of the first version end before system_xml. */
static void test_old_options(void)
{
	struct ltt_probe_options options = {.block_bytes = 4096, .system_xml = "not read"};
	g_autofree char *path = unit_temp_path("old"), *text = NULL;
	g_autofree char *system = g_build_filename(path, "info/system.xml", NULL);

	options.size_bytes = offsetof(struct ltt_probe_options, system_xml) - 1;
	CU_ASSERT_EQUAL(lttp_session_create(path, &options), -EINVAL);
	options.size_bytes++;
	CU_ASSERT_EQUAL(lttp_session_create(path, &options), 0);
	CU_ASSERT_TRUE(g_file_get_contents(system, &text, NULL, NULL));
	CU_ASSERT_TRUE(g_str_has_prefix(text, "<?xml version="));
	/* It exists, and stays. */
	CU_ASSERT_EQUAL(lttp_session_create(path, &options), -EEXIST);
	CU_ASSERT_TRUE(g_file_test(system, G_FILE_TEST_EXISTS));
	options.size_bytes = offsetof(struct ltt_probe_options, system_xml) + 1000;
	lttp_session_remove(path);
	lttp_session_remove(path);
	CU_ASSERT_FALSE(g_file_test(path, G_FILE_TEST_EXISTS));
}

/* Without room for each of the files nothing is left. */
static void test_no_room(void)
{
	g_autofree char *path = unit_temp_path("no-room"), *deep = unit_temp_path("none/deep");
	const struct ltt_probe_options options = {.size_bytes = sizeof(options),
						  .block_bytes = 1 << 20};
	const rlim_t limits[] = {0, 1000, 100000, 800000, 1 << 20, (9 << 20) - 1};
	struct rlimit before, limit;

	CU_ASSERT_EQUAL(lttp_session_create(deep, &options), -ENOENT);
	CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	for (guint i = 0; i < 5; i++) {
		limit.rlim_cur = limits[i];
		CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
		CU_ASSERT_EQUAL(lttp_session_create(path, &options), -EFBIG);
		CU_ASSERT_FALSE(g_file_test(path, G_FILE_TEST_EXISTS));
	}
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &before), 0);
}

/* Who cannot join is noted: the first 30 with their names. */
static void test_refusals(void)
{
	TestSession test = test_session_new("refusals", 0, LTTP_SESSION_WATCH);
	struct lttp_head *head = test.session->head;
	g_autofree struct lttp_session *other = g_new0(struct lttp_session, 1);
	g_autofree char *name = g_strnfill(40, 'n');

	CU_ASSERT_EQUAL(prctl(PR_SET_NAME, "tester"), 0);
	head->version++;
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_WATCH), -EPROTO);
	CU_ASSERT_EQUAL(head->refused, 0);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH), -EPROTO);
	head->version--;
	head->arch_size++;
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH), -EPROTO);
	head->arch_size--;
	lttp_session_refuse(head, LTTP_REFUSED_FACILITY, name);
	CU_ASSERT_EQUAL(head->refused, 3);
	CU_ASSERT_EQUAL(head->refusals[0].reason, LTTP_REFUSED_VERSION);
	CU_ASSERT_EQUAL(head->refusals[0].pid, (uint32_t)getpid());
	UNIT_ASSERT_TEXT(head->refusals[0].name, "tester");
	CU_ASSERT_EQUAL(head->refusals[1].reason, LTTP_REFUSED_ARCH);
	CU_ASSERT_EQUAL(strlen(head->refusals[2].name), sizeof(head->refusals[2].name) - 1);
	for (int i = 3; i < 40; i++)
		lttp_session_refuse(head, LTTP_REFUSED_MEMORY, "m");
	CU_ASSERT_EQUAL(head->refused, 40);
	CU_ASSERT_EQUAL(head->refusals[29].reason, LTTP_REFUSED_MEMORY);
	CU_ASSERT_EQUAL(head->reserved_common[0], 0);
	test_session_free(&test);
}

/* A value of the fixed part of the state, which other processes cannot change once it is open. */
static void set_fixed(const TestSession *test, gsize at, guint64 value, gsize size)
{
	g_autofree char *path = test_session_path(test, "info/session");
	int fd = open(path, O_RDWR | O_CLOEXEC);

	CU_ASSERT_EQUAL(pwrite(fd, &value, size, (off_t)at), (gssize)size);
	close(fd);
}

static void test_who_can_join(void)
{
	TestSession test = test_session_new("who", 0, LTTP_SESSION_WATCH);
	struct lttp_head *head = test.session->head;
	g_autofree struct lttp_session *other = g_new0(struct lttp_session, 1);
	g_autofree char *state = test_session_path(&test, "info/session"), *moved = NULL;

#define SET(member, value)                                                                         \
	set_fixed(&test, offsetof(struct lttp_head, member), value, sizeof(head->member))
	SET(counter, 77);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_WATCH), 0);
	CU_ASSERT_EQUAL(other->head->counter, 77);
	CU_ASSERT_NOT_EQUAL(head->counter, 77);
	lttp_session_close(other);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH), -EPROTO);
	CU_ASSERT_EQUAL(head->refusals[0].reason, LTTP_REFUSED_COUNTER);
	SET(counter, head->counter);
	SET(time_namespace, head->time_namespace + 1);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH), -EPROTO);
	CU_ASSERT_EQUAL(head->refusals[1].reason, LTTP_REFUSED_CLOCK);
	SET(time_namespace, 0);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH), 0);
	CU_ASSERT_FALSE(other->is_foreign);
	CU_ASSERT_PTR_NOT_NULL(other->anchors);
	CU_ASSERT_TRUE(lttp_anchor_is_set(other, LTTP_ANCHOR_FACILITIES));
	lttp_session_close(other);
	CU_ASSERT_PTR_NULL(other->head);
	CU_ASSERT_PTR_NULL(other->files);
	CU_ASSERT_PTR_NULL(other->lock);
	SET(pid_namespace, head->pid_namespace + 1);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_WATCH), 0);
	CU_ASSERT_TRUE(other->is_foreign);
	CU_ASSERT_PTR_NULL(other->lock);
	CU_ASSERT_PTR_NULL(other->anchors);
	lttp_session_close(other);
#undef SET
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH_OWN), 0);
	lttp_session_close(other);
	if (chown(test.path, 12345, (gid_t)-1) == 0) {
		CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH_OWN),
				-EPERM);
		CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH_GIVEN),
				-EPERM);
		CU_ASSERT_EQUAL(chown(test.path, 0, (gid_t)-1), 0);
		CU_ASSERT_EQUAL(chown(state, 12345, (gid_t)-1), 0);
		CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH_OWN),
				-EPERM);
		CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH_GIVEN),
				-EPERM);
		/* The owner that the recorder saw, or one of the users of this process. */
		g_setenv("LTT_TRACE_OWNER", "12345", TRUE);
		CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH_GIVEN), 0);
		lttp_session_close(other);
		g_unsetenv("LTT_TRACE_OWNER");
		CU_ASSERT_EQUAL(setreuid(12345, (uid_t)-1), 0);
		CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH_GIVEN), 0);
		lttp_session_close(other);
		CU_ASSERT_EQUAL(setreuid(0, (uid_t)-1), 0);
		CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH), 0);
		lttp_session_close(other);
	}
	/* No session, no lock, no regular file. */
	moved = g_strconcat(state, ".old", NULL);
	CU_ASSERT_EQUAL(g_rename(state, moved), 0);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_WATCH), -ENOENT);
	CU_ASSERT_EQUAL(symlink("session.old", state), 0);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_WATCH), -ELOOP);
	CU_ASSERT_EQUAL(g_unlink(state), 0);
	CU_ASSERT_EQUAL(mkfifo(state, 0600), 0);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_WATCH), -EBADMSG);
	CU_ASSERT_EQUAL(g_rename(moved, state), 0);
	g_free(moved);
	moved = test_session_path(&test, "info/lock");
	CU_ASSERT_EQUAL(g_unlink(moved), 0);
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_ATTACH), -ENOENT);
	CU_ASSERT_EQUAL(lttp_session_open(other, "/nonexistent", LTTP_SESSION_WATCH), -ENOENT);
	test_session_free(&test);
}

/* Threads that still read a session that was left find one that has ended. */
static void test_forgetting(void)
{
	TestSession test = test_session_new("forget", 0, LTTP_SESSION_ATTACH);
	struct lttp_session *session = test.session;
	struct lttp_head *head = session->head;
	g_autofree struct lttp_session *other = g_new0(struct lttp_session, 1);
	int lock;

	head->lost = 5;
	session->files[0].lost = 6;
	CU_ASSERT_EQUAL(lttp_session_open(other, test.path, LTTP_SESSION_WATCH), 0);
	lttp_session_forget(session);
	CU_ASSERT_PTR_EQUAL(session->head, head);
	CU_ASSERT_PTR_NULL(session->lock);
	CU_ASSERT_TRUE(head->running == 0 && head->lost == 0 && session->files[0].lost == 0);
	CU_ASSERT_EQUAL(head->magic[0], 0);
	CU_ASSERT_EQUAL(head->block_bytes, 4096);
	head->lost = 7;
	CU_ASSERT_TRUE(other->head->lost == 5 && other->head->running == 1);
	lock = lttp_session_lock(other, LTTP_LOCK_ATTACHED, F_WRLCK);
	CU_ASSERT_TRUE(lock >= 0);
	close(lock);
	lttp_session_close(other);
	test_session_free(&test);
}

UNIT_MAIN("session-create", UNIT(test_directory), UNIT(test_layouts), UNIT(test_old_options),
	  UNIT(test_no_room), UNIT(test_refusals), UNIT(test_who_can_join), UNIT(test_forgetting))
