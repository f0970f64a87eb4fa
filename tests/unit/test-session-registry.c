/* Facilities of a session: the table, control/facilities, and the descriptions in eventdefs/. */
#include "support-session.h"
#include "unit.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/eventdef.h"
#include "session/events.h"
#include "session/registry.h"
#include "session/tracer.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>

#define FILE_NAME "control/facilities"
#define BEGIN     "{start 0 load tracer 5a5cf28d 4 beat load losses 30b302d9 9"

static TestSession new_session(const char *name)
{
	return test_session_new(name, 0, LTTP_SESSION_ATTACH);
}

static int load(TestSession *test, const char *name, uint32_t checksum, uint32_t events,
		uint32_t *base)
{
	return lttp_registry_load(test->session, name, checksum, events, "<x/>", base);
}

/* Fails unless the text of the file begins and ends so; it is followed by blocks that are empty. */
static void expect_ends(TestSession *test, const char *begin, const char *end)
{
	g_autofree char *text = test_session_text(test, FILE_NAME);

	g_strchomp(g_strdelimit(text, "-", ' '));
	if (g_str_has_prefix(text, begin) && g_str_has_suffix(text, end)) {
		CU_PASS("");
		return;
	}
	UNIT_ASSERT_TEXT(text, begin);
	UNIT_ASSERT_TEXT(text, end);
}

static void test_loading(void)
{
	TestSession test = new_session("loading");
	struct lttp_head *head = test.session->head;
	g_autofree char *path = test_session_path(&test, FILE_NAME), *once = NULL, *twice = NULL;
	g_autofree char *name = g_strnfill(232, 'n');
	uint32_t base = 0;
	gsize size = 0;

	expect_ends(&test, BEGIN "}", "}");
	CU_ASSERT_EQUAL(load(&test, "disk", 1, 3, &base), 0);
	CU_ASSERT_EQUAL(base, 11);
	CU_ASSERT_EQUAL(load(&test, "net", 2, 5, &base), 0);
	CU_ASSERT_EQUAL(base, 14);
	expect_ends(&test, BEGIN, " beat load disk 00000001 11 beat load net 00000002 14}");
	CU_ASSERT_EQUAL(head->drafts, 4);
	/* Loaded again: the same one. Another checksum or name: another one. */
	CU_ASSERT_EQUAL(load(&test, "disk", 1, 3, &base), 0);
	CU_ASSERT_EQUAL(base, 11);
	CU_ASSERT_EQUAL(head->drafts, 4);
	CU_ASSERT_EQUAL(load(&test, "disk", 2, 7, &base), 0);
	CU_ASSERT_EQUAL(base, 19);
	CU_ASSERT_EQUAL(load(&test, "net", 1, 1, &base), 0);
	CU_ASSERT_EQUAL(base, 26);
	expect_ends(&test, BEGIN, " 14 beat load disk 00000002 19 beat load net 00000001 26}");
	/* What does not fit. */
	base = 99;
	CU_ASSERT_EQUAL(load(&test, name, 1, 1, &base), -EOVERFLOW);
	CU_ASSERT_EQUAL(load(&test, "many", 1, 65537, &base), -EOVERFLOW);
	CU_ASSERT_EQUAL(load(&test, "many", 1, 65536 - 27 + 1, &base), -EOVERFLOW);
	CU_ASSERT_EQUAL(base, 99);
	CU_ASSERT_EQUAL(load(&test, "many", 1, 65536 - 27, &base), 0);
	CU_ASSERT_EQUAL(base, 27);
	CU_ASSERT_EQUAL(load(&test, "more", 1, 1, &base), -EOVERFLOW);
	CU_ASSERT_EQUAL(load(&test, "empty", 1, 0, &base), 0);
	CU_ASSERT_EQUAL(base, 65536);
	name[231] = 0;
	CU_ASSERT_EQUAL(load(&test, name, 1, 0, &base), 0);
	lttp_registry_close(test.session);
	CU_ASSERT_TRUE(g_file_get_contents(path, &once, &size, NULL));
	lttp_registry_close(test.session);
	CU_ASSERT_TRUE(g_file_get_contents(path, &twice, NULL, NULL));
	CU_ASSERT_EQUAL(memcmp(once, twice, size), 0);
	expect_ends(&test, BEGIN, "n 00000001 65536 end 0}");
	test_session_free(&test);
}

/* The table takes 128 facilities, and the file is large enough for all names. */
static void test_full_table(void)
{
	TestSession test = new_session("table");
	struct lttp_head *head = test.session->head;
	g_autofree char *name = g_strnfill(231, 'n');
	g_autofree char *text = NULL;
	uint32_t base = 0;

	/* What follows the table in the state. */
	head->processes[0].owner = 5;
	for (uint32_t i = 2; i < LTTP_FACILITIES; i++)
		CU_ASSERT_EQUAL(load(&test, name, i, 1, &base), 0);
	CU_ASSERT_EQUAL(base, 11 + 125);
	CU_ASSERT_EQUAL(load(&test, name, 1, 1, &base), -EOVERFLOW);
	CU_ASSERT_EQUAL(load(&test, name, 100, 1, &base), 0);
	CU_ASSERT_EQUAL(base, 11 + 98);
	lttp_registry_close(test.session);
	text = test_session_text(&test, FILE_NAME);
	/* 15 of 268 bytes in each block. */
	CU_ASSERT_PTR_NOT_NULL(strstr(text, " end 0}{start 1 load n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, " end 7}{start 8 load n"));
	CU_ASSERT_TRUE(g_str_has_suffix(text, "n 0000007f 136 end 8}-"));
	/* No number is free: each attempt takes one. */
	head->drafts = LTTP_FACILITY_DRAFTS - 1;
	memset(&head->facilities[100], 0, sizeof(head->facilities) - 400);
	CU_ASSERT_EQUAL(load(&test, "a", 1, 1, &base), 0);
	CU_ASSERT_EQUAL(load(&test, "b", 1, 1, &base), -EOVERFLOW);
	CU_ASSERT_EQUAL(load(&test, "a", 1, 1, &base), 0);
	/* Numbers of a damaged table. */
	head->facilities[100] = LTTP_FACILITY_DRAFTS + 1;
	head->drafts = 200;
	CU_ASSERT_EQUAL(load(&test, "c", 1, 1, &base), -EIO);
	test_session_free(&test);
}

/* The file is completed by whoever uses it next. */
static void test_killed_loaders(void)
{
	TestSession test = new_session("killed");
	struct lttp_head *head = test.session->head;
	struct lttp_place place;
	uint32_t base = 0;
	struct lttp_facility *draft = &head->draft[2];

	CU_ASSERT_EQUAL(load(&test, "disk", 1, 3, &base), 0);
	/* A fourth one is in the table only. */
	head->draft[3] = *draft;
	head->draft[3].checksum = 8;
	head->draft[3].cycles = draft->cycles + 10;
	head->drafts = 4;
	head->facilities[3] = 4;
	CU_ASSERT_EQUAL(lttp_registry_place(test.session, draft->cycles, &place), 0);
	CU_ASSERT_EQUAL(place.current, 0);
	CU_ASSERT_EQUAL(place.word, lttp_word(26 + 21 + 22 + 21, 26 + 21 + 22));
	expect_ends(&test, BEGIN, " beat load disk 00000001 11}");
	CU_ASSERT_EQUAL(lttp_registry_place(test.session, draft->cycles + 10, &place), 0);
	CU_ASSERT_EQUAL(place.word, lttp_word(90 + 22 + 19, 90 + 22));
	expect_ends(&test, BEGIN, " beat load disk 00000001 11}");
	CU_ASSERT_EQUAL(lttp_registry_place(test.session, UINT64_MAX, &place), 0);
	CU_ASSERT_EQUAL(place.word, lttp_word(131 + 22 + 19, 131 + 22));
	expect_ends(&test, BEGIN, " beat load disk 00000001 11 beat load disk 00000008 14}");
	CU_ASSERT_EQUAL(lttp_registry_place(test.session, 0, &place), 0);
	CU_ASSERT_EQUAL(place.word, 0);
	test_session_free(&test);
}

static unsigned count_files(TestSession *test)
{
	g_autofree char *path = test_session_path(test, "eventdefs");
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	unsigned n = 0;

	while (g_dir_read_name(dir) != NULL)
		n++;
	return n;
}

/* A description has the name of its facility; other versions have their checksum in the name. */
static void test_descriptions(void)
{
	TestSession test = new_session("eventdefs");
	struct lttp_session *session = test.session;
	g_autofree char *large = g_strnfill(1000, 'x'), *longer = g_strnfill(1001, 'x');
	const struct rlimit limit = {500, RLIM_INFINITY};
	struct rlimit before;

	EXPECT_FILE(&test, "eventdefs/tracer.xml", lttp_tracer_xml);
	EXPECT_FILE(&test, "eventdefs/losses.xml", lttp_losses_xml);
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "a", 0xabcdef01, "first"), 0);
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "a", 0xabcdef01, "first"), 0);
	EXPECT_FILE(&test, "eventdefs/a.xml", "first");
	CU_ASSERT_EQUAL(count_files(&test), 3);
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "a", 0x10, "second"), 0);
	EXPECT_FILE(&test, "eventdefs/a-00000010.xml", "second");
	EXPECT_FILE(&test, "eventdefs/a.xml", "first");
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "a", 0x10, "second"), 0);
	CU_ASSERT_EQUAL(count_files(&test), 4);
	/* The same meaning in other words. */
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "a", 0x10, "other"), 0);
	EXPECT_FILE(&test, "eventdefs/a-00000010.xml", "second");
	CU_ASSERT_EQUAL(count_files(&test), 4);
	/* One text begins with the other. */
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "l", 1, large), 0);
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "l", 2, longer), 0);
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "l", 3, "xxx"), 0);
	large[999] = 'y';
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "l", 4, large), 0);
	EXPECT_FILE(&test, "eventdefs/l-00000002.xml", longer);
	EXPECT_FILE(&test, "eventdefs/l-00000003.xml", "xxx");
	EXPECT_FILE(&test, "eventdefs/l-00000004.xml", large);
	CU_ASSERT_EQUAL(count_files(&test), 8);
	/* No room: nothing is left. */
	CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	CU_ASSERT_EQUAL(lttp_eventdef_write(session, "m", 1, large), -EFBIG);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &before), 0);
	CU_ASSERT_EQUAL(count_files(&test), 8);
	test_session_free(&test);
}

/* Without the trace, and without a broker, the reason is that of the own attempt. */
static void test_missing_directory(void)
{
	TestSession test = new_session("missing");
	g_autofree char *path = test_session_path(&test, "eventdefs");
	g_autofree char *moved = test_session_path(&test, "moved");
	uint32_t base = 0;

	CU_ASSERT_EQUAL(g_rename(path, moved), 0);
	CU_ASSERT_EQUAL(load(&test, "disk", 1, 3, &base), -ENOENT);
	g_strlcpy(test.session->broker, "libltt-test-no-broker:0123456789abcdef0123456789abcdef",
		  sizeof(test.session->broker));
	CU_ASSERT_EQUAL(load(&test, "disk", 1, 3, &base), -ENOENT);
	CU_ASSERT_EQUAL(test.session->head->drafts, 2);
	CU_ASSERT_EQUAL(g_rename(moved, path), 0);
	CU_ASSERT_EQUAL(load(&test, "disk", 1, 3, &base), 0);
	test_session_free(&test);
}

static void test_globs(void)
{
	g_autofree char *long_glob = g_strnfill(255, '*');
	g_autofree char *longer_glob = g_strnfill(256, '*');
	g_autofree char *list = g_strdup_printf("%s,net", longer_glob);

	CU_ASSERT_TRUE(lttp_registry_is_enabled("*", "disk"));
	CU_ASSERT_TRUE(lttp_registry_is_enabled("net,d*", "disk"));
	CU_ASSERT_TRUE(lttp_registry_is_enabled("disk,net", "disk"));
	CU_ASSERT_FALSE(lttp_registry_is_enabled("net,d", "disk"));
	CU_ASSERT_FALSE(lttp_registry_is_enabled("", "disk"));
	CU_ASSERT_FALSE(lttp_registry_is_enabled(",,net", "disk"));
	CU_ASSERT_TRUE(lttp_registry_is_enabled(",,net", "net"));
	CU_ASSERT_TRUE(lttp_registry_is_enabled(long_glob, "disk"));
	CU_ASSERT_FALSE(lttp_registry_is_enabled(longer_glob, "disk"));
	CU_ASSERT_TRUE(lttp_registry_is_enabled(list, "net"));
}

UNIT_MAIN("session-registry", UNIT(test_loading), UNIT(test_full_table), UNIT(test_killed_loaders),
	  UNIT(test_descriptions), UNIT(test_missing_directory), UNIT(test_globs))
