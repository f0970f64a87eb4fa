/* What the writer wrote, the reader finds: random facilities and values in traces of every byte
 * order and size, with blocks from the smallest up. Each trace has a seed of its own; a failure
 * tells it, and the trace. */
#include "support-random.h"
#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-writer.h>

#include <string.h>

#define N_FACILITIES 3
#define N_EVENTS     400

static const guint64 block_sizes[] = {96, 97, 128, 250, 1000, 4096, 65536};
static const char *const names[] = {"control/things", "cpu/0", "cpu/1", "cpu/3"};
#define N_FILES G_N_ELEMENTS(names)

/* One event that was accepted. */
typedef struct Expected {
	guint64 cycles;
	char *text; /* name and value */
} Expected;

/* One trace, and what is in it. */
typedef struct Case {
	char *label; /* for messages */
	char *path;
	LttArch arch;
	guint64 block_bytes;
	LttWriterOptions options;
	GRand *random;
	LttFacility *facilities[N_FACILITIES];
	LttLayouts *layouts[N_FACILITIES];
	guint32 base_codes[N_FACILITIES];
	GArray *events[N_FILES]; /* of Expected */
	guint n_accepted;
	guint n_too_large;
} Case;

static void clear_expected(gpointer data)
{
	g_free(((Expected *)data)->text);
}

static void init_case(Case *c, LttArch arch, guint64 block_bytes, guint32 seed)
{
	static guint n_cases;
	g_autofree char *name = g_strdup_printf("roundtrip-%u", n_cases++);

	*c = (Case){.arch = arch, .block_bytes = block_bytes};
	c->label = g_strdup_printf("seed %u, %s, %s-endian, blocks of %" G_GUINT64_FORMAT, seed,
				   ltt_arch_size_name(arch.size),
				   ltt_byte_order_name(arch.byte_order), block_bytes);
	c->path = unit_temp_path(name);
	c->random = g_rand_new_with_seed(seed);
	for (guint i = 0; i < N_FACILITIES; i++) {
		/* Two of one name: two versions. */
		c->facilities[i] = random_facility(c->random, i < 2 ? "same" : "other");
		c->layouts[i] = ltt_layouts_new(c->facilities[i], &arch);
	}
	for (guint i = 0; i < N_FILES; i++) {
		c->events[i] = g_array_new(FALSE, FALSE, sizeof(Expected));
		g_array_set_clear_func(c->events[i], clear_expected);
	}
}

static void clear_case(Case *c)
{
	for (guint i = 0; i < N_FACILITIES; i++) {
		ltt_layouts_free(c->layouts[i]);
		ltt_facility_unref(c->facilities[i]);
	}
	for (guint i = 0; i < N_FILES; i++)
		g_array_unref(c->events[i]);
	g_rand_free(c->random);
	g_free(c->label);
	g_free(c->path);
}

/* Tells the case in front of what differs. */
static void assert_same(const Case *c, const char *got, const char *expected, int line)
{
	g_autofree char *with_label = NULL;

	if (g_strcmp0(got, expected) == 0)
		return;
	with_label = g_strdup_printf("%s (%s)", got, c->label);
	unit_assert_text(with_label, expected, __FILE__, line);
}
#define ASSERT_SAME(c, got, expected) assert_same(c, got, expected, __LINE__)

/* Mostly short; some as long as a delta can be, and longer. */
static guint64 random_delta(GRand *random)
{
	static const guint64 edges[] = {0, 1, G_MAXUINT32, (guint64)G_MAXUINT32 + 1, 40000000000};

	if (g_rand_int_range(random, 0, 16) == 0)
		return edges[g_rand_int_range(random, 0, G_N_ELEMENTS(edges))];
	return (guint64)g_rand_int_range(random, 0, 100000);
}

/* ---- writing ---- */

static void write_event(Case *c, LttTracefileWriter *file, guint number, guint64 cycles,
			LttPayload *payload)
{
	const guint which = (guint)g_rand_int_range(c->random, 0, N_FACILITIES);
	const LttFacility *facility = c->facilities[which];
	const guint index =
		(guint)g_rand_int_range(c->random, 0, (gint32)ltt_facility_get_n_events(facility));
	const LttLayout *layout = ltt_layouts_get(c->layouts[which], index);
	const gsize room = c->block_bytes - 62;
	GString *text = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	Expected expected = {.cycles = cycles};

	g_string_printf(text, "%s/%08x ", ltt_facility_get_event(facility, index)->full_name,
			ltt_facility_get_checksum(facility));
	ltt_payload_reset(payload);
	if (layout != NULL)
		random_value(c->random, layout, payload, text);
	expected.text = g_string_free(text, FALSE);
	if (ltt_tracefile_writer_event(file, cycles, (guint16)(c->base_codes[which] + index),
				       payload->bytes->data, payload->bytes->len, &error)) {
		CU_ASSERT(payload->bytes->len <= room);
		g_array_append_val(c->events[number], expected);
		c->n_accepted++;
		return;
	}
	CU_ASSERT(payload->bytes->len > room);
	UNIT_ASSERT_ERROR(error, LTT_ERROR_LIMIT, "room for");
	clear_expected(&expected);
	c->n_too_large++;
}

static void write_case(Case *c)
{
	g_autoptr(LttSystem) system =
		unit_system_new(c->arch.byte_order, c->arch.size, c->block_bytes);
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTraceWriter) writer =
		ltt_trace_writer_new(c->path, system, &c->options, &error);
	LttTracefileWriter *files[N_FILES];
	guint64 cycles[N_FILES];
	g_auto(LttPayload) payload;

	ltt_payload_init(&payload, &c->arch);
	UNIT_ASSERT_OK(writer != NULL, error);
	for (guint i = 0; i < N_FACILITIES; i++)
		UNIT_ASSERT_OK(
			ltt_trace_writer_load(writer, c->facilities[i], &c->base_codes[i], &error),
			error);
	for (guint i = 0; i < N_FILES; i++) {
		files[i] = ltt_trace_writer_open(writer, names[i], &error);
		UNIT_ASSERT_OK(files[i] != NULL, error);
		cycles[i] = 1000000000000000000 + random_delta(c->random);
	}
	for (guint i = 0; i < N_EVENTS; i++) {
		const guint number = (guint)g_rand_int_range(c->random, 0, N_FILES);

		cycles[number] += random_delta(c->random);
		write_event(c, files[number], number, cycles[number], &payload);
	}
	UNIT_ASSERT_OK(ltt_trace_writer_close(writer, &error), error);
}

/* ---- reading ---- */

static void fail_on_problem(const LttProblem *problem, gpointer user_data)
{
	const Case *c = user_data;
	g_autofree char *text = ltt_problem_to_string(problem);

	ASSERT_SAME(c, text, "no problem");
}

/* What the line of the options says, to the nanosecond of rounding between two time values. */
static gboolean is_time_of(const Case *c, guint64 time_ns, guint64 cycles)
{
	const LttLine *line = &c->options.line;
	unsigned __int128 product;
	guint64 exact;

	if (line->dc_cycles == 0)
		return time_ns == cycles;
	product = (unsigned __int128)(cycles - line->cycles) * line->dt_ns;
	exact = line->time_ns + (guint64)(product / line->dc_cycles);
	return time_ns == exact || time_ns + 1 == exact;
}

static void compare_event(const Case *c, const LttEvent *event, const Expected *expected)
{
	g_autoptr(GString) got = g_string_new(NULL);
	LttValue value;
	guint n_wrong = 0;

	g_string_printf(got, "%s/%08x ", event->type->full_name,
			ltt_facility_get_checksum(event->type->facility));
	if (ltt_event_get_value(event, &value))
		describe_value(&value, got, &n_wrong);
	ASSERT_SAME(c, got->str, expected->text);
	CU_ASSERT_EQUAL(n_wrong, 0);
	CU_ASSERT_EQUAL(event->cycles, expected->cycles);
	CU_ASSERT(is_time_of(c, event->time_ns, expected->cycles));
}

static guint file_number(const LttEvent *event)
{
	guint number = 0;

	while (number < N_FILES &&
	       !g_str_equal(names[number], ltt_tracefile_get_name(event->tracefile)))
		number++;
	return number;
}

static void read_case(Case *c)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTrace) trace = ltt_trace_open(c->path, &error);
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;
	LttCheckSummary summary;
	guint n_read[N_FILES] = {0};
	guint64 last_ns = 0;
	LttStep step;

	UNIT_ASSERT_OK(trace != NULL, error);
	ltt_trace_check(trace, fail_on_problem, c, &summary);
	CU_ASSERT_EQUAL(summary.n_problems, 0);
	CU_ASSERT_EQUAL(summary.n_open_blocks, 0);
	CU_ASSERT_EQUAL(summary.n_events, c->n_accepted);

	merge = ltt_merge_new(trace, NULL);
	while ((step = ltt_merge_next(merge, &event, &error)) == LTT_STEP_EVENT) {
		guint number = file_number(event);

		CU_ASSERT(event->time_ns >= last_ns);
		last_ns = event->time_ns;
		if (ltt_event_is_hidden(event))
			continue;
		CU_ASSERT_FATAL(number < N_FILES && n_read[number] < c->events[number]->len);
		compare_event(c, event,
			      &g_array_index(c->events[number], Expected, n_read[number]));
		n_read[number]++;
	}
	UNIT_ASSERT_OK(step == LTT_STEP_END, error);
	for (guint i = 0; i < N_FILES; i++)
		CU_ASSERT_EQUAL(n_read[i], c->events[i]->len);
}

/* ---- the tests ---- */

static void test_every_architecture_and_block_size(void)
{
	guint32 seed = 1;
	guint n_accepted = 0;
	guint n_too_large = 0;

	for (guint arch = 0; arch < 2 * LTT_N_ARCH_SIZES; arch++) {
		for (guint i = 0; i < G_N_ELEMENTS(block_sizes); i++, seed++) {
			Case c;

			init_case(&c, (LttArch){(LttByteOrder)(arch % 2), (LttArchSize)(arch / 2)},
				  block_sizes[i], seed);
			write_case(&c);
			read_case(&c);
			n_accepted += c.n_accepted;
			n_too_large += c.n_too_large;
			clear_case(&c);
		}
	}
	/* The seeds are given, so this says that the test is worth something. */
	CU_ASSERT(n_accepted > 15000);
	CU_ASSERT(n_too_large > 300);
}

/* Counters that do not count nanoseconds, heartbeats at every turn. */
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
			Case c;

			init_case(&c, ltt_arch_native(), 500, 1000 + i);
			c.options = (LttWriterOptions){heartbeat_ns, lines[i]};
			write_case(&c);
			read_case(&c);
			clear_case(&c);
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

/* The bytes depend on the calls alone. */
static void test_the_same_calls_make_the_same_bytes(void)
{
	static const char *const files[] = {
		"control/facilities", "control/things", "cpu/0", "cpu/1", "cpu/3",
		"info/system.xml"};
	Case first;
	Case second;

	init_case(&first, ltt_arch_native(), 1000, 77);
	init_case(&second, ltt_arch_native(), 1000, 77);
	write_case(&first);
	write_case(&second);
	for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autoptr(GByteArray) one = unit_file_bytes(first.path, files[i]);
		g_autoptr(GByteArray) two = unit_file_bytes(second.path, files[i]);

		CU_ASSERT_FATAL(one != NULL && two != NULL);
		CU_ASSERT(one->len > 0 && one->len == two->len &&
			  memcmp(one->data, two->data, one->len) == 0);
	}
	clear_case(&first);
	clear_case(&second);
}

UNIT_MAIN("roundtrip", UNIT(test_every_architecture_and_block_size),
	  UNIT(test_lines_of_every_slope), UNIT(test_facilities_through_xml),
	  UNIT(test_the_same_calls_make_the_same_bytes))
