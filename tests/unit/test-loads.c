/* Loads of facilities: which description each gets, and from where on its ids are valid. */
#include "support-hand.h"
#include "support-loads.h"
#include "unit.h"

#include "reader/event-types-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-join.h>

#include <string.h>

/* The loads after those of hand_new(), "NAME/EVENTS@BASE ...", and the problems. */
static void expect_loads(const HandTrace *hand, const char *expected, const char *problems,
			 int line)
{
	g_autoptr(LttTrace) trace = hand_open(hand);
	g_autoptr(GString) got = g_string_new(NULL);

	for (guint i = 5; i < ltt_trace_get_n_loads(trace); i++) {
		const LttLoad *load = ltt_trace_get_load(trace, i);

		g_string_append_printf(got, "%s%s/%u@%u", i > 5 ? " " : "",
				       ltt_facility_get_name(load->facility),
				       ltt_facility_get_n_events(load->facility), load->base_code);
	}
	unit_assert_text(got->str, expected, __FILE__, line);
	hand_expect_problems(trace, problems, __FILE__, line);
}

static void test_the_checksum_chooses(void)
{
	HandTrace hand = load_new_trace(3);

	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[1]), 40, "");
	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 30, "");
	expect_loads(&hand, "f/1@30 f/2@40", "", __LINE__);
	/* The same load again has no effect. */
	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 30, "");
	expect_loads(&hand, "f/1@30 f/2@40", "", __LINE__);
	/* At another base code it is another load. */
	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 31, "");
	expect_loads(&hand, "f/1@30 f/1@31 f/2@40", "", __LINE__);
	hand_clear(&hand);
}

static void test_another_checksum(void)
{
	g_autofree char *other = g_strdup_printf(
		"control/facilities: block 1: byte 26: facility f is loaded with checksum "
		"0x00000007, "
		"but described in eventdefs/ with 0x%08x: that description is used\n",
		load_checksum(load_descriptions[0]));
	HandTrace one = load_new_trace(1);
	HandTrace two = load_new_trace(2);

	CU_ASSERT_NOT_EQUAL(load_checksum(load_descriptions[0]),
			    load_checksum(load_descriptions[1]));
	load_add(&one, "control/facilities", "f", 7, 30, "");
	expect_loads(&one, "f/1@30", other, __LINE__);
	/* Two descriptions of the same contents are one. */
	hand_append(&one, "eventdefs/again.xml", load_descriptions[0],
		    strlen(load_descriptions[0]));
	expect_loads(&one, "f/1@30", other, __LINE__);
	load_add(&two, "control/facilities", "f", 7, 30, "");
	expect_loads(&two, "",
		     "control/facilities: block 1: byte 26: facility f is loaded with checksum "
		     "0x00000007, but none of its descriptions in eventdefs/ has that\n",
		     __LINE__);
	hand_clear(&one);
	hand_clear(&two);
}

static void test_loads_that_are_rejected(void)
{
	const guint32 checksum = load_checksum(load_descriptions[2]);
	HandTrace hand = load_new_trace(3);

	load_add(&hand, "control/facilities", "h", 7, 30, "");
	load_add(&hand, "control/facilities", "g", checksum, 3, "");
	load_add(&hand, "control/facilities", "g", checksum, 65534, "");
	load_add(&hand, "control/facilities", "g", checksum, 65535, "");
	load_add(&hand, "control/facilities", "g", checksum, 4294967295, "");
	load_add(&hand, "control/facilities", "builtin", 7, 40, "");
	load_add(&hand, "control/facilities", "builtin", 7, 0, "");
	expect_loads(
		&hand, "g/2@65534",
		"control/facilities: block 1: byte 26: facility h (checksum 0x00000007) is loaded, "
		"but "
		"not described in eventdefs/\n"
		"control/facilities: block 2: byte 26: facility g at base code 3 takes ids that "
		"facility builtin has\n"
		"control/facilities: block 4: byte 26: facility g has 2 events at base code 65535: "
		"the "
		"largest id is 65535\n"
		"control/facilities: block 5: byte 26: facility g has 2 events at base code "
		"4294967295: "
		"the largest id is 65535\n"
		"control/facilities: block 6: byte 26: facility builtin (checksum 0x00000007) is "
		"loaded, but not described in eventdefs/\n",
		__LINE__);
	hand_clear(&hand);
}

/* The ids next to those of another load are free, those that it has are not. */
static void test_loads_side_by_side(void)
{
	static const char problem[] =
		"control/facilities: block %u: byte 26: facility g at base code %u takes ids that "
		"facility %s has\n";
	const guint32 one = load_checksum(load_descriptions[0]);
	const guint32 two = load_checksum(load_descriptions[2]);
	HandTrace hand = load_new_trace(3);
	g_autoptr(GString) problems = g_string_new(NULL);

	load_add(&hand, "control/facilities", "f", one, 64, "");
	load_add(&hand, "control/facilities", "g", two, 127, "");
	load_add(&hand, "control/facilities", "g", two, 62, "");
	load_add(&hand, "control/facilities", "g", two, 65, "");
	load_add(&hand, "control/facilities", "g", two, 63, "");
	load_add(&hand, "control/facilities", "g", two, 128, "");
	load_add(&hand, "control/facilities", "g", two, 129, "");
	g_string_append_printf(problems, problem, 5, 63, "g");
	g_string_append_printf(problems, problem, 6, 128, "g");
	expect_loads(&hand, "g/2@62 f/1@64 g/2@65 g/2@127 g/2@129", problems->str, __LINE__);
	hand_clear(&hand);
}

static void test_no_file_of_loads(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, LOADS_BLOCK_BYTES, NULL);
	g_autofree char *path = g_build_filename(hand.path, "control/facilities", NULL);
	g_autoptr(LttTrace) trace = NULL;

	CU_ASSERT_EQUAL(remove(path), 0);
	trace = hand_open(&hand);
	HAND_EXPECT_PROBLEMS(
		trace,
		"control/facilities: the file is missing: no facility but the first is known\n");
	CU_ASSERT_EQUAL(ltt_trace_get_n_loads(trace), 1);
	hand_clear(&hand);
}

/* A file may load facilities for itself: their ids are valid after the load, and in later blocks. */
static void test_local_loads(void)
{
	HandTrace hand = load_new_trace(3);

	load_add(&hand, "cpu/0", "g", load_checksum(load_descriptions[2]), 30,
		 " X11:30: X12:31: N13 E14");
	hand_add(&hand, "cpu/0", "@20#1 X21:31: E22");
	HAND_EXPECT(&hand,
		    "cpu/0@0 block_start\ncpu/0@10 facility_load\ncpu/0@11 one\ncpu/0@12 two\n"
		    "cpu/0@13 none\ncpu/0@14 block_end\ncpu/0@20 block_start\ncpu/0@21 two\n"
		    "cpu/0@22 block_end\n");
	/* Not in another file. */
	hand_add(&hand, "cpu/1", "@30 N31 X32:31: E33");
	HAND_EXPECT(&hand,
		    "cpu/0@0 block_start\ncpu/0@10 facility_load\ncpu/0@11 one\ncpu/0@12 two\n"
		    "cpu/0@13 none\ncpu/0@14 block_end\ncpu/0@20 block_start\ncpu/0@21 two\n"
		    "cpu/0@22 block_end\ncpu/1@30 block_start\ncpu/1@31 none\n"
		    "! cpu/1: block 0: byte 32: event id 31: no loaded facility covers it\n");
	hand_clear(&hand);
}

/* Loads that are rejected are reported even if no event needs them. */
static void test_a_local_load_that_is_rejected(void)
{
	HandTrace hand = load_new_trace(3);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *got = NULL;

	load_add(&hand, "cpu/0", "h", 8, 50, " E20");
	trace = hand_open(&hand);
	CU_ASSERT_EQUAL(ltt_trace_get_n_problems(trace), 0);
	got = hand_read(trace);
	HAND_EXPECT_PROBLEMS(trace,
			     "cpu/0: block 0: byte 26: facility h (checksum 0x00000008) is loaded, "
			     "but not described in eventdefs/\n");
	hand_clear(&hand);
}

static void test_ids_before_a_local_load(void)
{
	HandTrace hand = load_new_trace(3);

	hand_add(&hand, "cpu/0", "@0 N1 X2:31: N3 E4");
	load_add(&hand, "cpu/0", "g", load_checksum(load_descriptions[2]), 30,
		 " X11:31: N13 E14 !22:01");
	HAND_EXPECT(&hand,
		    "cpu/0@0 block_start\ncpu/0@1 none\n"
		    "! cpu/0: block 0: byte 32: event id 31: no loaded facility covers it\n"
		    "cpu/0@0 block_start\ncpu/0@10 facility_load\ncpu/0@11 two\ncpu/0@13 none\n"
		    "cpu/0@14 block_end\n");
	hand_clear(&hand);
	/* In the same block, and at the id of the first event. */
	hand = load_new_trace(3);
	hand_add(&hand, "cpu/0",
		 "@0 X1:30: X10:0:6700"
		 "00000000"
		 "1e000000 E14");
	HAND_EXPECT(&hand,
		    "cpu/0@0 block_start\n"
		    "! cpu/0: block 0: byte 26: event id 30: no loaded facility covers it\n");
	hand_clear(&hand);
}

/* The same in control/facilities, whose loads are valid in all of the other files. */
static void test_ids_before_a_load_of_all_files(void)
{
	HandTrace hand = load_new_trace(3);

	hand_add(&hand, "control/facilities", "@20#1 N21 X22:30: E23");
	load_add(&hand, "control/facilities", "g", load_checksum(load_descriptions[2]), 30,
		 " X31:31: E32 !22:02");
	hand_add(&hand, "control/facilities", "@40#3 X41:30: X42:31: E43");
	hand_add(&hand, "cpu/0", "@0 X1:30: X2:31: E4");
	HAND_EXPECT(&hand,
		    "cpu/0@0 block_start\ncpu/0@1 one\ncpu/0@2 two\ncpu/0@4 block_end\n"
		    "! control/facilities: block 1: byte 32: event id 30: no loaded facility "
		    "covers it\n");
	hand_clear(&hand);
}

/* The ids beside a local load are those of other loads. */
static void test_ids_beside_a_local_load(void)
{
	HandTrace hand = load_new_trace(3);

	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 29, "");
	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 32, "");
	hand_add(&hand, "cpu/0", "@0 X1:29: X2:32: X3:31:");
	load_add(&hand, "cpu/0", "g", load_checksum(load_descriptions[2]), 30, " E14 !22:01");
	HAND_EXPECT(&hand, "cpu/0@0 block_start\ncpu/0@1 one\ncpu/0@2 one\n"
			   "! cpu/0: block 0: byte 38: event id 31: no loaded facility covers it\n"
			   "cpu/0@0 block_start\ncpu/0@10 facility_load\ncpu/0@14 block_end\n");
	hand_clear(&hand);
}

/* An id of two equal bytes is the same in both byte orders, but its event is not. */
static void test_ids_of_equal_bytes(void)
{
	HandTrace little = hand_new(LTT_LITTLE_ENDIAN, LOADS_BLOCK_BYTES, NULL);
	HandTrace big = hand_new(LTT_BIG_ENDIAN, LOADS_BLOCK_BYTES, NULL);

	hand_append(&little, "eventdefs/g.xml", load_descriptions[2], strlen(load_descriptions[2]));
	hand_append(&big, "eventdefs/g.xml", load_descriptions[2], strlen(load_descriptions[2]));
	load_add(&little, "control/facilities", "g", load_checksum(load_descriptions[2]), 256, "");
	load_add(&big, "control/facilities", "g",
		 GUINT32_SWAP_LE_BE(load_checksum(load_descriptions[2])), 0x00010000, "");
	hand_add(&little, "cpu/0", "@0 X1:257: X2:257: X3:256: E4");
	hand_add(&big, "cpu/0", "@0 X1:257: X2:257: X3:256: E4");
	for (guint i = 0; i < 2; i++)
		HAND_EXPECT(i == 0 ? &little : &big,
			    "cpu/0@0 block_start\ncpu/0@1 two\ncpu/0@2 two\ncpu/0@3 one\n"
			    "cpu/0@4 block_end\n");
	hand_clear(&little);
	hand_clear(&big);
}

/* The tables of ids have no room behind the last one. */
static void test_an_id_behind_the_last_one(void)
{
	HandTrace hand = load_new_trace(1);

	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 63, "");
	hand_add(&hand, "cpu/0", "@0 N1 X2:63: N3 X4:64: E5");
	HAND_EXPECT(&hand,
		    "cpu/0@0 block_start\ncpu/0@1 none\ncpu/0@2 one\ncpu/0@3 none\n"
		    "! cpu/0: block 0: byte 44: event id 64: no loaded facility covers it\n");
	hand_clear(&hand);
}

/* Facilities that no event loads are listed, too, for code that looks for a type. */
static void test_facilities_that_are_described_only(void)
{
	static const char xml[] =
		"<facility name='h'><event name='one'><struct><field name='a'><uint "
		"size='4'/></field>"
		"<field name='b'><string/></field></struct></event><event name='two'/></facility>";
	HandTrace hand = load_new_trace(1);
	const LttFacility *facility;
	const LttEventType *type;
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(GPtrArray) listed = NULL;
	g_autoptr(GString) got = g_string_new(NULL);

	hand_append(&hand, "eventdefs/y.xml", xml, strlen(xml));
	load_add(&hand, "control/facilities", "f", load_checksum(load_descriptions[0]), 30, "");
	trace = hand_open(&hand);
	listed = ltt_trace_list_facilities(trace);
	for (guint i = ltt_trace_get_n_loads(trace); i < listed->len; i++)
		g_string_append_printf(got, "%s ", ltt_facility_get_name(listed->pdata[i]));
	UNIT_ASSERT_TEXT(got->str, "processes threads tracer various f h ");
	facility = listed->pdata[listed->len - 1];
	type = ltt_facility_get_event(facility, 0);
	CU_ASSERT_EQUAL(ltt_type_get_kind(ltt_event_type_find_field(type, "a")), LTT_UINT);
	CU_ASSERT_EQUAL(ltt_type_get_kind(ltt_event_type_find_field(type, "b")), LTT_STRING);
	CU_ASSERT_PTR_NULL(ltt_event_type_find_field(type, "c"));
	CU_ASSERT_PTR_NULL(ltt_event_type_find_field(ltt_facility_get_event(facility, 1), "a"));
	hand_clear(&hand);
}

/* ---- bookmarks ---- */

/* Bookmarks of a joined trace have its CPUs and times. */
static void test_bookmarks_of_a_joined_trace(void)
{
	static const char xml[] =
		"<bookmarks><location name='a' cpu='1' time='0.000000050'/>"
		"<location name='b' cpu='3' cycle='7'/><location name='c' start_time='0.000000001' "
		"end_time='0.000000002'/></bookmarks>";
	static const gint64 offsets_ns[] = {0, 100};
	HandTrace hands[] = {
		hand_new(LTT_LITTLE_ENDIAN, LOADS_BLOCK_BYTES, "boot_id", "1", "lanes", "1", NULL),
		hand_new(LTT_LITTLE_ENDIAN, LOADS_BLOCK_BYTES, "boot_id", "2", "cpu", "2", "lanes",
			 "1", NULL)};
	g_autoptr(GString) got = g_string_new(NULL);
	LttTrace *traces[2];
	g_autoptr(LttTrace) joined = NULL;
	const GPtrArray *bookmarks;

	hand_add(&hands[0], "cpu/2", "@5 E6");
	hand_add(&hands[0], "cpu/3", "@5 E6"); /* a lane */
	hand_add(&hands[1], "cpu/0", "@5 E6");
	hand_add(&hands[1], "cpu/1", "@5 E6"); /* a lane */
	for (guint i = 0; i < 2; i++) {
		hand_append(&hands[i], "info/bookmarks.xml", xml, strlen(xml));
		traces[i] = hand_open(&hands[i]);
	}
	joined = ltt_trace_join(traces, 2, offsets_ns, NULL);
	bookmarks = ltt_trace_read_bookmarks(joined);
	for (guint i = 0; i < bookmarks->len; i++) {
		const LttBookmark *bookmark = bookmarks->pdata[i];

		g_string_append_printf(got, "%s:%d:%u-%u ", bookmark->name, bookmark->cpu,
				       (guint)bookmark->start, (guint)bookmark->end);
	}
	/* The lanes are cpu/4 and cpu/5, after the CPUs of both traces. */
	UNIT_ASSERT_TEXT(got->str, "a:1:50-50 b:4:7-7 c:-1:1-2 a:5:150-150 b:6:7-7 c:-1:101-102 ");
	for (guint i = 0; i < 2; i++)
		hand_clear(&hands[i]);
}

UNIT_MAIN("loads", UNIT(test_the_checksum_chooses), UNIT(test_another_checksum),
	  UNIT(test_loads_that_are_rejected), UNIT(test_loads_side_by_side),
	  UNIT(test_no_file_of_loads), UNIT(test_local_loads), UNIT(test_ids_beside_a_local_load),
	  UNIT(test_a_local_load_that_is_rejected), UNIT(test_ids_before_a_local_load),
	  UNIT(test_facilities_that_are_described_only), UNIT(test_an_id_behind_the_last_one),
	  UNIT(test_ids_of_equal_bytes), UNIT(test_ids_before_a_load_of_all_files),
	  UNIT(test_bookmarks_of_a_joined_trace))
