/* Traces of version 2.2, whose final words count the bytes behind an event, and whose builtin events are
 * described by a facility core (doc/format.md, section 10). */
#include "support-hand.h"
#include "support-trace.h"
#include "support-writer.h"
#include "unit.h"

#include <string.h>

/* A block of 96 bytes begins with a block_start of 26; its events begin with an id of 2 and a time of 4. */
#define START     "11 00*5 00*4 0a 00*3 0a 00*7 00*4 "
#define FORK(at)  "14 00 " at " 00*3 07 00*3 "
#define ENTRY(at) "01 00 " at " 00*3 00*5 "
#define END       "12 00*5 00*4 63 00*3 63 00*7 00*4 "

static HandTrace new_trace(const char *core)
{
	static const char system[] =
		"<system cpu=\"1\" arch_size=\"ILP32\" endian=\"little\" ltt_major_version=\"2\" "
		"ltt_minor_version=\"2\" ltt_block_size=\"96\"></system>\n";
	HandTrace hand = {writer_fresh_path(), LTT_LITTLE_ENDIAN, 96};

	hand_append(&hand, "info/system.xml", system, strlen(system));
	hand_append(&hand, "control/facilities", "", 0);
	if (core != NULL)
		hand_append(&hand, "eventdefs/core.xml", core, strlen(core));
	return hand;
}

static void expect_events(const char *block, const char *expected, int line)
{
	g_autofree char *path = unit_data_path("ltt-extra/dialect-2.2/eventdefs/core.xml");
	g_autoptr(GByteArray) bytes = unit_bytes(block);
	g_autofree char *core = NULL;
	HandTrace hand;

	CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &core, NULL, NULL));
	CU_ASSERT_EQUAL(bytes->len, 96);
	hand = new_trace(core);
	hand_append(&hand, "cpu/0", bytes->data, bytes->len);
	hand_expect(&hand, expected, __FILE__, line);
	hand_clear(&hand);
}
#define EXPECT_EVENTS(block, expected) expect_events(block, expected, __LINE__)

static void test_final_words(void)
{
	/* The bytes from the last event to the end. */
	EXPECT_EVENTS(START FORK("14") END "00*30 3c 00*3",
		      "cpu/0@10 block_start\ncpu/0@20 process_fork\ncpu/0@99 block_end\n");
	/* Those after it, without the word. */
	EXPECT_EVENTS(START FORK("14") END "00*30 1e 00*3",
		      "cpu/0@10 block_start\ncpu/0@20 process_fork\ncpu/0@99 block_end\n");
	EXPECT_EVENTS(START FORK("14") FORK("15") FORK("16") END "00*10 0a 00*3",
		      "cpu/0@10 block_start\ncpu/0@20 process_fork\ncpu/0@21 process_fork\n"
		      "cpu/0@22 process_fork\ncpu/0@99 block_end\n");
	/* So few that no event fits into them. */
	EXPECT_EVENTS(START ENTRY("14") ENTRY("15") FORK("16") END "00*8 08 00*3",
		      "cpu/0@10 block_start\ncpu/0@20 syscall_entry\ncpu/0@21 "
		      "syscall_entry\ncpu/0@22 process_fork\ncpu/0@99 block_end\n");
}

static void test_final_words_that_contradict_the_events(void)
{
	EXPECT_EVENTS(
		START FORK("14") END "00*30 1f 00*3",
		"cpu/0@10 block_start\ncpu/0@20 process_fork\n! cpu/0: block 0: byte 36: block_end "
		"here, but the final word says that the last event is at byte 65\n");
	EXPECT_EVENTS(START FORK("14") END "00*30 61 00*3",
		      "cpu/0@10 block_start\ncpu/0@20 process_fork\ncpu/0@99 block_end\n! cpu/0: "
		      "block 0: byte 92: the final word is 97, which is no offset of an event in a "
		      "block of 96 bytes\n");
	EXPECT_EVENTS(START FORK("14") "00*56 46 00*3",
		      "cpu/0@10 block_start\ncpu/0@20 process_fork\n");
	EXPECT_EVENTS(START FORK("14") END "00*30 00 00*3", "");
}

/* The last event is the first one: the others are not read. */
static void test_a_final_word_of_a_whole_block(void)
{
	EXPECT_EVENTS(START FORK("14") END "00*30 60 00*3", "cpu/0@10 block_start\n");
}

/* Events have the low bytes of the counter. */
static void test_counters(void)
{
	EXPECT_EVENTS(START FORK("14") FORK("14") FORK("16") END "00*10 0a 00*3",
		      "cpu/0@10 block_start\ncpu/0@20 process_fork\ncpu/0@20 process_fork\n"
		      "cpu/0@22 process_fork\ncpu/0@99 block_end\n");
	/* It begins with the count of block_start. */
	EXPECT_EVENTS(START FORK("0a") FORK("0b") FORK("0b") END "00*10 0a 00*3",
		      "cpu/0@10 block_start\ncpu/0@10 process_fork\ncpu/0@11 process_fork\n"
		      "cpu/0@11 process_fork\ncpu/0@99 block_end\n");
	/* Lower bytes than those of the event before: the counter has passed a multiple of 2^32. */
	EXPECT_EVENTS(START FORK("14") FORK("05")
			      FORK("16") "12 00*5 04 00*3 63 d8 94 11 63 00*3 01 00*3 00*4 "
					 "00*10 0a 00*3",
		      "cpu/0@10 block_start\ncpu/0@20 process_fork\ncpu/0@4294967301 process_fork\n"
		      "cpu/0@4294967318 process_fork\ncpu/0@4294967395 block_end\n");
}

static void expect_problems(const char *core, const char *expected, int line)
{
	HandTrace hand = new_trace(core);
	g_autoptr(LttTrace) trace = hand_open(&hand);
	g_autofree char *problems = hand_problems(trace);

	unit_assert_text(problems, expected, __FILE__, line);
	CU_ASSERT_EQUAL(ltt_trace_get_n_loads(trace), 1);
	UNIT_ASSERT_TEXT(ltt_facility_get_name(ltt_trace_get_load(trace, 0)->facility), "builtin");
	hand_clear(&hand);
}

static void test_a_core_that_is_missing_or_wrong(void)
{
	expect_problems(
		NULL, "eventdefs: a trace of version 2.2 needs a facility core, which is missing\n",
		__LINE__);
	expect_problems("<facility name=core><event name=block_start/></facility>",
			"eventdefs: facility core: event block_start: expected the type that it "
			"has in the facility builtin\n",
			__LINE__);
}

/* Another version is reported, and read as version 2.0. */
static void test_an_unknown_version(void)
{
	static const char system[] =
		"<system cpu=\"1\" arch_size=\"LP64\" endian=\"little\" ltt_major_version=\"2\" "
		"ltt_minor_version=\"1\" ltt_block_size=\"96\"></system>\n";
	HandTrace hand = {writer_fresh_path(), LTT_LITTLE_ENDIAN, 96};
	g_autoptr(LttTrace) trace = NULL;

	hand_append(&hand, "info/system.xml", system, strlen(system));
	hand_append(&hand, "control/facilities", "", 0);
	hand_add(&hand, "cpu/0", "@10 E20");
	trace = hand_open(&hand);
	HAND_EXPECT_PROBLEMS(trace, "info/system.xml: ltt_minor_version=\"1\" is not known: it is "
				    "read as 0\n");
	HAND_EXPECT(&hand, "cpu/0@10 block_start\ncpu/0@20 block_end\n");
	hand_clear(&hand);
}

UNIT_MAIN("dialect-22", UNIT(test_final_words), UNIT(test_final_words_that_contradict_the_events),
	  UNIT(test_a_final_word_of_a_whole_block), UNIT(test_counters),
	  UNIT(test_a_core_that_is_missing_or_wrong), UNIT(test_an_unknown_version))
