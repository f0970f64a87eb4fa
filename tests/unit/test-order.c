/* The order of the blocks of a file, and searching a window: small files, large ones that are
 * sampled, flight recorders, unused ends, and cases in which sampling fails. */
#include "unit.h"

#include "base/bytes-priv.h"
#include "model/ondisk-priv.h"
#include "reader/ends-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-time.h>

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES 96
#define STEP_NS     1000

/* A file of blocks with only block_start and block_end; a block begins at time id * STEP_NS. */
typedef struct Made {
	GByteArray *bytes;
} Made;

static void put_end(guint8 *at, guint16 id, guint64 time_ns, guint32 block_id)
{
	ltt_store_u16(at, id, LTT_LITTLE_ENDIAN);
	ltt_store_u32(at + 2, 0, LTT_LITTLE_ENDIAN);
	ltt_store_u32(at + 6, (guint32)(time_ns / LTT_NS_PER_S), LTT_LITTLE_ENDIAN);
	ltt_store_u32(at + 10, (guint32)(time_ns % LTT_NS_PER_S), LTT_LITTLE_ENDIAN);
	ltt_store_u64(at + 14, time_ns, LTT_LITTLE_ENDIAN);
	ltt_store_u32(at + 22, block_id, LTT_LITTLE_ENDIAN);
}

static void add_block_at(Made *made, guint32 block_id, guint64 time_ns)
{
	guint8 block[BLOCK_BYTES] = {0};

	put_end(block, LTT_ID_BLOCK_START, time_ns, block_id);
	put_end(block + 26, LTT_ID_BLOCK_END, time_ns + STEP_NS / 2, block_id);
	ltt_store_u32(block + BLOCK_BYTES - 4, 26, LTT_LITTLE_ENDIAN);
	g_byte_array_append(made->bytes, block, sizeof(block));
}

static void add_block(Made *made, guint32 block_id)
{
	add_block_at(made, block_id, (guint64)block_id * STEP_NS);
}

static void add_unused(Made *made, guint n_blocks)
{
	const guint8 block[BLOCK_BYTES] = {0};

	for (guint i = 0; i < n_blocks; i++)
		g_byte_array_append(made->bytes, block, sizeof(block));
}

/* Writes a trace with the generated file as cpu/0. Returns: (transfer full): the open trace */
static LttTrace *open_made(Made *made, const char *name)
{
	static const char system[] =
		"<system cpu=\"1\" arch_size=\"LP64\" endian=\"little\" ltt_major_version=\"2\" "
		"ltt_minor_version=\"0\" ltt_block_size=\"96\"></system>\n";
	g_autofree char *path = unit_temp_path(name);
	g_autofree char *info = g_build_filename(path, "info", NULL);
	g_autofree char *cpu = g_build_filename(path, "cpu", NULL);
	g_autofree char *control = g_build_filename(path, "control", NULL);
	g_autofree char *system_path = g_build_filename(info, "system.xml", NULL);
	g_autofree char *cpu_path = g_build_filename(cpu, "0", NULL);
	g_autofree char *loads_path = g_build_filename(control, "facilities", NULL);
	g_autoptr(GError) error = NULL;
	LttTrace *trace;

	g_mkdir_with_parents(info, 0700);
	g_mkdir_with_parents(cpu, 0700);
	g_mkdir_with_parents(control, 0700);
	g_file_set_contents(system_path, system, -1, NULL);
	g_file_set_contents(loads_path, "", 0, NULL);
	g_file_set_contents(cpu_path, (const char *)made->bytes->data, made->bytes->len, NULL);
	g_byte_array_unref(made->bytes);
	trace = ltt_trace_open(path, &error);
	UNIT_ASSERT_OK(trace != NULL, error);
	return trace;
}

static LttTracefile *cpu0(LttTrace *trace)
{
	return ltt_trace_get_tracefile(trace, 1);
}

static Made made_new(void)
{
	return (Made){.bytes = g_byte_array_new()};
}

static void assert_window(LttTrace *trace, guint64 from_ns, guint64 to_ns, guint64 first,
			  guint64 end)
{
	guint64 got_first;
	guint64 got_end;

	ltt_tracefile_find_window(cpu0(trace), from_ns, to_ns, &got_first, &got_end);
	CU_ASSERT_EQUAL(got_first, first);
	CU_ASSERT_EQUAL(got_end, end);
}

static void test_ids_rule_and_unused_blocks_are_skipped(void)
{
	static const guint64 expected[] = {3, 4, 0, 2};
	Made made = made_new();
	g_autoptr(LttTrace) trace = NULL;

	add_block(&made, 7);
	add_unused(&made, 1);
	add_block(&made, 9);
	add_block(&made, 5);
	add_block(&made, 6);
	trace = open_made(&made, "skipped");
	CU_ASSERT_EQUAL_FATAL(ltt_tracefile_get_n_ordered(cpu0(trace)), 4);
	for (guint i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(ltt_tracefile_get_ordered(cpu0(trace), i), expected[i]);
	CU_ASSERT_PTR_NOT_NULL(cpu0(trace)->order.places);
}

static void test_ids_wrap_at_32_bits(void)
{
	Made made = made_new();
	g_autoptr(LttTrace) trace = NULL;

	add_block_at(&made, 0, 300);
	add_block_at(&made, 1, 400);
	add_block_at(&made, 0xfffffffe, 100);
	add_block_at(&made, 0xffffffff, 200);
	trace = open_made(&made, "wrap");
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(cpu0(trace)), 4);
	CU_ASSERT_EQUAL(ltt_tracefile_get_ordered(cpu0(trace), 0), 2);
	CU_ASSERT_EQUAL(ltt_tracefile_get_ordered(cpu0(trace), 3), 1);
	CU_ASSERT_PTR_NULL(cpu0(trace)->order.places);
}

static void test_window_of_a_small_file(void)
{
	Made made = made_new();
	g_autoptr(LttTrace) trace = NULL;

	for (guint32 id = 0; id < 10; id++)
		add_block(&made, id);
	trace = open_made(&made, "small");
	/* The block before the first one that begins in the window may extend into it. */
	assert_window(trace, 0, G_MAXUINT64, 0, 10);
	assert_window(trace, 4 * STEP_NS, 6 * STEP_NS, 3, 6);
	assert_window(trace, 4 * STEP_NS + 1, 6 * STEP_NS + 1, 4, 7);
	assert_window(trace, 100 * STEP_NS, 200 * STEP_NS, 9, 10);
	assert_window(trace, 4 * STEP_NS + 1, 4 * STEP_NS + 2, 4, 5);
	CU_ASSERT_EQUAL(cpu0(trace)->order.depth, LTT_ORDER_THOROUGH);
}

static void test_fallen_times_are_read_through(void)
{
	Made made = made_new();
	g_autoptr(LttTrace) trace = NULL;

	for (guint32 id = 0; id < 10; id++)
		add_block_at(&made, id, id == 5 ? 0 : (guint64)id * STEP_NS);
	trace = open_made(&made, "fallen");
	assert_window(trace, 8 * STEP_NS, 9 * STEP_NS, 0, 10);
}

/* A file of 4000 blocks, rotated by @rotation, followed by @n_unused. */
static LttTrace *open_large(guint32 rotation, guint n_unused, const char *name)
{
	Made made = made_new();

	for (guint32 place = 0; place < 4000; place++)
		add_block(&made, 100 + (place + 4000 - rotation) % 4000);
	add_unused(&made, n_unused);
	return open_made(&made, name);
}

static void assert_large(LttTrace *trace, guint32 rotation)
{
	const guint32 places[] = {0, 1, 1999, 3999};

	assert_window(trace, (100 + 3000) * STEP_NS, (100 + 3001) * STEP_NS, 2999, 3001);
	CU_ASSERT_EQUAL(cpu0(trace)->order.depth, LTT_ORDER_SAMPLED);
	CU_ASSERT_EQUAL(cpu0(trace)->order.n_blocks, 4000);
	for (guint i = 0; i < G_N_ELEMENTS(places); i++)
		CU_ASSERT_EQUAL(ltt_tracefile_get_ordered(cpu0(trace), places[i]),
				(places[i] + rotation) % 4000);
}

static void test_large_files_are_sampled(void)
{
	g_autoptr(LttTrace) plain = open_large(0, 0, "plain");
	g_autoptr(LttTrace) turned = open_large(1234, 0, "turned");
	g_autoptr(LttTrace) unused = open_large(0, 777, "unused");

	assert_large(plain, 0);
	assert_large(turned, 1234);
	assert_large(unused, 0);
}

static void test_sampling_gives_way_to_looking_closely(void)
{
	Made made = made_new();
	g_autoptr(LttTrace) trace = NULL;

	for (guint32 place = 0; place < 4000; place++)
		add_block(&made, place + (place >= 2000)); /* one id is missing */
	trace = open_made(&made, "gap");
	assert_window(trace, 3000 * STEP_NS, 3001 * STEP_NS, 2998, 3000);
	CU_ASSERT_EQUAL(cpu0(trace)->order.depth, LTT_ORDER_THOROUGH);
}

/* Reading a whole file examines every block, and so finds a misplaced one. */
static void test_whole_files_are_ordered_thoroughly(void)
{
	Made made = made_new();
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(LttCursor) cursor = NULL;
	g_autoptr(GError) error = NULL;
	const LttEvent *event;
	guint64 last_ns = 0;
	guint n_events = 0;

	for (guint32 place = 0; place < 2000; place++)
		add_block(&made, place == 1001 ? 1002 : place == 1002 ? 1001 : place);
	trace = open_made(&made, "swapped");
	cursor = ltt_cursor_new(cpu0(trace));
	while (ltt_cursor_next(cursor, &event, &error) == LTT_STEP_EVENT) {
		CU_ASSERT_TRUE(event->time_ns >= last_ns);
		last_ns = event->time_ns;
		n_events++;
	}
	UNIT_ASSERT_OK(error == NULL, error);
	CU_ASSERT_EQUAL(n_events, 4000);
}

/* The scan for the order finds the times of complete blocks: they are known without the file. */
static void test_the_span_needs_no_second_scan(void)
{
	g_autofree char *path = NULL;
	Made made = made_new();
	g_autoptr(LttTrace) trace = NULL;
	guint64 start_ns;
	guint64 end_ns;

	add_block(&made, 6);
	add_block(&made, 7);
	add_block(&made, 5);
	trace = open_made(&made, "scanned");
	CU_ASSERT_EQUAL(ltt_tracefile_get_n_ordered(cpu0(trace)), 3);
	path = g_build_filename(ltt_trace_get_path(trace), "cpu", "0", NULL);
	CU_ASSERT_EQUAL_FATAL(truncate(path, 0), 0);
	CU_ASSERT_TRUE_FATAL(ltt_trace_get_span(trace, &start_ns, &end_ns));
	CU_ASSERT_EQUAL(start_ns, 5 * STEP_NS);
	CU_ASSERT_EQUAL(end_ns, 7 * STEP_NS + STEP_NS / 2);
}

static gboolean same_ends(const LttBlockEnds *a, const LttBlockEnds *b)
{
	return a->is_used == b->is_used && a->has_start == b->has_start &&
	       a->block_id == b->block_id && a->start.time_ns == b->start.time_ns &&
	       a->is_complete == b->is_complete && a->end.time_ns == b->end.time_ns;
}

/* Asserts that a scan from each place on finds what single reads find. */
static void assert_scans(const LttTracefile *tracefile)
{
	for (guint64 first = 0; first < tracefile->n_blocks; first++) {
		LttJoint joint = {0};

		for (guint64 place = first; place < tracefile->n_blocks; place++) {
			LttBlockEnds scanned;
			LttBlockEnds read;

			ltt_tracefile_scan_ends(tracefile, place, &joint, &scanned);
			ltt_tracefile_read_ends(tracefile, place, &read);
			CU_ASSERT_TRUE(same_ends(&scanned, &read));
		}
	}
}

/* A scan reads the end of a block together with the start of the next one. The file is then cut short, so that a read
 * of both fails where a read of one succeeds. */
static void test_a_scan_finds_what_single_reads_find(void)
{
	g_autofree char *path = NULL;
	Made made = made_new();
	g_autoptr(LttTrace) trace = NULL;

	add_block(&made, 6);
	add_block(&made, 7);
	made.bytes->data[BLOCK_BYTES] ^= 1;      /* no block_start */
	made.bytes->data[2 * BLOCK_BYTES - 4]++; /* the end of a block 1 byte off */
	add_unused(&made, 1);
	add_block(&made, 5);
	add_block(&made, 9);
	trace = open_made(&made, "scans");
	assert_scans(cpu0(trace));
	path = g_build_filename(ltt_trace_get_path(trace), "cpu", "0", NULL);
	CU_ASSERT_EQUAL_FATAL(truncate(path, 4 * BLOCK_BYTES + 10), 0);
	assert_scans(cpu0(trace));
}

UNIT_MAIN("order", UNIT(test_ids_rule_and_unused_blocks_are_skipped),
	  UNIT(test_ids_wrap_at_32_bits), UNIT(test_window_of_a_small_file),
	  UNIT(test_fallen_times_are_read_through), UNIT(test_large_files_are_sampled),
	  UNIT(test_sampling_gives_way_to_looking_closely),
	  UNIT(test_whole_files_are_ordered_thoroughly), UNIT(test_the_span_needs_no_second_scan),
	  UNIT(test_a_scan_finds_what_single_reads_find))
