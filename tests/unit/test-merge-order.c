/* The order of a merge, compared with a simple one: many files, busy and idle, equal times,
 * decreasing times, windows, damaged blocks. */
#include "unit.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-writer.h>

#include <string.h>

#define N_TRACES    60
#define MAX_FILES   24
#define BLOCK_BYTES 4096
#define START_NS    G_GUINT64_CONSTANT(1050000000000000000)
#define FINAL_BYTES 4

static const char description[] = "<facility name=\"f\"><event name=\"e\"><struct>"
				  "<field name=\"n\"><uint size=\"2\"/></field>"
				  "</struct></event></facility>";

/* ---- traces ---- */

/* The times of the events of a file. */
typedef struct FilePlan {
	guint n_events;
	gint32 most_between_ns; /* 0: all equal */
	guint one_fall_in;      /* times decrease every this many events; 0: never */
} FilePlan;

/* A busy file, an idle file, or any other. */
static FilePlan choose_plan(GRand *random)
{
	static const FilePlan plans[] = {
		{4000, 10, 0}, {4000, 10, 0}, {1, 20000, 0},   {5, 20000, 0},  {60, 1500, 0},
		{300, 0, 0},   {900, 60, 0},  {2000, 20, 300}, {400, 100, 20}, {50, 500, 2},
	};

	return plans[g_rand_int_range(random, 0, G_N_ELEMENTS(plans))];
}

static void write_file(LttTracefileWriter *file, const FilePlan *plan, guint16 id, GRand *random)
{
	const guint64 n_to_other_files = (guint64)g_rand_int_range(random, 0, 20000);
	guint64 cycles = START_NS + (plan->n_events < 100 ? n_to_other_files : 0);
	guint64 time_ns = cycles;
	guint8 payload[2] = {0, 0};

	for (guint i = 0; i < plan->n_events; i++) {
		const guint64 step =
			(guint64)g_rand_int_range(random, 0, plan->most_between_ns + 1);
		g_autoptr(GError) error = NULL;

		cycles += step;
		time_ns += step;
		if (plan->one_fall_in != 0 &&
		    g_rand_int_range(random, 0, (gint32)plan->one_fall_in) == 0) {
			time_ns -= (guint64)g_rand_int_range(random, 0, 5000);
			UNIT_ASSERT_OK(
				ltt_tracefile_writer_time_value(file, cycles, time_ns, &error),
				error);
		}
		UNIT_ASSERT_OK(ltt_tracefile_writer_event(file, cycles, id, payload,
							  sizeof(payload), &error),
			       error);
	}
}

static void write_trace(const char *path, GRand *random)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities =
		ltt_eventdefs_parse(description, sizeof(description) - 1, remarks);
	g_autoptr(LttSystem) system = ltt_system_new_local(BLOCK_BYTES);
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTraceWriter) writer = NULL;
	const gint32 n_files = g_rand_int_range(random, 1, MAX_FILES);
	guint32 id;

	ltt_system_set(system, "cpu", G_STRINGIFY(MAX_FILES));
	UNIT_ASSERT_OK(ltt_system_seal(system, &error), error);
	writer = ltt_trace_writer_new(path, system, NULL, &error);
	UNIT_ASSERT_OK(writer != NULL, error);
	UNIT_ASSERT_OK(ltt_trace_writer_load(writer, facilities->pdata[0], &id, &error), error);
	for (gint32 i = 0; i < n_files; i++) {
		const gboolean is_control = g_rand_int_range(random, 0, 3) == 0;
		g_autofree char *name =
			g_strdup_printf(is_control ? "control/file-%d" : "cpu/%d", i);
		const FilePlan plan = choose_plan(random);
		LttTracefileWriter *file = ltt_trace_writer_open(writer, name, &error);

		UNIT_ASSERT_OK(file != NULL, error);
		write_file(file, &plan, (guint16)id, random);
	}
	UNIT_ASSERT_OK(ltt_trace_writer_close(writer, &error), error);
}

/* Damages the final word of some blocks of a file. */
static void damage_file(const char *path, GRand *random)
{
	g_autofree char *bytes = NULL;
	gsize size;

	if (!g_file_get_contents(path, &bytes, &size, NULL))
		return;
	for (gsize end = BLOCK_BYTES; end <= size; end += BLOCK_BYTES) {
		if (g_rand_int_range(random, 0, 4) == 0)
			memset(bytes + end - FINAL_BYTES, 0xff, FINAL_BYTES);
	}
	CU_ASSERT_TRUE(g_file_set_contents(path, bytes, (gssize)size, NULL));
}

static void damage_trace(const char *path, GRand *random)
{
	static const char *const folders[] = {"cpu", "control"};

	for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *folder = g_build_filename(path, folders[i], NULL);
		g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
		const char *name;

		while (files != NULL && (name = g_dir_read_name(files)) != NULL) {
			g_autofree char *file = g_build_filename(folder, name, NULL);

			if (!g_str_equal(name, "facilities") && g_rand_boolean(random))
				damage_file(file, random);
		}
	}
}

/* ---- a naive merge ---- */

/* The result of a step: an event or an error. */
typedef struct Step {
	guint64 time_ns;
	const LttTracefile *tracefile; /* NULL: an error */
	guint64 block;
	guint32 offset_bytes;
	char *message; /* this */
} Step;

static void clear_step(gpointer step)
{
	g_free(((Step *)step)->message);
}

static GArray *new_steps(void)
{
	GArray *steps = g_array_new(FALSE, FALSE, sizeof(Step));

	g_array_set_clear_func(steps, clear_step);
	return steps;
}

static void add_event(GArray *steps, const LttEvent *event)
{
	const Step step = {event->time_ns, event->tracefile, event->block, event->offset_bytes,
			   NULL};

	g_array_append_val(steps, step);
}

static void add_error(GArray *steps, const GError *error)
{
	const Step step = {.message = g_strdup(error->message)};

	g_array_append_val(steps, step);
}

/* Steps a cursor to its next event, and records errors. Returns: NULL at the end */
static const LttEvent *step_cursor(LttCursor *cursor, GArray *steps)
{
	const LttEvent *event;

	for (;;) {
		g_autoptr(GError) error = NULL;

		switch (ltt_cursor_next(cursor, &event, &error)) {
		case LTT_STEP_EVENT:
			return event;
		case LTT_STEP_END:
			return NULL;
		default:
			add_error(steps, error);
			ltt_cursor_skip_block(cursor);
			break;
		}
	}
}

/* Compares the heads of all files for each event. */
static GArray *merge_naively(LttTrace *trace, LttSelect *select)
{
	const guint n_files = ltt_trace_get_n_tracefiles(trace);
	g_autofree const LttEvent **heads = g_new0(const LttEvent *, n_files);
	g_autoptr(GPtrArray) cursors =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_cursor_free);
	GArray *steps = new_steps();
	guint64 from_ns;
	guint64 to_ns;

	for (guint i = 0; i < n_files; i++) {
		LttCursor *cursor = ltt_cursor_new(ltt_trace_get_tracefile(trace, i));

		if (ltt_select_get_window(select, &from_ns, &to_ns))
			ltt_cursor_set_window(cursor, from_ns, to_ns);
		g_ptr_array_add(cursors, cursor);
		heads[i] = step_cursor(cursor, steps);
	}
	for (;;) {
		guint least = n_files;

		for (guint i = 0; i < n_files; i++) {
			if (heads[i] != NULL &&
			    (least == n_files || heads[i]->time_ns < heads[least]->time_ns))
				least = i;
		}
		if (least == n_files)
			return steps;
		if (ltt_select_matches(select, heads[least]))
			add_event(steps, heads[least]);
		heads[least] = step_cursor(cursors->pdata[least], steps);
	}
}

static GArray *merge_well(LttTrace *trace, LttSelect *select, gboolean reads_ahead)
{
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, select);
	GArray *steps = new_steps();
	const LttEvent *event;

	if (reads_ahead)
		ltt_merge_read_ahead(merge);
	for (;;) {
		g_autoptr(GError) error = NULL;

		switch (ltt_merge_next(merge, &event, &error)) {
		case LTT_STEP_EVENT:
			add_event(steps, event);
			break;
		case LTT_STEP_END:
			return steps;
		default:
			add_error(steps, error);
			ltt_merge_skip_block(merge);
			break;
		}
	}
}

static void assert_same_steps(const GArray *got, const GArray *expected)
{
	guint n_wrong = got->len != expected->len;

	for (guint i = 0; i < MIN(got->len, expected->len); i++) {
		const Step *a = &g_array_index(got, Step, i);
		const Step *b = &g_array_index(expected, Step, i);

		n_wrong += a->time_ns != b->time_ns || a->tracefile != b->tracefile ||
			   a->block != b->block || a->offset_bytes != b->offset_bytes ||
			   g_strcmp0(a->message, b->message) != 0;
	}
	CU_ASSERT_EQUAL(n_wrong, 0);
}

/* ---- tests ---- */

static guint check(LttTrace *trace, LttSelect *select)
{
	g_autoptr(GArray) expected = merge_naively(trace, select);
	g_autoptr(GArray) got = merge_well(trace, select, FALSE);
	g_autoptr(GArray) got_ahead = merge_well(trace, select, TRUE);

	assert_same_steps(got, expected);
	assert_same_steps(got_ahead, expected);
	return expected->len;
}

static void test_random_traces(void)
{
	GRand *random = g_rand_new_with_seed(64);
	guint n_steps = 0;

	for (guint i = 0; i < N_TRACES; i++) {
		g_autofree char *name = g_strdup_printf("trace-%u", i);
		g_autofree char *path = unit_temp_path(name);
		const guint64 from_ns = START_NS + (guint64)g_rand_int_range(random, 0, 15000);
		g_autoptr(LttSelect) all = ltt_select_new();
		g_autoptr(LttSelect) ordinary = ltt_select_new();
		g_autoptr(LttTrace) trace = NULL;
		g_autoptr(GError) error = NULL;

		write_trace(path, random);
		if (i % 3 == 0)
			damage_trace(path, random);
		trace = ltt_trace_open(path, &error);
		UNIT_ASSERT_OK(trace != NULL, error);
		ltt_select_set_all(all, TRUE);
		n_steps += check(trace, all);
		n_steps += check(trace, ordinary);
		ltt_select_set_window(all, from_ns,
				      from_ns + (guint64)g_rand_int_range(random, 1, 8000));
		n_steps += check(trace, all);
	}
	CU_ASSERT_TRUE(n_steps > 500000);
	g_rand_free(random);
}

UNIT_MAIN("merge-order", UNIT(test_random_traces))
