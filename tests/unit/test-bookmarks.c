/* Reading, writing and modifying bookmarks.xml. */
#include "support-hand.h"
#include "support-xml.h"
#include "unit.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-error.h>

#include <glib/gstdio.h>
#include <string.h>

/* A line "NAME cpu unit start-end TEXT" for each. */
static char *describe(const GPtrArray *bookmarks)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < bookmarks->len; i++) {
		const LttBookmark *bookmark = bookmarks->pdata[i];

		g_string_append_printf(
			text, "[%s] %d %s %" G_GUINT64_FORMAT, bookmark->name, bookmark->cpu,
			bookmark->unit == LTT_BOOKMARK_TIME ? "ns" : "cycles", bookmark->start);
		if (bookmark->is_interval)
			g_string_append_printf(text, "-%" G_GUINT64_FORMAT, bookmark->end);
		g_string_append_printf(text, " [%s]\n", bookmark->text);
	}
	return g_string_free(text, FALSE);
}

/* The bookmarks and the remarks for @xml. */
static void expect(const char *xml, const char *expected, const char *expected_remarks,
		   const char *file, int line)
{
	g_autoptr(GPtrArray) remarks = remarks_new();
	g_autoptr(GPtrArray) bookmarks = ltt_bookmarks_parse(xml, strlen(xml), remarks);
	g_autofree char *text = describe(bookmarks);
	g_autofree char *said = remarks_text(remarks);

	unit_assert_text(text, expected, file, line);
	unit_assert_text(said, expected_remarks, file, line);
}
#define EXPECT(xml, expected, remarks) expect(xml, expected, remarks, __FILE__, __LINE__)

static void test_every_form(void)
{
	gsize length;
	g_autofree char *xml =
		source_text("tests/data/schemas/right/bookmarks/every-form.xml", &length);

	EXPECT(xml,
	       "[a] -1 ns 0 [text]\n"
	       "[b] 0 ns 9223372036854775807 [text]\n"
	       "[c d] 65535 ns 1050000000000000001-1050000000500000000 [text]\n"
	       "[] -1 cycles 0 [text]\n"
	       "[e] -1 cycles 0-18446744073709551615 [text]\n",
	       "");
}

static void test_the_historical_form(void)
{
	EXPECT("<BOOKMARKS><Location NAME=x cpu=2 Start_Time=1.5 end_time='2'>Some\n &lt;text"
	       "</Location></BOOKMARKS>",
	       "[x] 2 ns 1500000000-2000000000 [Some\n <text]\n", "");
	EXPECT("<!-- no root --><location name=a cycle=7 /> <location name=b time=.25 />",
	       "[a] -1 cycles 7 []\n[b] -1 ns 250000000 []\n", "");
	EXPECT("", "", "");
}

static void test_what_is_wrong_is_left_out(void)
{
	EXPECT("<bookmarks>\n"
	       "<location time='1'/>\n"
	       "<location name='a'/>\n"
	       "<location name='b' time='1' cycle='2'/>\n"
	       "<location name='c' start_time='1' end_cycle='2'/>\n"
	       "<location name='d' start_time='1'/>\n"
	       "<location name='e' time='+1'/>\n"
	       "<location name='f' cycle='18446744073709551616'/>\n"
	       "<location name='g' cpu='65536' cycle='1'/>\n"
	       "<location name='h' start_cycle='3' end_cycle='2'/>\n"
	       "<location name='right' cycle='1'/>\n"
	       "</bookmarks>",
	       "[right] -1 cycles 1 []\n",
	       "2: warning: <location> is left out: it has no name\n"
	       "3: warning: <location> is left out: its place is not clear: expected time, "
	       "start_time and end_time, cycle, or start_cycle and end_cycle\n"
	       "4: warning: <location> is left out: its place is not clear: expected time, "
	       "start_time and end_time, cycle, or start_cycle and end_cycle\n"
	       "5: warning: <location> is left out: its place is not clear: expected time, "
	       "start_time and end_time, cycle, or start_cycle and end_cycle\n"
	       "6: warning: <location> is left out: its place is not clear: expected time, "
	       "start_time and end_time, cycle, or start_cycle and end_cycle\n"
	       "7: warning: <location> is left out: time=\"+1\": expected seconds since 1970 with "
	       "up to nine decimals\n"
	       "8: warning: <location> is left out: cycle=\"18446744073709551616\": expected a "
	       "number of 64 bits in decimal\n"
	       "9: warning: <location> is left out: cpu=\"65536\": expected a number from 0 to "
	       "65535\n"
	       "10: warning: <location> is left out: end_cycle=\"2\": expected no less than "
	       "start_cycle\n");
}

static void test_what_has_no_meaning_is_ignored(void)
{
	EXPECT("<bookmarks>\nword\n<other><location name='x' time='1'/></other>\n"
	       "<location name='a' time='1' colour='red' "
	       "xmlns='u'>b<i>c</i>d</location></bookmarks>",
	       "[a] -1 ns 1000000000 [bd]\n",
	       "2: warning: text \"word\" is ignored: expected <location>\n"
	       "3: warning: <other> is ignored: expected <location>\n"
	       "4: warning: attribute \"colour\" of <location> is ignored\n"
	       "4: warning: <i> in <location> is ignored: expected text\n");
	EXPECT("<bookmarks><location", "", "1: <location is not closed: expected \">\"\n");
}

static void test_the_printed_form(void)
{
	g_autoptr(GPtrArray) bookmarks = ltt_bookmarks_new();
	g_autoptr(GPtrArray) remarks = remarks_new();
	g_autoptr(GPtrArray) again = NULL;
	LttBookmark *first = ltt_bookmark_new("a\"<b>\n", "  one\n & two ");
	LttBookmark *second = ltt_bookmark_new("", NULL);
	g_autofree char *printed = NULL;
	g_autofree char *errors = NULL;
	g_autofree char *before = NULL;
	g_autofree char *after = NULL;

	first->cpu = 3;
	first->is_interval = TRUE;
	first->start = 1;
	first->end = G_MAXINT64;
	second->unit = LTT_BOOKMARK_CYCLES;
	second->start = second->end = G_MAXUINT64;
	g_ptr_array_add(bookmarks, ltt_bookmark_dup(first));
	g_ptr_array_add(bookmarks, second);
	ltt_bookmark_free(first);
	printed = ltt_bookmarks_print(bookmarks);
	UNIT_ASSERT_TEXT(
		printed,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<bookmarks>\n"
		"  <location name=\"a&quot;&lt;b&gt;&#10;\" cpu=\"3\" "
		"start_time=\"0.000000001\" end_time=\"9223372036.854775807\">one\n &amp; two"
		"</location>\n"
		"  <location name=\"\" cycle=\"18446744073709551615\"/>\n</bookmarks>\n");
	errors = schema_errors("bookmarks.rng", printed);
	UNIT_ASSERT_TEXT(errors, "");
	again = ltt_bookmarks_parse(printed, strlen(printed), remarks);
	before = describe(bookmarks);
	after = describe(again);
	UNIT_ASSERT_TEXT(after, before);
	CU_ASSERT_EQUAL(remarks->len, 0);
}

static void test_truncated_at_every_byte(void)
{
	static const char xml[] = "<bookmarks><location name='a' time='1'>x</location></bookmarks>";

	for (gsize i = 1; i < strlen(xml); i++) {
		g_autofree char *copy = g_memdup2(xml, i);
		g_autoptr(GPtrArray) remarks = remarks_new();
		g_autoptr(GPtrArray) bookmarks = ltt_bookmarks_parse(copy, i, remarks);

		CU_ASSERT_EQUAL(bookmarks->len, 0);
		CU_ASSERT_EQUAL(remarks->len, 1);
	}
}

/* ---- on disk ---- */

static gboolean is_second(const LttBookmark *bookmark, guint index, gpointer user_data)
{
	(void)user_data;
	CU_ASSERT_PTR_NOT_NULL(bookmark->name);
	return index == 1;
}

static gboolean is_none(const LttBookmark *bookmark, guint index, gpointer user_data)
{
	(void)bookmark;
	(void)index;
	(void)user_data;
	return FALSE;
}

static char *new_trace(const char *name)
{
	char *path = unit_temp_path(name);
	g_autofree char *info = g_build_filename(path, "info", NULL);

	g_mkdir_with_parents(info, 0755);
	return path;
}

static char *file_text(const char *path)
{
	char *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	return text;
}

static void test_added_and_removed(void)
{
	g_autofree char *path = new_trace("changed");
	g_autofree char *file = g_build_filename(path, "info", "bookmarks.xml", NULL);
	static const char *const names[] = {"a", "b", "c"};
	g_autoptr(GError) error = NULL;
	guint n_removed = 99;

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(LttBookmark) bookmark = ltt_bookmark_new(names[i], NULL);

		UNIT_ASSERT_OK(ltt_bookmarks_add(path, bookmark, &error), error);
	}
	UNIT_ASSERT_OK(ltt_bookmarks_remove(path, is_second, NULL, &n_removed, &error), error);
	CU_ASSERT_EQUAL(n_removed, 1);
	{
		g_autofree char *text = file_text(file);

		EXPECT(text, "[a] -1 ns 0 []\n[c] -1 ns 0 []\n", "");
	}
	g_unlink(file);
	UNIT_ASSERT_OK(ltt_bookmarks_remove(path, is_none, NULL, &n_removed, &error), error);
	CU_ASSERT_EQUAL(n_removed, 0);
	CU_ASSERT_FALSE(g_file_test(file, G_FILE_TEST_EXISTS));
}

/* Writing the file would drop the parts that cannot be read. */
static void test_a_wrong_file_is_left_alone(void)
{
	static const char wrong[] = "<bookmarks>\n<location name='a'/></bookmarks>";
	g_autofree char *path = new_trace("wrong");
	g_autofree char *file = g_build_filename(path, "info", "bookmarks.xml", NULL);
	g_autoptr(LttBookmark) bookmark = ltt_bookmark_new("b", NULL);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	guint n_removed;

	g_file_set_contents(file, wrong, -1, NULL);
	CU_ASSERT_FALSE(ltt_bookmarks_add(path, bookmark, &error));
	CU_ASSERT(g_error_matches(error, LTT_ERROR, LTT_ERROR_DESCRIPTION));
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, "line 2: <location> is left out"));
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, "nothing was changed"));
	g_clear_error(&error);
	CU_ASSERT_FALSE(ltt_bookmarks_remove(path, is_second, NULL, &n_removed, &error));
	CU_ASSERT(g_error_matches(error, LTT_ERROR, LTT_ERROR_DESCRIPTION));
	text = file_text(file);
	UNIT_ASSERT_TEXT(text, wrong);
}

static void test_ceiling_and_missing_folder(void)
{
	g_autofree char *path = new_trace("large");
	g_autofree char *missing = unit_temp_path("missing");
	g_autofree char *file = g_build_filename(path, "info", "bookmarks.xml", NULL);
	g_autofree char *long_text = g_strnfill(16 * 1024 * 1024, 'x');
	g_autoptr(LttBookmark) bookmark = ltt_bookmark_new("b", long_text);
	g_autoptr(GError) error = NULL;

	CU_ASSERT_FALSE(ltt_bookmarks_add(path, bookmark, &error));
	CU_ASSERT(g_error_matches(error, LTT_ERROR, LTT_ERROR_LIMIT));
	CU_ASSERT_FALSE(g_file_test(file, G_FILE_TEST_EXISTS));
	g_clear_error(&error);
	CU_ASSERT_FALSE(ltt_bookmarks_add(missing, bookmark, &error));
	CU_ASSERT(g_error_matches(error, LTT_ERROR, LTT_ERROR_IO));
}

/* ---- of a trace ---- */

static void test_a_trace_reports_wrong_bookmarks(void)
{
	static const char xml[] = "<bookmarks>\n<location time='1'/>\n"
				  "<location name='a' cycle='1'/></bookmarks>";
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, 256, NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *text = NULL;

	hand_append(&hand, "info/bookmarks.xml", xml, strlen(xml));
	trace = hand_open(&hand);
	HAND_EXPECT_PROBLEMS(trace, "");
	text = describe(ltt_trace_read_bookmarks(trace));
	UNIT_ASSERT_TEXT(text, "[a] -1 cycles 1 []\n");
	HAND_EXPECT_PROBLEMS(
		trace, "info/bookmarks.xml: line 2: <location> is left out: it has no name\n");
	hand_clear(&hand);
}

static void test_bookmarks_that_cannot_be_read(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, 256, NULL);
	g_autofree char *folder = g_build_filename(hand.path, "info/bookmarks.xml", NULL);
	g_autoptr(LttTrace) trace = NULL;

	CU_ASSERT_EQUAL(g_mkdir(folder, 0700), 0);
	trace = hand_open(&hand);
	CU_ASSERT_EQUAL(ltt_trace_read_bookmarks(trace)->len, 0);
	HAND_EXPECT_PROBLEMS(trace, "info/bookmarks.xml: it is not a regular file\n");
	hand_clear(&hand);
}

/* The lane of the first trace has another number in the joined one; the second has no lane with this number. */
static void test_bookmarks_of_joined_traces(void)
{
	static const char xml[] = "<bookmarks><location name='a' cpu='2' time='.000000100'/>"
				  "<location name='b' cpu='1' cycle='7'/></bookmarks>";
	static const gint64 offsets_ns[] = {5, -3};
	HandTrace hands[] = {
		hand_new(LTT_LITTLE_ENDIAN, 256, "boot_id", "b", "cpu", "3", "lanes", "1", NULL),
		hand_new(LTT_LITTLE_ENDIAN, 256, "boot_id", "b", "cpu", "4", "lanes", "1", NULL)};
	g_autoptr(LttTrace) joined = NULL;
	g_autofree char *text = NULL;

	for (guint i = 0; i < 2; i++)
		hand_append(&hands[i], "info/bookmarks.xml", xml, strlen(xml));
	hand_add(&hands[0], "cpu/2", "@100 E120"); /* a lane */
	hand_add(&hands[1], "cpu/1", "@100 E120");
	joined = hand_join(hands, 2, offsets_ns);
	text = describe(ltt_trace_read_bookmarks(joined));
	UNIT_ASSERT_TEXT(text, "[a] 3 ns 105 []\n[b] 1 cycles 7 []\n"
			       "[a] 2 ns 97 []\n[b] 1 cycles 7 []\n");
	hand_clear_all(hands, 2);
}

UNIT_MAIN("bookmarks", UNIT(test_every_form), UNIT(test_the_historical_form),
	  UNIT(test_what_is_wrong_is_left_out), UNIT(test_what_has_no_meaning_is_ignored),
	  UNIT(test_the_printed_form), UNIT(test_truncated_at_every_byte),
	  UNIT(test_added_and_removed), UNIT(test_a_wrong_file_is_left_alone),
	  UNIT(test_ceiling_and_missing_folder), UNIT(test_a_trace_reports_wrong_bookmarks),
	  UNIT(test_bookmarks_that_cannot_be_read), UNIT(test_bookmarks_of_joined_traces))
