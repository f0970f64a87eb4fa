/* The times of events from the time values around them, and the names of threads at these times. */
#include "support-hand.h"
#include "unit.h"

#include "reader/block-priv.h"
#include "reader/hosts-priv.h"
#include "reader/thread-names-priv.h"
#include "writer/block-writer-priv.h"

#include <ltt/ltt-join.h>
#include <ltt/ltt-merge.h>

#include <string.h>

#define BLOCK 256

/* ---- rates ---- */

/* The times of the events "none" of cpu/0, whose blocks are separated by "; ". */
static void expect_times(const char *frequency, const char *blocks, const char *expected, int line)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK,
				  frequency != NULL ? "cycle_frequency" : NULL, frequency, NULL);
	g_auto(GStrv) parts = g_strsplit(blocks, "; ", -1);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *all = NULL;
	g_auto(GStrv) lines = NULL;
	g_autoptr(GString) got = g_string_new(NULL);

	for (guint i = 0; parts[i] != NULL; i++)
		hand_add(&hand, "cpu/0", parts[i]);
	trace = hand_open(&hand);
	all = hand_read(trace);
	lines = g_strsplit(all, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++)
		if (g_str_has_suffix(lines[i], " none"))
			g_string_append_printf(got, "%s%.*s", got->len > 0 ? " " : "",
					       (int)(strchr(lines[i], ' ') - lines[i] - 6),
					       lines[i] + 6);
	unit_assert_text(got->str, expected, __FILE__, line);
	hand_clear(&hand);
}
#define EXPECT_TIMES(blocks, expected) expect_times(NULL, blocks, expected, __LINE__)

static void test_between_time_values(void)
{
	EXPECT_TIMES("@100=1000 N150 H200=1200 N250 N251 E300=1500", "1100 1350 1353");
	EXPECT_TIMES("@100=1000 N133 E200=1010", "1003");
	/* The clock was set back; the counter stands still. */
	EXPECT_TIMES("@100=1000 N150 H200=900 N250 E300=950", "950 925");
	EXPECT_TIMES("@100=1000 N100 H100=1010 N150 E200=1020", "1000 1015");
}

static void test_after_the_last_time_value(void)
{
	/* The rate between the last two of the block. */
	EXPECT_TIMES("@100=1000 N150 H200=1200 N250", "1100 1300");
	EXPECT_TIMES("@100=1000 H200=1200 H300=1500 N350", "1650");
	/* That of the last block that has one, from its start to its last time value. */
	EXPECT_TIMES("@100=1000 H150=1010 E200=1200; @300=1400#1 N350", "1500");
	EXPECT_TIMES("@100=1000 E200=1200; @250=1300#1; @300=1400#2 N350", "1500");
	EXPECT_TIMES("@100=1000 E200=1200; @300=1400#1 N350; @400=1600#2 N450; @500=1800#3 N550",
		     "1500 1700 1900");
	EXPECT_TIMES("@100=1000 E200=1200; @300=1400#1 E400=1700; @500=2000#2 N550", "2150");
	EXPECT_TIMES("@100=1000 H150=1150 N160 N170 !54:63; @300=1400#1 N350", "1180 1550");
	/* A later block has no effect. */
	EXPECT_TIMES("@300=1400#0 N350; @400=1500#1 E500=1700", "1450");
}

static void test_rate_of_the_machine(void)
{
	expect_times(NULL, "@100=1000 N150", "1050", __LINE__);
	expect_times("500000000", "@100=1000 N150", "1100", __LINE__);
	expect_times("2000000000", "@100=1000 N150 N151", "1025 1025", __LINE__);
	expect_times("500000000", "@100=1000#0; @200=2000#1 N210", "2020", __LINE__);
}

/* tracer.clock: 10 cycles take 30 ns. */
#define CLOCK                                                                                      \
	":10:0000000000000000"                                                                     \
	"00000000"                                                                                 \
	"00000000"                                                                                 \
	"0a00000000000000"                                                                         \
	"00000000"                                                                                 \
	"1e000000"

static void test_rate_of_a_clock_event(void)
{
	EXPECT_TIMES("@100=1000 X110" CLOCK " N150", "1150");
	EXPECT_TIMES("@100=1000 H200=1200 X210" CLOCK " N250", "1350");
	/* It is not that of the next block. */
	EXPECT_TIMES("@100=1000 X110" CLOCK "; @200=2000#1 N250", "2050");
}

/* Whether the times of a block rest on the attributes of the system. */
static gboolean rests_on_system(const char *words)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	LttTracefile *file;
	LttBlock block;
	gboolean rests;

	hand_add(&hand, "cpu/0", words);
	trace = hand_open(&hand);
	file = ltt_trace_get_tracefile(trace, 1);
	CU_ASSERT_EQUAL_FATAL(ltt_tracefile_get_n_ordered(file), 1);
	ltt_block_init(&block);
	CU_ASSERT_TRUE(ltt_block_load(&block, file, 0, NULL));
	rests = block.rests_on_system;
	/* A thread that reads ahead leaves such blocks to the others. */
	CU_ASSERT_EQUAL(ltt_block_try_load(&block, file, 0), !rests);
	ltt_block_clear(&block);
	hand_clear(&hand);
	return rests;
}

static void test_times_that_rest_on_the_system(void)
{
	CU_ASSERT_FALSE(rests_on_system("@100 N110 !0:63")); /* without any event */
	CU_ASSERT_TRUE(rests_on_system("@100 N110"));
	CU_ASSERT_TRUE(rests_on_system("@100 H100=200 N110"));
	CU_ASSERT_FALSE(rests_on_system("@100"));
	CU_ASSERT_FALSE(rests_on_system("@100 N110 H120"));
	CU_ASSERT_FALSE(rests_on_system("@100 H110 N120"));
	CU_ASSERT_FALSE(rests_on_system("@100 N110 E120"));
	CU_ASSERT_FALSE(rests_on_system("@100 X110" CLOCK " N120"));
}

/* It is known of each block, also if the memory is that of a block whose times do. */
static void test_blocks_in_turn(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	LttTracefile *file;
	LttBlock block;

	hand_add(&hand, "cpu/0", "@100#0 N110");
	hand_add(&hand, "cpu/0", "@200#1 N210 E220");
	trace = hand_open(&hand);
	file = ltt_trace_get_tracefile(trace, 1);
	CU_ASSERT_EQUAL_FATAL(ltt_tracefile_get_n_ordered(file), 2);
	ltt_block_init(&block);
	for (guint i = 0; i < 4; i++) {
		CU_ASSERT_TRUE(ltt_block_load(&block, file, i % 2, NULL));
		CU_ASSERT_EQUAL(block.rests_on_system, i % 2 == 0);
	}
	ltt_block_clear(&block);
	hand_clear(&hand);
}

/* ---- lines with bends ---- */

/* Events of a trace whose times are converted by a map lie on its lines. */
static void expect_converted(const LttClockPoint *points, guint n_points, const char *words,
			     const char *expected, int line)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttClockMap) map = ltt_clock_map_new(points, n_points, NULL);
	g_autoptr(LttTrace) joined = NULL;
	g_autoptr(LttMerge) merge = NULL;
	g_autoptr(GString) got = g_string_new(NULL);
	const LttEvent *event;
	LttTrace *trace;

	hand_add(&hand, "cpu/0", words);
	trace = hand_open(&hand);
	joined = ltt_trace_join_by_maps(&trace, 1, &map, NULL);
	merge = ltt_merge_new(joined, NULL);
	while (ltt_merge_next(merge, &event, NULL) == LTT_STEP_EVENT)
		if (g_str_equal(ltt_tracefile_get_name(event->tracefile), "cpu/0"))
			g_string_append_printf(got, "%s%" G_GUINT64_FORMAT, got->len > 0 ? " " : "",
					       event->time_ns);
	unit_assert_text(got->str, expected, __FILE__, line);
	hand_clear(&hand);
}
#define EXPECT_CONVERTED(points, words, expected)                                                  \
	expect_converted(points, G_N_ELEMENTS(points), words, expected, __LINE__)

static void test_bends(void)
{
	static const LttClockPoint points[] = {
		{1000, 1000}, {1100, 1300}, {1150, 1310}, {1200, 1400}, {1300, 1600}};

	EXPECT_CONVERTED(points, "@1000 N1050 N1100 N1125 N1150 N1175 N1200 N1250 E1300",
			 "1000 1150 1300 1305 1310 1355 1400 1500 1600");
	/* Bends at time values, and in the second interval. */
	EXPECT_CONVERTED(points, "@1100 N1125 H1150 N1175 N1190 E1200",
			 "1300 1305 1310 1355 1382 1400");
	EXPECT_CONVERTED(points, "@1000 N1099 H1100 N1101 E1150", "1000 1297 1300 1300 1310");
	/* Two cycles are a nanosecond: the bend at 1100 ns is at 1200 cycles. */
	EXPECT_CONVERTED(points, "@1000=1000 N1199 N1200 N1202 E1300=1150",
			 "1000 1298 1300 1300 1310");
	/* The last line goes on after the last point, as the first one does before the first. */
	EXPECT_CONVERTED(points, "@1175 N1250 N1350 E1400", "1355 1500 1700 1800");
	EXPECT_CONVERTED(points, "@900 N950 N1050 E1125", "700 850 1150 1305");
}

/* The line between two time values is straight if the counter falls. */
static void test_bends_and_a_counter_that_falls(void)
{
	static const LttClockPoint points[] = {{1000, 1000}, {1100, 1300}, {1200, 1400}};

	EXPECT_CONVERTED(points, "@1000 N1100 N1050 E1200", "1000 1200 1100 1400");
	EXPECT_CONVERTED(points, "@1000 N1050 N1100 E1200", "1000 1150 1300 1400");
	/* It may stand still at an event, and at the second time value. */
	EXPECT_CONVERTED(points, "@1000 N1100 N1100 E1200", "1000 1300 1300 1400");
	EXPECT_CONVERTED(points, "@1000 N1000 H1000=1200 E1200", "1000 1000 1400 1400");
}

/* ---- names of threads ---- */

/* An event of threads in process 1, thread 2; and tracer.process_start. */
#define THREAD(pid, tid)     ":8:" pid "000000" tid "000000"
#define NAME(pid, tid, name) ":13:" pid "000000" tid "000000" name "00"
#define PROCESS(pid, name)   ":11:" pid "00000001000000" name "0000"

/* The names at the events "none" of cpu/0, "?" without one. */
static void expect_names(const HandTrace *hand, const char *expected, int line)
{
	g_autoptr(LttTrace) trace = hand_open(hand);
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, NULL);
	g_autoptr(GString) got = g_string_new(NULL);
	const LttEvent *event;

	while (ltt_merge_next(merge, &event, NULL) == LTT_STEP_EVENT)
		if (g_str_equal(event->type->name, "none"))
			g_string_append_printf(got, "%s%s", got->len > 0 ? " " : "",
					       ltt_event_get_comm(event) != NULL
						       ? ltt_event_get_comm(event)
						       : "?");
	unit_assert_text(got->str, expected, __FILE__, line);
}

static void test_names(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);

	/* Process 1 is called "p", then "q"; its thread 2 "t" from 130 on, then has no name. */
	hand_add(&hand, "control/processes",
		 "@50 X120" PROCESS("01", "71") " X100" PROCESS("01", "70") " X130" NAME(
			 "01", "02", "74") " X140" NAME("01", "02", "") " E200");
	hand_add(&hand, "cpu/0",
		 "@90 N90 X91" THREAD("01", "02") " N99 N100 N119 N120 N129 N130 N139 N140 "
						  "X141" THREAD("01", "03") " N141 E150");
	hand_add(&hand, "cpu/1",
		 "@90 X150" THREAD("02", "02") " N151 X152" THREAD(
			 "01", "01") " N153 X154"
				     ":8:01000000ffffffff N155 E160");
	/* A block begins without a thread. */
	hand_add(&hand, "cpu/0", "@170#1 N171 X172" THREAD("01", "02") " N173 E180");
	expect_names(&hand, "? ? p p q q t t q q ? q ? ? q", __LINE__);
	hand_clear(&hand);
}

/* Of names with equal times the last one is valid. */
static void test_names_of_one_time(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);

	hand_add(&hand, "control/processes",
		 "@50 X100" PROCESS("01", "70") " X100" PROCESS("01", "71") " X100" PROCESS(
			 "01", "72") " E200");
	hand_add(&hand, "cpu/0", "@90 X91" THREAD("01", "02") " N99 N100 E150");
	expect_names(&hand, "? r", __LINE__);
	/* Also if they come after a later one. */
	hand_add(&hand, "control/processes",
		 "@201#1 X300" PROCESS("01", "70") " X250" PROCESS("01", "71") " X250" PROCESS(
			 "01", "72") " X250" PROCESS("01", "73") " E400");
	hand_add(&hand, "cpu/0", "@201#1 X249" THREAD("01", "02") " N249 N250 N300 E350");
	expect_names(&hand, "? r r s p", __LINE__);
	hand_clear(&hand);
}

/* The names of two machines, and their spans. */
static void test_spans_of_names(void)
{
	HandTrace hand =
		hand_new(LTT_LITTLE_ENDIAN, BLOCK, LTT_SYSTEM_HOSTS,
			 "a:1:cpu/0,control/processes b:2:cpu/1,control/processes.2", NULL);
	g_autoptr(LttTrace) trace = NULL;
	const LttThreadNames *names;
	LttNameSpan span;
	LttEvent event = {.has_thread = TRUE, .pid = 1, .tid = 2, .time_ns = 110};

	hand_add(&hand, "control/processes",
		 "@50 X100" PROCESS("01", "70") " X120" PROCESS("01", "71") " E200");
	hand_add(&hand, "control/processes.2", "@50 X90" PROCESS("01", "72") " E200");
	hand_add(&hand, "cpu/0", "@90 E150");
	hand_add(&hand, "cpu/1", "@90 E150");
	trace = hand_open(&hand);
	names = ltt_trace_get_thread_names(trace);
	CU_ASSERT_PTR_EQUAL(names, ltt_trace_get_thread_names(trace));
	event.tracefile = ltt_trace_get_tracefile(trace, 3);
	UNIT_ASSERT_TEXT(ltt_tracefile_get_name(event.tracefile), "cpu/0");
	ltt_thread_names_find(names, &event, &span);
	UNIT_ASSERT_TEXT(span.name, "p");
	CU_ASSERT_TRUE(span.from_ns == 100 && span.to_ns == 120);
	event.time_ns = 99;
	ltt_thread_names_find(names, &event, &span);
	CU_ASSERT_PTR_NULL(span.name);
	CU_ASSERT_TRUE(span.from_ns == 0 && span.to_ns == 100);
	event.time_ns = 120;
	ltt_thread_names_find(names, &event, &span);
	UNIT_ASSERT_TEXT(span.name, "q");
	CU_ASSERT_TRUE(span.from_ns == 120 && span.to_ns == G_MAXUINT64);
	event.tracefile = ltt_trace_get_tracefile(trace, 4);
	ltt_thread_names_find(names, &event, &span);
	UNIT_ASSERT_TEXT(span.name, "r");
	event.pid = 2;
	ltt_thread_names_find(names, &event, &span);
	CU_ASSERT_TRUE(span.name == NULL && span.from_ns == 0 && span.to_ns == G_MAXUINT64);
	event.pid = 1;
	event.has_thread = FALSE;
	ltt_thread_names_find(names, &event, &span);
	CU_ASSERT_TRUE(span.name == NULL && span.from_ns == 0 && span.to_ns == G_MAXUINT64);
	CU_ASSERT_PTR_NULL(ltt_event_get_comm(&event));
	event = (LttEvent){.has_thread = TRUE, .pid = 1, .tid = 2};
	CU_ASSERT_PTR_NULL(ltt_event_get_comm(&event));
	hand_clear(&hand);
}

/* Entries of `hosts` that are invalid are reported, and belong to the first machine. */
static void test_invalid_hosts(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, LTT_SYSTEM_HOSTS,
				  "a:1:cpu/1 b:2 %zz:3:cpu/0 c:%zz:cpu/0 :4:cpu/0", NULL);
	g_autoptr(LttTrace) trace = NULL;

	hand_add(&hand, "cpu/0", "@90 E150");
	trace = hand_open(&hand);
	HAND_EXPECT_PROBLEMS(trace,
			     "info/system.xml: hosts: entry 2: expected HOST:BOOT_ID:TRACEFILES\n"
			     "info/system.xml: hosts: entry 3: expected HOST:BOOT_ID:TRACEFILES\n"
			     "info/system.xml: hosts: entry 4: expected HOST:BOOT_ID:TRACEFILES\n");
	CU_ASSERT_EQUAL_FATAL(ltt_trace_get_n_hosts(trace), 2);
	UNIT_ASSERT_TEXT(ltt_trace_get_host(trace, 0), "a");
	UNIT_ASSERT_TEXT(ltt_trace_get_host(trace, 1), "unknown");
	CU_ASSERT_EQUAL(ltt_tracefile_get_host(ltt_trace_get_tracefile(trace, 0)), 0);
	CU_ASSERT_EQUAL(ltt_tracefile_get_host(ltt_trace_get_tracefile(trace, 1)), 1);
	UNIT_ASSERT_TEXT(ltt_trace_get_tracefile(trace, 0)->host_name, "a");
	UNIT_ASSERT_TEXT(ltt_trace_get_tracefile(trace, 1)->host_name, "unknown");
	CU_ASSERT_EQUAL(ltt_trace_get_tracefile(trace, 1)->recording, 1);
	hand_clear(&hand);
}

/* The first 2^20 names count. A thread that is renamed after them has no name from then on. */
static void test_more_names_than_the_limit(void)
{
	const gsize block_bytes = 20 << 20;
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, block_bytes, NULL);
	static const guint8 first[] = {1, 0, 0, 0, 2, 0, 0, 0, 'a', 0};
	static const guint8 last[] = {1, 0, 0, 0, 2, 0, 0, 0, 'b', 0};
	LttBlockWriter block;

	CU_ASSERT_TRUE_FATAL(ltt_block_writer_init(&block, block_bytes, LTT_LITTLE_ENDIAN));
	ltt_block_writer_begin(&block, 0, 0, 0);
	for (guint i = 0; i < 1 << 20; i++)
		ltt_block_writer_event(&block, 10, 13, first, sizeof(first));
	ltt_block_writer_event(&block, 20, 13, last, sizeof(last));
	ltt_block_writer_end(&block, 30, 30);
	hand_append(&hand, "control/processes", block.bytes, block.size_bytes);
	ltt_block_writer_clear(&block);
	hand_add(&hand, "cpu/0", "@90 X91" THREAD("01", "02") " N99 E100");
	expect_names(&hand, "?", __LINE__);
	hand_clear(&hand);
}

static void test_hidden_names_of_hosts(void)
{
	LttSystem *system = ltt_system_new();

	ltt_system_set(system, LTT_SYSTEM_HOSTS, "a%3Ab:1:cpu/0,cpu/1 c::cpu/2 d");
	ltt_hosts_hide_names(system);
	UNIT_ASSERT_TEXT(ltt_system_get(system, LTT_SYSTEM_HOSTS), "::cpu/0,cpu/1 ::cpu/2 ::");
	ltt_system_free(system);
}

UNIT_MAIN("times", UNIT(test_between_time_values), UNIT(test_after_the_last_time_value),
	  UNIT(test_rate_of_the_machine), UNIT(test_rate_of_a_clock_event),
	  UNIT(test_times_that_rest_on_the_system), UNIT(test_blocks_in_turn), UNIT(test_bends),
	  UNIT(test_bends_and_a_counter_that_falls), UNIT(test_names), UNIT(test_names_of_one_time),
	  UNIT(test_spans_of_names), UNIT(test_more_names_than_the_limit), UNIT(test_invalid_hosts),
	  UNIT(test_hidden_names_of_hosts))
