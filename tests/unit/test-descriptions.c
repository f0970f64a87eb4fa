/* The descriptions in eventdefs/ of a trace: which files count, what is reported, and what a joined trace lists. */
#include "support-hand.h"
#include "unit.h"

#include "reader/event-types-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-time.h>

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
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

/* ---- the index ---- */

/* Of descriptions with one name, the first with the checksum counts, or else the first of all. */
static void test_which_description_is_found(void)
{
	static const char f[] = "<facility name='f'><event name='one'/></facility>";
	static const char longer[] =
		"<facility name='f'><event name='one'/><event name='two'/></facility>";
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	LttFacility *const *all;
	g_autoptr(LttTrace) trace = NULL;
	LttMatch match;

	add_text(&hand, "eventdefs/a.xml", f);
	add_text(&hand, "eventdefs/b.xml", f);
	trace = hand_open(&hand);
	all = (LttFacility *const *)trace->described->pdata;
	match = ltt_trace_find_described(trace, "f", ltt_facility_get_checksum(all[1]));
	CU_ASSERT_PTR_EQUAL(match.exact, all[0]);
	CU_ASSERT_PTR_EQUAL(match.named, all[0]);
	CU_ASSERT_FALSE(match.is_ambiguous);
	ltt_trace_free(g_steal_pointer(&trace));

	add_text(&hand, "eventdefs/c.xml", longer);
	add_text(&hand, "eventdefs/d.xml", longer);
	trace = hand_open(&hand);
	all = (LttFacility *const *)trace->described->pdata;
	match = ltt_trace_find_described(trace, "f", ltt_facility_get_checksum(all[3]));
	CU_ASSERT_PTR_EQUAL(match.exact, all[2]);
	CU_ASSERT_PTR_EQUAL(match.named, all[0]);
	CU_ASSERT_TRUE(match.is_ambiguous);
	match = ltt_trace_find_described(trace, "f", 7);
	CU_ASSERT_PTR_NULL(match.exact);
	CU_ASSERT_PTR_EQUAL(match.named, all[0]);
	match = ltt_trace_find_described(trace, "g", 7);
	CU_ASSERT_PTR_NULL(match.exact);
	CU_ASSERT_PTR_NULL(match.named);
	CU_ASSERT_FALSE(match.is_ambiguous);
	hand_clear(&hand);
}

/* Many descriptions of one facility and many loads of it: a search through all of them for each
 * load would take long. */
static void test_many_loads(void)
{
	enum {
		N_DESCRIPTIONS = 5000,
		N_BLOCKS = 20,
		N_LOADS = 2000, /* in each block */
	};
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, 65536, NULL);
	g_autoptr(GString) xml = g_string_new("<eventdefs>");
	g_autoptr(GString) words = g_string_new("@0");
	g_autoptr(LttTrace) trace = NULL;

	for (guint i = 0; i < N_DESCRIPTIONS; i++)
		g_string_append_printf(xml, "<facility name='f'><event name='e%u'/></facility>", i);
	g_string_append(xml, "</eventdefs>");
	add_text(&hand, "eventdefs/f.xml", xml->str);
	for (guint i = 0; i < N_LOADS; i++)
		g_string_append_printf(words, " X%u:0:6600%08x00000010", i + 1, i);
	g_string_append_printf(words, " E%u", N_LOADS + 1);
	for (guint i = 0; i < N_BLOCKS; i++)
		hand_add(&hand, "control/facilities", words->str);
	trace = hand_open(&hand);
	CU_ASSERT_EQUAL(ltt_trace_get_n_loads(trace), 5);
	CU_ASSERT_EQUAL(ltt_trace_get_n_problems(trace), N_BLOCKS * N_LOADS);
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

/* ---- a trace that is being recorded ---- */

#define FACILITY(name) "<facility name='" name "'><event name='one'/></facility>"

/* Adds a description and sets the time of the folder. Returns: whether a search finds the description */
static gboolean finds_added(const HandTrace *hand, LttTrace *trace, const char *name,
			    const char *text, gint64 changed_ns)
{
	const guint n_before = trace->described->len;
	g_autofree char *folder = g_build_filename(hand->path, "eventdefs", NULL);
	const struct timespec time = {changed_ns / (gint64)LTT_NS_PER_S,
				      changed_ns % (gint64)LTT_NS_PER_S};

	add_text(hand, name, text);
	CU_ASSERT_EQUAL(utimensat(AT_FDCWD, folder, (struct timespec[]){time, time}, 0), 0);
	ltt_trace_find_descriptions(trace);
	return trace->described->len > n_before;
}

/* The folder is listed again if its time has changed, or was so new that a further change may have the same. */
static void test_searches_for_new_files(void)
{
	const gint64 second = LTT_NS_PER_S;
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = hand_open(&hand);

	CU_ASSERT_TRUE(finds_added(&hand, trace, "eventdefs/x1.xml", FACILITY("f"), 1000 * second));
	CU_ASSERT_FALSE(
		finds_added(&hand, trace, "eventdefs/x2.xml", FACILITY("g"), 1000 * second));
	CU_ASSERT_TRUE(
		finds_added(&hand, trace, "eventdefs/x3.xml", FACILITY("h"), 1000 * second + 1));
	trace->listed_ns = 1001 * second;
	CU_ASSERT_TRUE(
		finds_added(&hand, trace, "eventdefs/x4.xml", FACILITY("i"), 1000 * second + 1));
	trace->listed_ns = 1001 * second + 1;
	CU_ASSERT_FALSE(
		finds_added(&hand, trace, "eventdefs/x5.xml", FACILITY("j"), 1000 * second + 1));
	trace->listed_ns = 999 * second + 2;
	CU_ASSERT_TRUE(
		finds_added(&hand, trace, "eventdefs/x6.xml", FACILITY("k"), 1000 * second + 1));
	HAND_EXPECT_PROBLEMS(trace, "");
	hand_clear(&hand);
}

UNIT_MAIN("descriptions", UNIT(test_files_with_mistakes), UNIT(test_files_that_do_not_count),
	  UNIT(test_a_folder_that_is_a_file), UNIT(test_which_description_is_found),
	  UNIT(test_many_loads), UNIT(test_facilities_of_a_joined_trace),
	  UNIT(test_searching_a_type), UNIT(test_searches_for_new_files))
