/* The reader returns what the writer wrote: random facilities and values in traces of every byte
 * order and size, with blocks of all sizes. A failure prints the seed of its trace.
 *
 * LTT_KEEP_TRACES=DIR in the environment keeps the traces in DIR, to compare other readers. */
#include "support-random-trace.h"
#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-writer.h>

#include <string.h>

/* Prints the case before the difference. */
static void assert_same(const RandomTrace *random, const char *got, const char *expected, int line)
{
	g_autofree char *with_label = NULL;

	if (g_strcmp0(got, expected) == 0)
		return;
	with_label = g_strdup_printf("%s (%s)", got, random->label);
	unit_assert_text(with_label, expected, __FILE__, line);
}
#define ASSERT_SAME(random, got, expected) assert_same(random, got, expected, __LINE__)

/* Returns: the path of the trace */
static char *new_path(void)
{
	static guint n_traces;
	const char *kept = g_getenv("LTT_KEEP_TRACES");
	g_autofree char *name = g_strdup_printf("roundtrip-%u", n_traces++);

	return kept != NULL ? g_build_filename(kept, name, NULL) : unit_temp_path(name);
}

/* ---- reading ---- */

static void fail_on_problem(const LttProblem *problem, gpointer user_data)
{
	const RandomTrace *random = user_data;
	g_autofree char *text = ltt_problem_to_string(problem);

	ASSERT_SAME(random, text, "no problem");
}

/* The line from the options, with a tolerance of a nanosecond for rounding. */
static gboolean is_time_of(const RandomTrace *random, guint64 time_ns, guint64 cycles)
{
	const LttLine *line = &random->options.line;
	unsigned __int128 product;
	guint64 exact;

	if (line->dc_cycles == 0)
		return time_ns == cycles;
	product = (unsigned __int128)(cycles - line->cycles) * line->dt_ns;
	exact = line->time_ns + (guint64)(product / line->dc_cycles);
	return time_ns == exact || time_ns + 1 == exact;
}

static void compare_event(const RandomTrace *random, const LttEvent *event,
			  const RandomEvent *expected)
{
	g_autoptr(GString) got = g_string_new(NULL);
	LttValue value;
	guint n_wrong = 0;

	g_string_printf(got, "%s/%08x ", event->type->full_name,
			ltt_facility_get_checksum(event->type->facility));
	if (ltt_event_get_value(event, &value))
		describe_value(&value, got, &n_wrong);
	ASSERT_SAME(random, got->str, expected->text);
	CU_ASSERT_EQUAL(n_wrong, 0);
	CU_ASSERT_EQUAL(event->cycles, expected->cycles);
	CU_ASSERT(is_time_of(random, event->time_ns, expected->cycles));
}

static guint file_number(const LttEvent *event)
{
	guint number = 0;

	while (number < RANDOM_N_FILES &&
	       !g_str_equal(random_file_names[number], ltt_tracefile_get_name(event->tracefile)))
		number++;
	return number;
}

static void read_trace(RandomTrace *random, const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTrace) trace = ltt_trace_open(path, &error);
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;
	LttCheckRequest request = {
		.callbacks = {.on_problem = fail_on_problem, .user_data = random}};
	LttCheckSummary summary;
	guint n_read[RANDOM_N_FILES] = {0};
	guint64 last_ns = 0;
	LttStep step;

	UNIT_ASSERT_OK(trace != NULL, error);
	request.trace = trace;
	UNIT_ASSERT_OK(ltt_check(&request, &summary, &error), error);
	CU_ASSERT_EQUAL(summary.n_problems, 0);
	CU_ASSERT_EQUAL(summary.n_open_blocks, 0);
	CU_ASSERT_EQUAL(summary.n_events, random->n_accepted);

	merge = ltt_merge_new(trace, NULL);
	while ((step = ltt_merge_next(merge, &event, &error)) == LTT_STEP_EVENT) {
		guint number = file_number(event);

		CU_ASSERT(event->time_ns >= last_ns);
		last_ns = event->time_ns;
		if (ltt_event_is_hidden(event))
			continue;
		CU_ASSERT_FATAL(number < RANDOM_N_FILES &&
				n_read[number] < random->events[number]->len);
		compare_event(random, event,
			      &g_array_index(random->events[number], RandomEvent, n_read[number]));
		n_read[number]++;
	}
	UNIT_ASSERT_OK(step == LTT_STEP_END, error);
	for (guint i = 0; i < RANDOM_N_FILES; i++)
		CU_ASSERT_EQUAL(n_read[i], random->events[i]->len);
}

/* ---- the tests ---- */

/* Writes and reads. */
static void run(RandomTrace *random)
{
	g_autofree char *path = new_path();

	random_trace_write(random, path);
	read_trace(random, path);
}

static void test_every_architecture_and_block_size(void)
{
	static const guint64 block_sizes[] = {96, 97, 128, 250, 1000, 4096, 65536};
	guint32 seed = 1;
	guint n_accepted = 0;
	guint n_too_large = 0;

	for (guint i = 0; i < 2 * LTT_N_ARCH_SIZES; i++) {
		const LttArch arch = {(LttByteOrder)(i % 2), (LttArchSize)(i / 2)};

		for (guint j = 0; j < G_N_ELEMENTS(block_sizes); j++) {
			RandomTrace random;

			random_trace_init(&random, arch, block_sizes[j], seed++);
			run(&random);
			n_accepted += random.n_accepted;
			n_too_large += random.n_too_large;
			random_trace_clear(&random);
		}
	}
	/* The seeds are constant, so this shows that the test covers the cases. */
	CU_ASSERT(n_accepted > 15000);
	CU_ASSERT(n_too_large > 300);
}

/* Counters of other frequencies, with frequent heartbeats. */
static void test_lines_of_every_slope(void)
{
	static const LttLine lines[] = {
		{999999999999999999, 1050000000000000000, 1, 3},
		{1000000000000000000, 1050000000000000000, 1000000007, 2399999993},
		{0, 0, 3, 1},
		{1000000000000000000, 5, G_MAXUINT64, G_MAXUINT64 - 1},
		{17, 23, 1000000, G_MAXUINT32},
	};

	for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
		for (guint64 heartbeat_ns = 1; heartbeat_ns <= 1000000; heartbeat_ns *= 1000) {
			RandomTrace random;

			random_trace_init(&random, ltt_arch_native(), 500, 1000 + i);
			random.options = (LttWriterOptions){heartbeat_ns, lines[i]};
			run(&random);
			random_trace_clear(&random);
		}
	}
}

static void test_facilities_through_xml(void)
{
	for (guint32 seed = 1; seed <= 300; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		g_autoptr(LttFacility) facility = random_facility(random, "same");
		g_autofree char *text = ltt_eventdefs_print(facility);
		g_autoptr(GPtrArray) remarks =
			g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
		g_autoptr(GPtrArray) read = ltt_eventdefs_parse(text, strlen(text), remarks);
		g_autofree char *again = NULL;

		CU_ASSERT_EQUAL(remarks->len, 0);
		CU_ASSERT_EQUAL_FATAL(read->len, 1);
		UNIT_ASSERT_TEXT(ltt_facility_get_canonical(read->pdata[0]),
				 ltt_facility_get_canonical(facility));
		CU_ASSERT_EQUAL(ltt_facility_get_checksum(read->pdata[0]),
				ltt_facility_get_checksum(facility));
		again = ltt_eventdefs_print(read->pdata[0]);
		UNIT_ASSERT_TEXT(again, text);
	}
}

/* The bytes depend on the calls only. */
static void test_the_same_calls_make_the_same_bytes(void)
{
	static const char *const files[] = {
		"control/facilities", "control/things", "cpu/0", "cpu/1", "cpu/3",
		"info/system.xml"};
	char *paths[2];

	for (guint i = 0; i < 2; i++) {
		RandomTrace random;

		paths[i] = new_path();
		random_trace_init(&random, ltt_arch_native(), 1000, 77);
		random_trace_write(&random, paths[i]);
		random_trace_clear(&random);
	}
	for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autoptr(GByteArray) one = unit_file_bytes(paths[0], files[i]);
		g_autoptr(GByteArray) two = unit_file_bytes(paths[1], files[i]);

		CU_ASSERT_FATAL(one != NULL && two != NULL);
		CU_ASSERT(one->len > 0 && one->len == two->len &&
			  memcmp(one->data, two->data, one->len) == 0);
	}
	g_free(paths[0]);
	g_free(paths[1]);
}

UNIT_MAIN("roundtrip", UNIT(test_every_architecture_and_block_size),
	  UNIT(test_lines_of_every_slope), UNIT(test_facilities_through_xml),
	  UNIT(test_the_same_calls_make_the_same_bytes))
