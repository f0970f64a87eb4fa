/* Reads that fail while a trace is read: what is reported, and what is still read. Each block may be readable
 * later, so these are problems of the trace, not damage. */
#define _GNU_SOURCE
#include "support-hand.h"
#include "support-trace.h"
#include "unit.h"

#include "reader/block-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-error.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK 96

/* The bytes that cannot be read. */
static struct {
	ino_t file; /* 0: none */
	off_t from;
	off_t to;
} bad;

/* In place of the function of libc, through which the library reads blocks. */
ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
	struct stat status;

	if (bad.file != 0 && offset < bad.to && offset + (off_t)size > bad.from &&
	    fstat(fd, &status) == 0 && status.st_ino == bad.file) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_pread64, fd, bytes, size, offset);
}

static void make_bad(const HandTrace *hand, const char *name, off_t from, off_t to)
{
	g_autofree char *path = g_build_filename(hand->path, name, NULL);
	struct stat status;

	CU_ASSERT_EQUAL_FATAL(stat(path, &status), 0);
	bad.file = status.st_ino;
	bad.from = from;
	bad.to = to;
}

static void make_good(void)
{
	bad.file = 0;
}

static LttTracefile *last_file(const LttTrace *trace)
{
	return ltt_trace_get_tracefile(trace, ltt_trace_get_n_tracefiles(trace) - 1);
}

#define UNREAD "could not read: Input/output error"
#define WRONG  UNREAD ": the order and the times of the blocks may be wrong\n"

/* ---- the ends of blocks ---- */

/* Orders the blocks of cpu/0, of which some bytes cannot be read. */
static void expect_order(guint64 block_bytes, const char *blocks, off_t from, off_t to,
			 guint64 n_ordered, const char *problems, int line)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, block_bytes, NULL);
	g_auto(GStrv) parts = g_strsplit(blocks, "; ", -1);
	g_autoptr(LttTrace) trace = NULL;

	for (guint i = 0; parts[i] != NULL; i++)
		hand_add(&hand, "cpu/0", parts[i]);
	trace = hand_open(&hand);
	make_bad(&hand, "cpu/0", from, to);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(last_file(trace)), n_ordered);
	make_good();
	hand_expect_problems(trace, problems, __FILE__, line);
	hand_clear(&hand);
}

#define THREE "@100#2 E120; @130#0 E150; @160#1 E180"

static void test_ends_of_blocks(void)
{
	expect_order(BLOCK, THREE, 300, 301, 3, "", __LINE__);
	expect_order(BLOCK, THREE, 95, 96, 3, "cpu/0: block 0: byte 0: " WRONG, __LINE__);
	expect_order(BLOCK, THREE, 96, 97, 3, "cpu/0: block 1: byte 0: " WRONG, __LINE__);
	/* It is reported once for a file. */
	expect_order(BLOCK, THREE, 0, 288, 3, "cpu/0: block 0: byte 0: " WRONG, __LINE__);
	/* The end of a large block is read first, then its start, then a block_end outside both. */
	expect_order(1024, THREE, 2047, 2048, 3, "cpu/0: block 1: byte 768: " WRONG, __LINE__);
	expect_order(1024, THREE, 1024, 1025, 3, "cpu/0: block 1: byte 0: " WRONG, __LINE__);
	expect_order(1024, THREE, 1055, 1056, 3, "cpu/0: block 1: byte 26: " WRONG, __LINE__);
	expect_order(1024, THREE, 1200, 1201, 3, "", __LINE__);
}

/* A file that is written may become readable: the reader looks again. */
static void test_ends_of_blocks_that_are_written(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;

	hand_add(&hand, "cpu/0", "@100 E120");
	hand_append(&hand, "info/session", "", 0);
	trace = hand_open(&hand);
	make_bad(&hand, "cpu/0", 0, 1);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(last_file(trace)), 1);
	make_good();
	HAND_EXPECT_PROBLEMS(trace, "");
	hand_clear(&hand);
}

/* ---- blocks that are gone ---- */

#define SHORTER "could not read: the file has become shorter since it was opened"

static void truncate_cpu_0(const HandTrace *hand, off_t size)
{
	g_autofree char *path = g_build_filename(hand->path, "cpu/0", NULL);

	CU_ASSERT_EQUAL(truncate(path, size), 0);
}

/* Reads a trace with two used blocks in cpu/0, and two allocated ones, that is trimmed to a size after
 * it was opened. */
static void expect_trimmed(gboolean is_live, gboolean is_open, off_t size, const char *expected,
			   int line)
{
	static const guint8 unused[2 * BLOCK];
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *got = NULL;

	hand_add(&hand, "cpu/0", "@1000#0 E1020");
	hand_add(&hand, "cpu/0", "@1030#1 E1050");
	hand_append(&hand, "cpu/0", unused, sizeof(unused));
	if (is_live)
		hand_append(&hand, "info/session", "", 0);
	trace = hand_open(&hand);
	if (!is_open)
		ltt_stored_file_close(&last_file(trace)->file);
	truncate_cpu_0(&hand, size);
	got = hand_read(trace);
	unit_assert_text(strstr(got, "cpu/0@"), expected, __FILE__, line);
	hand_clear(&hand);
}

#define TWO                                                                                        \
	"cpu/0@1000 block_start\ncpu/0@1020 block_end\n"                                           \
	"cpu/0@1030 block_start\ncpu/0@1050 block_end\n"

/* The end of a recording trims blocks that were allocated and not used. */
static void test_blocks_that_are_trimmed(void)
{
	expect_trimmed(TRUE, TRUE, 2 * BLOCK, TWO, __LINE__);
	expect_trimmed(TRUE, TRUE, 3 * BLOCK, TWO, __LINE__);
	expect_trimmed(TRUE, FALSE, 2 * BLOCK, TWO, __LINE__);
	/* It does not cut a block. */
	expect_trimmed(TRUE, TRUE, 3 * BLOCK - 1,
		       TWO "! cpu/0: block 2: byte 92: " SHORTER "\n"
			   "! cpu/0: block 3: byte 92: " SHORTER "\n",
		       __LINE__);
	expect_trimmed(FALSE, TRUE, 2 * BLOCK,
		       TWO "! cpu/0: block 2: byte 0: " SHORTER "\n"
			   "! cpu/0: block 3: byte 0: " SHORTER "\n",
		       __LINE__);
}

/* A block with events is not trimmed. */
static void test_a_used_block_that_is_gone(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *got = NULL;

	hand_add(&hand, "cpu/0", "@1000#0 E1020");
	hand_add(&hand, "cpu/0", "@1030#1 E1050");
	hand_append(&hand, "info/session", "", 0);
	trace = hand_open(&hand);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(last_file(trace)), 2);
	truncate_cpu_0(&hand, BLOCK);
	got = hand_read(trace);
	UNIT_ASSERT_TEXT(strstr(got, "cpu/0@"), "cpu/0@1000 block_start\ncpu/0@1020 block_end\n"
						"! cpu/0: block 1: byte 92: " SHORTER "\n");
	hand_clear(&hand);
}

/* A file without used blocks is removed. */
static void test_a_file_that_is_removed(void)
{
	static const guint8 unused[2 * BLOCK];
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autofree char *path = g_build_filename(hand.path, "cpu/0", NULL);
	g_autoptr(LttTrace) trace = NULL;

	hand_append(&hand, "cpu/0", unused, sizeof(unused));
	hand_append(&hand, "info/session", "", 0);
	trace = hand_open(&hand);
	ltt_stored_file_close(&last_file(trace)->file); /* as in a trace of many files */
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(last_file(trace)), 0);
	HAND_EXPECT_PROBLEMS(trace, "");
	hand_clear(&hand);
}

/* ---- blocks ---- */

/* The time of the last event of a block, loaded. */
static guint64 load_last_ns(LttTracefile *file, guint64 position)
{
	guint64 last_ns = 0;
	LttBlock block;

	ltt_block_init(&block);
	CU_ASSERT_TRUE(ltt_block_load(&block, file, position, NULL));
	CU_ASSERT_TRUE_FATAL(block.n_events > 0);
	last_ns = block.times_ns[block.n_events - 1];
	ltt_block_clear(&block);
	return last_ns;
}

/* A block that is written is read in two steps, of which each may fail. */
static void test_blocks_that_are_written(void)
{
	static const struct {
		off_t from;
		const char *message;
	} cases[] = {{2 * BLOCK - 1, "cpu/0: block 1: byte 92: " UNREAD},
		     {BLOCK, "cpu/0: block 1: byte 0: " UNREAD}};
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	LttBlock block;

	hand_add(&hand, "cpu/0", "@100#0 E120");
	hand_add(&hand, "cpu/0", "@130#1 N140 E150");
	hand_append(&hand, "info/session", "", 0);
	trace = hand_open(&hand);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(last_file(trace)), 2);
	ltt_block_init(&block);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		make_bad(&hand, "cpu/0", cases[i].from, cases[i].from + 1);
		CU_ASSERT_FALSE(ltt_block_load(&block, last_file(trace), 1, &error));
		make_good();
		UNIT_ASSERT_ERROR(error, LTT_ERROR_IO, cases[i].message);
		CU_ASSERT_EQUAL(block.n_events, 0);
		CU_ASSERT_TRUE(ltt_block_load(&block, last_file(trace), 1, NULL));
		CU_ASSERT_EQUAL(block.n_events, 3);
	}
	ltt_block_clear(&block);
	hand_clear(&hand);
}

/* A block that could not be read is passed over, and so is a damaged one after it, but not more. */
static void test_a_failed_read_and_damage(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *got = NULL;

	hand_add(&hand, "cpu/0", "@100#0 E120");
	hand_add(&hand, "cpu/0", "@200#1 E220");
	hand_add(&hand, "cpu/0", "@300#2 N310 X320:99: E330");
	hand_add(&hand, "cpu/0", "@400#3 E420");
	hand_add(&hand, "cpu/0", "@500#4 E520");
	trace = hand_open(&hand);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(last_file(trace)), 5);
	make_bad(&hand, "cpu/0", BLOCK, BLOCK + 1);
	got = hand_read(trace);
	make_good();
	UNIT_ASSERT_TEXT(strstr(got, "cpu/0@"),
			 "cpu/0@100 block_start\ncpu/0@120 block_end\n"
			 "! cpu/0: block 1: byte 0: " UNREAD "\n"
			 "cpu/0@300 block_start\ncpu/0@310 none\n"
			 "! cpu/0: block 2: byte 32: event id 99: no loaded facility covers it\n"
			 "cpu/0@400 block_start\ncpu/0@420 block_end\n"
			 "cpu/0@500 block_start\ncpu/0@520 block_end\n");
	hand_clear(&hand);
}

/* The rate of an open block is that of an earlier one, which cannot be read. It is read once. */
static void test_the_block_that_gives_the_rate(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	LttTracefile *file;

	hand_add(&hand, "cpu/0", "@100=1000#0 E200=1200");
	hand_add(&hand, "cpu/0", "@300=1400#1 N350");
	trace = hand_open(&hand);
	file = last_file(trace);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(file), 2);
	make_bad(&hand, "cpu/0", 0, 1);
	CU_ASSERT_EQUAL(load_last_ns(file, 1), 1450);
	CU_ASSERT_EQUAL(load_last_ns(file, 1), 1450);
	make_good();
	HAND_EXPECT_PROBLEMS(trace, "cpu/0: block 0: byte 0: " UNREAD "\n");
	hand_clear(&hand);
}

/* The times of open blocks are not known without their events. */
static void test_the_summary_of_an_open_block(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	const LttTracefileSummary *summary;
	LttTracefile *file;

	hand_add(&hand, "cpu/0", "@100#0 E120");
	hand_add(&hand, "cpu/0", "@130#1 N150");
	trace = hand_open(&hand);
	file = last_file(trace);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(file), 2);
	make_bad(&hand, "cpu/0", BLOCK, BLOCK + 1);
	summary = ltt_tracefile_get_summary(file);
	make_good();
	CU_ASSERT_TRUE(summary->first_ns == 100 && summary->last_ns == 120);
	CU_ASSERT_EQUAL(summary->n_open_blocks, 0);
	HAND_EXPECT_PROBLEMS(trace, "cpu/0: block 1: byte 0: " UNREAD "\n");
	/* It is not read again. */
	ltt_tracefile_get_summary(file);
	CU_ASSERT_EQUAL(ltt_trace_get_n_problems(trace), 1);
	hand_clear(&hand);
}

/* ---- loads and names ---- */

static void test_the_file_of_loads(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, 512, NULL);
	g_autoptr(LttTrace) trace = NULL;

	make_bad(&hand, "control/facilities", 0, 1);
	trace = hand_open(&hand);
	make_good();
	CU_ASSERT_EQUAL(ltt_trace_get_n_loads(trace), 1);
	HAND_EXPECT_PROBLEMS(trace, "control/facilities: block 0: byte 0: " WRONG
				    "control/facilities: block 0: byte 0: " UNREAD "\n");
	hand_clear(&hand);
}

/* A load that a file has for itself cannot be read. */
static void test_local_loads(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	LttTracefile *file;
	LttBlock block;

	hand_add(&hand, "cpu/0", "@100#0 E120");
	hand_add(&hand, "cpu/0", "@130#1 H135 N140 X150:30: E160");
	trace = hand_open(&hand);
	file = last_file(trace);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(file), 2);
	make_bad(&hand, "cpu/0", 0, 1);
	ltt_block_init(&block);
	CU_ASSERT_TRUE(ltt_block_load(&block, file, 1, NULL));
	CU_ASSERT_EQUAL(block.n_events, 3);
	UNIT_ASSERT_TEXT(block.damage, "event id 30: no loaded facility covers it");
	ltt_block_clear(&block);
	make_good();
	HAND_EXPECT_PROBLEMS(trace, "cpu/0: block 0: byte 0: " UNREAD "\n");
	hand_clear(&hand);
}

/* threads.name of the thread 2 of the process 1: "a" in the first block, "b" in the second. */
static void test_names_of_threads(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL);
	g_autoptr(LttTrace) trace = NULL;
	const LttThreadNames *names;
	LttNameSpan span;
	LttEvent event = {.has_thread = TRUE, .pid = 1, .tid = 2, .time_ns = 500};

	hand_add(&hand, "control/processes", "@100#0 X110:13:01000000020000006100 E120");
	hand_add(&hand, "control/processes", "@200#1 X210:13:01000000020000006200 E220");
	trace = hand_open(&hand);
	event.tracefile = last_file(trace);
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(last_file(trace)), 2);
	make_bad(&hand, "control/processes", BLOCK, BLOCK + 1);
	names = ltt_trace_get_thread_names(trace);
	make_good();
	ltt_thread_names_find(names, &event, &span);
	UNIT_ASSERT_TEXT(span.name, "a");
	HAND_EXPECT_PROBLEMS(trace, "control/processes: block 1: byte 0: " UNREAD "\n");
	hand_clear(&hand);
}

UNIT_MAIN("failing-reads", UNIT(test_ends_of_blocks), UNIT(test_ends_of_blocks_that_are_written),
	  UNIT(test_blocks_that_are_trimmed), UNIT(test_a_used_block_that_is_gone),
	  UNIT(test_a_file_that_is_removed), UNIT(test_blocks_that_are_written),
	  UNIT(test_a_failed_read_and_damage), UNIT(test_the_block_that_gives_the_rate),
	  UNIT(test_the_summary_of_an_open_block), UNIT(test_the_file_of_loads),
	  UNIT(test_local_loads), UNIT(test_names_of_threads))
