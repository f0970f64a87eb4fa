/* Damaged blocks of each kind: which events remain, and what the reader reports. Both byte orders. */
#include "support-hand.h"
#include "support-trace.h"
#include "unit.h"

#include "reader/block-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-cursor.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 128 /* events from byte 26 to 124 */

/* Reads two blocks, of which the first one is damaged. */
static void expect_block(LttByteOrder order, const char *words, const char *expected, int line)
{
	HandTrace hand = hand_new(order, BLOCK, NULL);
	g_autofree char *all = g_strdup_printf("%s"
					       "cpu/0@900 block_start\ncpu/0@901 block_end\n",
					       expected);

	hand_add(&hand, "cpu/0", words);
	hand_add(&hand, "cpu/0", "@900#1 E901");
	hand_expect(&hand, all, __FILE__, line);
	hand_clear(&hand);
}
#define LITTLE(words, expected) expect_block(LTT_LITTLE_ENDIAN, words, expected, __LINE__)
#define BIG(words, expected)    expect_block(LTT_BIG_ENDIAN, words, expected, __LINE__)

#define START "cpu/0@100 block_start\n"
#define N110  "cpu/0@110 none\n"
#define N120  "cpu/0@120 none\n"
#define END   "cpu/0@130 block_end\n"
#define TEXT  "cpu/0@110 text\n"
#define A10   "aaaaaaaaaa"
#define B10   "61616161616161616161"

static void test_whole_blocks(void)
{
	LITTLE("@100 N110 N120 E130", START N110 N120 END);
	BIG("@100 N110 N120 E130", START N110 N120 END);
	LITTLE("@100 N110 N120", START N110 N120);
	LITTLE("@100", START);
	/* Bytes after the last event are not read. */
	LITTLE("@100 N110 N120 !32:00000900",
	       START N110 "! cpu/0: block 0: byte 32: facility_load without a name\n");
}

/* More events than the reader first expects in a block. */
static void test_many_events(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, 32768, NULL);
	g_autoptr(GString) words = g_string_new("@100");
	g_autoptr(GString) expected = g_string_new(START);

	for (guint i = 0; i < 5000; i++) {
		g_string_append_printf(words, " N%u", 200 + i);
		g_string_append_printf(expected, "cpu/0@%u none\n", 200 + i);
	}
	hand_add(&hand, "cpu/0", words->str);
	HAND_EXPECT(&hand, expected->str);
	hand_clear(&hand);
}

static void test_final_words(void)
{
#define WORD(word)                                                                                 \
	"! cpu/0: block 0: byte 124: the final word is " word                                      \
	", which is no offset of an event in a block of 128 bytes\n"
	LITTLE("@100 N110 N120 E130 !-4:80000000", START N110 N120 END WORD("128"));
	BIG("@100 N110 N120 E130 !-4:00000080", START N110 N120 END WORD("128"));
	LITTLE("@100 N110 N120 E130 !-4:77000000", START N110 N120 END WORD("119"));
	LITTLE("@100 N110 N120 E130 !-4:ffffffff", START N110 N120 END WORD("4294967295"));
	/* Within the event before, and behind the last event. */
	LITTLE("@100 N110 N120 E130 !-4:1b000000", START N110
	       "! cpu/0: block 0: byte 124: the final word says that the last event is at byte "
	       "27, but events lie at 26 and 32\n");
	LITTLE("@100 N110 N120 E130 !-4:1f000000", START N110
	       "! cpu/0: block 0: byte 124: the final word says that the last event is at byte "
	       "31, but events lie at 26 and 32\n");
	LITTLE("@100 N110 N120 E130 !-4:01000000", START
	       "! cpu/0: block 0: byte 124: the final word says that the last event is at byte "
	       "1, but events lie at 0 and 26\n");
	/* The last event is any event: the block is open. */
	LITTLE("@100 N110 N120 E130 !-4:1a000000", START N110);
	LITTLE("@100 N110 N120 E130 !-4:20000000", START N110 N120);
	/* The largest possible offset of an event. */
	LITTLE("@100 T110:" A10 A10 A10 A10 A10 A10 A10 A10 "aaaaa N120", START TEXT N120);
	LITTLE("@100 T110:" A10 A10 A10 A10 A10 A10 A10 A10 "aaaaa N120 !-4:77000000",
	       START TEXT N120 WORD("119"));
#undef WORD
}

static void test_ids(void)
{
#define UNKNOWN(byte, id)                                                                          \
	"! cpu/0: block 0: byte " byte ": event id " id ": no loaded facility covers it\n"
	LITTLE("@100 N110 N120 E130 !32:6300", START N110 UNKNOWN("32", "99"));
	BIG("@100 N110 N120 E130 !32:0063", START N110 UNKNOWN("32", "99"));
	LITTLE("@100 N110 N120 E130 !38:ffff", START N110 N120 UNKNOWN("38", "65535"));
	LITTLE("@100 N110 N120 E130 !0:0900", "! cpu/0: block 0: byte 0: the block begins with "
					      "event id 9, expected block_start (1)\n");
	LITTLE("@100 N110 N120 E130 !26:0100",
	       START "! cpu/0: block 0: byte 26: block_start in the middle of a block\n");
	LITTLE("@100 N110 N120 E130 !26:0200",
	       START "! cpu/0: block 0: byte 26: block_end here, but the final word says that the "
		     "last event is "
		     "at byte 38\n");
#undef UNKNOWN
}

/* Payloads that do not fit, in the last event and before it. */
static void test_payloads(void)
{
#define PAST(byte, event, why) "! cpu/0: block 0: byte " byte ": event various." event ": " why "\n"
	LITTLE("@100 N110 X120:5:" B10 B10 B10 B10 B10 B10 B10 B10 "616161616161",
	       START N110 PAST("32", "text", "a string has no end in the block"));
	LITTLE("@100 N110 X120:5:" B10 B10 B10 B10 B10 B10 B10 B10 "616161616100",
	       START N110 "cpu/0@120 text\n");
	LITTLE("@100 N110 X120:6:ffff",
	       START N110 PAST("32", "pairs", "its payload runs past the end of the block"));
	BIG("@100 N110 X120:6:ffff",
	    START N110 PAST("32", "pairs", "its payload runs past the end of the block"));
	LITTLE("@100 N110 X120:6:0100aabb E130", START N110 "cpu/0@120 pairs\n" END);
	LITTLE("@100 N110 X120:7:02 E130",
	       START N110 PAST("32", "either", "a union's code names none of its fields"));
	LITTLE("@100 N110 X120:7:00aabb E130", START N110 "cpu/0@120 either\n" END);
#undef PAST
}

/* A damaged block gives up its rest only, however often it is skipped. */
static void test_skipping(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(LttCursor) cursor = NULL;
	const LttEvent *event;

	hand_add(&hand, "cpu/0", "@100 N110 N120 E130 !32:6300");
	hand_add(&hand, "cpu/0", "@900#1 E901");
	trace = hand_open(&hand);
	cursor = ltt_cursor_new(ltt_trace_get_tracefile(trace, 1));
	ltt_cursor_skip_block(cursor);
	for (guint i = 0; i < 2; i++)
		CU_ASSERT_EQUAL(ltt_cursor_next(cursor, &event, NULL), LTT_STEP_EVENT);
	for (guint i = 0; i < 2; i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_EQUAL(ltt_cursor_next(cursor, &event, &error), LTT_STEP_ERROR);
		CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, LTT_ERROR_CORRUPT));
	}
	for (guint i = 0; i < 2; i++)
		ltt_cursor_skip_block(cursor);
	for (guint i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(ltt_cursor_next(cursor, &event, NULL), LTT_STEP_EVENT);
		CU_ASSERT_EQUAL(event->time_ns, 900 + i);
		CU_ASSERT_EQUAL(event->block, 1);
	}
	CU_ASSERT_EQUAL(ltt_cursor_next(cursor, &event, NULL), LTT_STEP_END);
	hand_clear(&hand);
}

/* A file that becomes shorter while it is read. */
static void test_a_file_that_is_cut(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autofree char *path = g_build_filename(hand.path, "cpu/0", NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *got = NULL;
	LttBlock block;

	for (guint i = 0; i < 3; i++)
		hand_add(&hand, "cpu/0", "@100#0 E120");
	trace = hand_open(&hand);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(ltt_trace_get_tracefile(trace, 1)), 3);
	CU_ASSERT_EQUAL(truncate(path, BLOCK + 5), 0);
	got = hand_read(trace);
	UNIT_ASSERT_TEXT(
		strstr(got, "cpu/0@"),
		"cpu/0@100 block_start\ncpu/0@120 block_end\n"
		"! cpu/0: block 1: byte 0: could not read: the file has become shorter since it "
		"was opened\n"
		"! cpu/0: block 2: byte 0: could not read: the file has become shorter since it "
		"was opened\n");
	/* A thread that reads ahead leaves the error to the others. */
	ltt_block_init(&block);
	CU_ASSERT_TRUE(ltt_block_try_load(&block, ltt_trace_get_tracefile(trace, 1), 0));
	CU_ASSERT_FALSE(ltt_block_try_load(&block, ltt_trace_get_tracefile(trace, 1), 1));
	ltt_block_clear(&block);
	hand_clear(&hand);
}

/* ---- tracefiles ---- */

/* More files than the reader keeps open are opened for each read. */
static void test_many_files(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(GString) expected = g_string_new(NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *got = NULL;
	int before;
	int after;

	for (guint i = 100; i < 400; i++) {
		g_autofree char *name = g_strdup_printf("control/x%u", i);
		g_autofree char *words = g_strdup_printf("@%u E%u", i * 10, i * 10 + 1);

		hand_add(&hand, name, words);
		g_string_append_printf(expected, "%s@%u block_start\n%s@%u block_end\n", name,
				       i * 10, name, i * 10 + 1);
	}
	trace = hand_open(&hand);
	CU_ASSERT_EQUAL(ltt_trace_get_n_problems(trace), 0);
	before = dup(0);
	close(before);
	got = hand_read(trace);
	after = dup(0);
	close(after);
	CU_ASSERT_EQUAL(after, before);
	UNIT_ASSERT_TEXT(strstr(got, "control/x"), expected->str);
	hand_clear(&hand);
}

static void test_no_system(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autofree char *path = g_build_filename(hand.path, "info/system.xml", NULL);
	g_autofree char *begin = g_strdup_printf("%s: ", path);
	g_autoptr(GError) missing = NULL;
	g_autoptr(GError) empty = NULL;

	CU_ASSERT_EQUAL(truncate(path, 0), 0);
	CU_ASSERT_PTR_NULL(ltt_trace_open(hand.path, &empty));
	UNIT_ASSERT_ERROR(empty, LTT_ERROR_DESCRIPTION, begin);
	CU_ASSERT_EQUAL(remove(path), 0);
	CU_ASSERT_PTR_NULL(ltt_trace_open(hand.path, &missing));
	UNIT_ASSERT_ERROR(missing, LTT_ERROR_IO, begin);
	hand_clear(&hand);
}

static void test_names_of_cpu_files(void)
{
	static const char *const wrong[] = {"cpu/01", "cpu/-1", "cpu/65536", "cpu/1x", "cpu/+1"};
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *text = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++)
		hand_append(&hand, wrong[i], "", 0);
	hand_append(&hand, "cpu/3", "", 0);
	hand_append(&hand, "cpu/4", "", 0);
	hand_append(&hand, "cpu/65535", "", 0);
	hand_append(&hand, "cpu/0", "12", 2);
	trace = hand_open(&hand);
	text = hand_problems(trace);
	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autofree char *line = g_strdup_printf(
			"%s: its name is no CPU number: it is left out\n", wrong[i]);

		CU_ASSERT_PTR_NOT_NULL(strstr(text, line));
	}
	CU_ASSERT_EQUAL(ltt_trace_get_n_problems(trace), G_N_ELEMENTS(wrong) + 3);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "cpu/4: its number is not below cpu=\"4\" of info/system.xml\n"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "cpu/65535: its number is not below cpu=\"4\" of info/system.xml\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		text, "cpu/0: block 0: byte 0: the file ends with 2 bytes of a block of 128: "
		      "they are left out\n"));
	CU_ASSERT_EQUAL(ltt_trace_get_n_tracefiles(trace), 5);
	CU_ASSERT_FALSE(ltt_trace_has_cpus(trace));
	hand_clear(&hand);
}

/* The files of lanes and of the kernel follow those of CPUs. */
static void test_kinds_of_cpu_files(void)
{
	HandTrace hand =
		hand_new(LTT_LITTLE_ENDIAN, BLOCK, "cpu", "6", "lanes", "2", "kernel", "2", NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(LttTrace) trace = NULL;

	for (guint i = 0; i <= 6; i++) {
		g_autofree char *name = g_strdup_printf("cpu/%u", i);

		hand_append(&hand, name, "", 0);
	}
	trace = hand_open(&hand);
	for (guint i = 1; i < ltt_trace_get_n_tracefiles(trace); i++) {
		const LttTracefile *file = ltt_trace_get_tracefile(trace, i);

		g_string_append_printf(text, " %s:%d:%d%d", ltt_tracefile_get_label(file),
				       ltt_tracefile_get_cpu(file), ltt_tracefile_is_lane(file),
				       ltt_tracefile_is_kernel(file));
	}
	UNIT_ASSERT_TEXT(text->str,
			 " cpu/0:0:00 cpu/1:1:00 lane/0:-1:10 lane/1:-1:10 kernel/0:0:01 "
			 "kernel/1:1:01 cpu/6:6:00");
	hand_clear(&hand);
}

/* Only control/processes lists processes, and what a merge made of it. */
static void test_files_that_list_processes(void)
{
	static const struct {
		const char *name;
		gboolean lists;
	} files[] = {{"control/processes", TRUE},
		     {"control/processes.2", TRUE},
		     {"control/processes2", FALSE},
		     {"control/more", FALSE},
		     {"control/process", FALSE}};

	for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
		const LttTracefile file = {.name = (char *)files[i].name};

		CU_ASSERT_EQUAL(ltt_tracefile_lists_processes(&file), files[i].lists);
	}
}

UNIT_MAIN("damage", UNIT(test_whole_blocks), UNIT(test_many_events), UNIT(test_final_words),
	  UNIT(test_ids), UNIT(test_payloads), UNIT(test_skipping), UNIT(test_a_file_that_is_cut),
	  UNIT(test_no_system), UNIT(test_many_files), UNIT(test_names_of_cpu_files),
	  UNIT(test_kinds_of_cpu_files), UNIT(test_files_that_list_processes))
