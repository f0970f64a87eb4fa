/* The descriptions in eventdefs/ of a trace: which files count, what is reported, and what a joined trace lists. */
#include "support-hand.h"
#include "unit.h"

#include "reader/event-types-priv.h"
#include "reader/trace-priv.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 256

static void add_text(const HandTrace *hand, const char *name, const char *text)
{
	hand_append(hand, name, text, strlen(text));
}

/* The names of the facilities behind those of hand_new(), "f g". */
static char *list_names(const LttTrace *trace, guint n_before)
{
	g_autoptr(GPtrArray) facilities = ltt_trace_list_facilities(trace);
	GString *text = g_string_new(NULL);

	CU_ASSERT_TRUE_FATAL(facilities->len >= n_before);
	for (guint i = n_before; i < facilities->len; i++)
		g_string_append_printf(text, "%s%s", i > n_before ? " " : "",
				       ltt_facility_get_name(facilities->pdata[i]));
	return g_string_free(text, FALSE);
}

/* ---- files ---- */

/* What is wrong in a file is reported with its line; the facilities beside it are valid. */
static void test_files_with_mistakes(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *names = NULL;

	add_text(&hand, "eventdefs/a.xml",
		 "<facility name='a'>\n<event name='one'/>\n<event name='one'/>\n</facility>\n"
		 "<facility name='b'><event name='one'/></facility>\n"
		 "<facility>\n</facility>\n");
	trace = hand_open(&hand);
	HAND_EXPECT_PROBLEMS(trace, "eventdefs/a.xml: line 3: event \"one\" occurs twice\n"
				    "eventdefs/a.xml: line 6: <facility> without a name: expected "
				    "attribute \"name\"\n");
	names = list_names(trace, 5);
	UNIT_ASSERT_TEXT(names, "b processes threads tracer various");
	hand_clear(&hand);
}

/* Other names than *.xml, and what is no regular file, are not descriptions. */
static void test_files_that_do_not_count(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autofree char *folder = g_build_filename(hand.path, "eventdefs/folder.xml", NULL);
	g_autofree char *lost = g_build_filename(hand.path, "eventdefs/lost.xml", NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *names = NULL;

	add_text(&hand, "eventdefs/x.txt", "<facility name='x'><event name='one'/></facility>");
	add_text(&hand, "eventdefs/z.xml", "<facility name='z'><event name='one'/></facility>");
	CU_ASSERT_EQUAL(g_mkdir(folder, 0700), 0);
	CU_ASSERT_EQUAL(symlink("nowhere", lost), 0);
	trace = hand_open(&hand);
	HAND_EXPECT_PROBLEMS(trace,
			     "eventdefs/lost.xml: could not open: No such file or directory\n");
	names = list_names(trace, 5);
	UNIT_ASSERT_TEXT(names, "processes threads tracer various z");
	hand_clear(&hand);
}

/* A folder that cannot be listed is reported once. */
static void test_a_folder_that_is_a_file(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autofree char *folder = g_build_filename(hand.path, "cpu", NULL);
	g_autoptr(LttTrace) trace = NULL;

	g_rmdir(folder);
	add_text(&hand, "cpu", "no folder");
	trace = hand_open(&hand);
	HAND_EXPECT_PROBLEMS(trace, "cpu: could not read the directory: Not a directory\n");
	ltt_trace_find_tracefiles(trace);
	CU_ASSERT_EQUAL(ltt_trace_get_n_problems(trace), 1);
	hand_clear(&hand);
}

/* ---- types ---- */

/* A joined trace has the facilities of all its members, also those that no event loads. */
static void test_facilities_of_a_joined_trace(void)
{
	HandTrace hands[] = {hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL),
			     hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL)};
	g_autoptr(LttTrace) joined = NULL;
	g_autofree char *names = NULL;

	add_text(&hands[0], "eventdefs/y.xml", "<facility name='y'><event name='one'/></facility>");
	add_text(&hands[1], "eventdefs/z.xml", "<facility name='z'><event name='one'/></facility>");
	joined = hand_join(hands, 2, NULL);
	CU_ASSERT_EQUAL(ltt_trace_get_n_loads(joined), 10);
	names = list_names(joined, 10);
	CU_ASSERT_PTR_NOT_NULL(strstr(names, " y"));
	CU_ASSERT_PTR_NOT_NULL(strstr(names, " z"));
	hand_clear_all(hands, 2);
}

static gboolean is_last(const LttEventType *type)
{
	return g_str_equal(type->full_name, "z.two");
}

static gboolean is_first(const LttEventType *type)
{
	return g_str_equal(type->full_name, "builtin.facility_load");
}

static gboolean is_none(const LttEventType *type)
{
	return g_str_equal(type->full_name, "z.three");
}

static void test_searching_a_type(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;

	add_text(&hand, "eventdefs/z.xml",
		 "<facility name='z'><event name='one'/><event name='two'/></facility>");
	trace = hand_open(&hand);
	CU_ASSERT_TRUE(ltt_trace_any_event_type(trace, is_first));
	CU_ASSERT_TRUE(ltt_trace_any_event_type(trace, is_last));
	CU_ASSERT_FALSE(ltt_trace_any_event_type(trace, is_none));
	hand_clear(&hand);
}

UNIT_MAIN("descriptions", UNIT(test_files_with_mistakes), UNIT(test_files_that_do_not_count),
	  UNIT(test_a_folder_that_is_a_file), UNIT(test_facilities_of_a_joined_trace),
	  UNIT(test_searching_a_type))
