/* The state of a session: options of its creator, and states that a hostile process wrote. */
#include "unit.h"

#include "session/broker-client.h"
#include "session/create.h"
#include "session/file.h"
#include "session/finish.h"
#include "session/open.h"

#include <ltt/ltt-probe.h>

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

static int create_with(const struct ltt_probe_options *options)
{
	g_autofree char *path = unit_temp_path("options");
	const int result = lttp_session_create(path, options);

	CU_ASSERT_EQUAL(g_file_test(path, G_FILE_TEST_EXISTS), result == 0);
	if (result == 0)
		lttp_session_remove(path);
	return result;
}

static void test_options(void)
{
	struct ltt_probe_options good = {.size_bytes = sizeof(good), .block_bytes = 65536};
	struct ltt_probe_options options;
	g_autofree char *globs = g_strnfill(8 << 10, 'x');

	CU_ASSERT_EQUAL(create_with(NULL), 0);
	CU_ASSERT_EQUAL(create_with(&good), 0);
#define CHECK_REFUSED(member, value)                                                               \
	G_STMT_START                                                                               \
	{                                                                                          \
		options = good;                                                                    \
		options.member = value;                                                            \
		CU_ASSERT_EQUAL(create_with(&options), -EINVAL);                                   \
	}                                                                                          \
	G_STMT_END
	CHECK_REFUSED(size_bytes, 4);
	CHECK_REFUSED(block_bytes, 2048);
	CHECK_REFUSED(block_bytes, 65536 + 4096);
	CHECK_REFUSED(block_bytes, 128 << 20);
	CHECK_REFUSED(clock, 99);
	CHECK_REFUSED(heartbeat_ms, G_MAXUINT32);
	CHECK_REFUSED(reserved, 1);
	CHECK_REFUSED(flight_bytes, (1ull << 40) + 1);
	CHECK_REFUSED(facilities, globs);
#undef CHECK_REFUSED
	/* The greatest values. */
	globs[1023] = 0;
	options = good;
	options.facilities = globs;
	options.heartbeat_ms = 3600 * 1000;
	CU_ASSERT_EQUAL(create_with(&options), 0);
	globs[1023] = 'x';
	globs[1024] = 0;
	CU_ASSERT_EQUAL(create_with(&options), -EINVAL);

	/* Those of an earlier version are shorter; a flight recorder has a least size. */
	options = good;
	options.flight_bytes = 1;
	CU_ASSERT_EQUAL(create_with(&options), 0);
}

/* A state that the library creates, in memory. */
static struct lttp_head *read_state(gsize *size_bytes)
{
	g_autofree char *path = unit_temp_path("state");
	g_autofree char *file = g_build_filename(path, "info/session", NULL);
	char *bytes = NULL;

	CU_ASSERT_EQUAL_FATAL(lttp_session_create(path, NULL), 0);
	CU_ASSERT_TRUE_FATAL(g_file_get_contents(file, &bytes, size_bytes, NULL));
	lttp_session_remove(path);
	return (struct lttp_head *)(void *)bytes;
}

/* Each bound of the numbers from which a process computes places in files and in memory. */
static void test_plausible_states(void)
{
	gsize size;
	g_autofree struct lttp_head *good = read_state(&size);
	g_autofree struct lttp_head *head = g_malloc(sizeof(*head));

	CU_ASSERT_TRUE(lttp_session_is_plausible(good, size));
	CU_ASSERT_TRUE(
		lttp_session_is_plausible(good, lttp_session_bytes(lttp_session_files(good))));
	CU_ASSERT_FALSE(
		lttp_session_is_plausible(good, lttp_session_bytes(lttp_session_files(good)) - 1));
#define CHECK(member, value, expected)                                                             \
	G_STMT_START                                                                               \
	{                                                                                          \
		*head = *good;                                                                     \
		head->member = value;                                                              \
		CU_ASSERT_EQUAL(lttp_session_is_plausible(head, size), expected);                  \
	}                                                                                          \
	G_STMT_END
	CHECK(block_bytes, LTTP_BLOCK_BYTES_MIN, true);
	CHECK(block_bytes, LTTP_BLOCK_BYTES_MIN / 2, false);
	CHECK(block_bytes, 2 * LTTP_BLOCK_BYTES_MAX, false);
	CHECK(block_bytes, LTTP_BLOCK_BYTES_MIN + 8, false);
	CHECK(block_bytes, 0, false);
	CHECK(flight_blocks, 1, false);
	CHECK(flight_blocks, good->chunk_blocks, false);
	CHECK(flight_blocks, good->chunk_blocks / 2, true);
	CHECK(chunk_blocks, 0, false);
	CHECK(chunk_blocks, (uint32_t)((1ull << 41) / good->block_bytes), true);
	CHECK(chunk_blocks, (uint32_t)((1ull << 41) / good->block_bytes) + 1, false);
	CHECK(cpus, 0, false);
	CHECK(lanes, 0, true);
	CHECK(beat_cycles, 0, false);
	CHECK(cpus, 1, true);
	CHECK(beat_cycles, 1, true);
	CHECK(bend_cycles, 1, true);
	CHECK(bend_ns, 1, true);
	CHECK(bend_cycles, 0, false);
	CHECK(bend_cycles, 1u << 31, true);
	CHECK(bend_cycles, (1u << 31) + 1, false);
	CHECK(bend_ns, 0, false);
#undef CHECK
	*head = *good;
	memset(head->globs, 'x', sizeof(head->globs));
	CU_ASSERT_FALSE(lttp_session_is_plausible(head, size));
	/* No file can have these sizes. */
	size = G_MAXSIZE;
	*head = *good;
	head->cpus = LTTP_CPUS_MAX;
	CU_ASSERT_TRUE(lttp_session_is_plausible(head, size));
	head->cpus++;
	CU_ASSERT_FALSE(lttp_session_is_plausible(head, size));
	head->cpus = 1;
	head->lanes = LTTP_LANES + 1;
	CU_ASSERT_FALSE(lttp_session_is_plausible(head, size));
}

/* Opens a session whose state has other bytes at @at. */
static int open_changed(gsize at, guint32 value, gint64 size)
{
	g_autofree struct lttp_session *session = g_new0(struct lttp_session, 1);
	g_autofree char *path = unit_temp_path("changed");
	g_autofree char *file = g_build_filename(path, "info/session", NULL);
	int fd, result;

	CU_ASSERT_EQUAL_FATAL(lttp_session_create(path, NULL), 0);
	fd = open(file, O_RDWR | O_CLOEXEC);
	CU_ASSERT_EQUAL(pwrite(fd, &value, sizeof(value), (off_t)at), (gssize)sizeof(value));
	if (size >= 0)
		CU_ASSERT_EQUAL(ftruncate(fd, size), 0);
	close(fd);
	result = lttp_session_open(session, path, LTTP_SESSION_WATCH);
	lttp_session_close(session);
	lttp_session_remove(path);
	return result;
}

static void test_opening(void)
{
	const guint32 magic = 0x5354544c; /* not all of it */

	CU_ASSERT_EQUAL(open_changed(offsetof(struct lttp_head, lanes), LTTP_LANES, -1), 0);
	CU_ASSERT_EQUAL(open_changed(0, magic, -1), -EBADMSG);
	CU_ASSERT_EQUAL(open_changed(offsetof(struct lttp_head, version), 1, -1), -EPROTO);
	CU_ASSERT_EQUAL(open_changed(offsetof(struct lttp_head, byte_order), 1, -1), -EPROTO);
	CU_ASSERT_EQUAL(open_changed(offsetof(struct lttp_head, arch_size), 99, -1), -EPROTO);
	CU_ASSERT_EQUAL(open_changed(offsetof(struct lttp_head, block_bytes), 1, -1), -EBADMSG);
	CU_ASSERT_EQUAL(open_changed(0, magic, 0), -EBADMSG);
	CU_ASSERT_EQUAL(open_changed(0, magic, sizeof(struct lttp_head) - 1), -EBADMSG);
	CU_ASSERT_EQUAL(open_changed(0, magic, 1ll << 40), -EBADMSG);
}

/* Addresses of a broker come from the environment. */
static void test_addresses_of_a_broker(void)
{
	g_autofree char *name = g_strnfill(200, 'n');
	g_autofree char *long_name = g_strconcat(name, ":0123456789abcdef0123456789abcdef", NULL);
	const char *const wrong[] = {
		"",
		"name",
		"name:",
		":0123456789abcdef0123456789abcdef",
		"name:0123456789abcdef",
		"name:0123456789abcdef0123456789abcdef0",
		long_name,
	};
	g_autofree struct lttp_session *session = g_new0(struct lttp_session, 1);

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++)
		CU_ASSERT_EQUAL(lttp_session_receive(session, wrong[i], false, LTTP_SESSION_WATCH),
				-EINVAL);
	CU_ASSERT_EQUAL(lttp_session_receive(
				session, "libltt-test-no-broker:0123456789abcdef0123456789abcdef",
				false, LTTP_SESSION_WATCH),
			-ECONNREFUSED);
}

/* A step that passed a cut at the end of the session has opened the gate again. */
static void test_shutting_a_lane(void)
{
	g_autofree struct lttp_session *session = g_new0(struct lttp_session, 1);
	g_autofree char *path = unit_temp_path("lane");
	unsigned patience = 2;
	struct lttp_file *lane;

	CU_ASSERT_EQUAL_FATAL(lttp_session_create(path, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(lttp_session_open(session, path, LTTP_SESSION_WATCH), 0);
	lane = &session->files[session->head->cpus];
	lane->gate.cut_cycles = LTTP_CUT_NEVER;
	CU_ASSERT_TRUE(lttp_session_shut_lane(session, session->head->cpus, &patience));
	CU_ASSERT_EQUAL(lane->gate.cut_cycles, LTTP_CUT_ENDED);
	CU_ASSERT_EQUAL(patience, 2);

	/* An event that is being written, by a process that has died, and by this one. */
	lane->turns = 1;
	CU_ASSERT_TRUE(lttp_session_shut_lane(session, session->head->cpus, &patience));
	lane->lane_owner = lttp_file_lane_owner(session, (uint32_t)getpid());
	CU_ASSERT_FALSE(lttp_session_shut_lane(session, session->head->cpus, &patience));
	CU_ASSERT_EQUAL(patience, 0);
	lttp_session_close(session);
	lttp_session_remove(path);
}

UNIT_MAIN("session", UNIT(test_options), UNIT(test_plausible_states), UNIT(test_opening),
	  UNIT(test_addresses_of_a_broker), UNIT(test_shutting_a_lane))
