/* Merging two arrays, several steps at a time; draining ends in the same state as stepping. */
#include "support-hand.h"
#include "support-random-trace.h"
#include "unit.h"

#include "reader/merge-priv.h"
#include "reader/merge-run-priv.h"

#include <ltt/ltt-merge.h>

#include <stdio.h>
#include <string.h>

/* ---- two arrays ---- */

typedef struct Input {
	guint64 *times_ns;
	guint32 *sources; /* of n or 1 */
	LttMergeInput input;
} Input;

static guint64 *make_times(GRand *random, guint32 n)
{
	guint64 *times_ns = g_new(guint64, n);
	guint64 time_ns = 0;

	for (guint32 i = 0; i < n; i++) {
		time_ns += (guint64)g_rand_int_range(random, 0, 4);
		times_ns[i] = time_ns;
	}
	return times_ns;
}

static void make_input(Input *input, GRand *random, guint32 n, gboolean has_one,
		       guint32 first_source)
{
	input->times_ns = make_times(random, n);
	input->sources = g_new(guint32, has_one ? 1 : n);
	for (guint32 i = 0; i < (has_one ? 1 : n); i++)
		input->sources[i] = first_source + i;
	input->input = (LttMergeInput){input->times_ns, input->sources, has_one ? 0 : 1};
}

static void clear_input(Input *input)
{
	g_free(input->times_ns);
	g_free(input->sources);
}

/* Merges two inputs of @n times, and compares with a merge of single steps. */
static void check_run(GRand *random, guint32 n, guint strides)
{
	g_autofree guint64 *times_ns = g_new(guint64, n);
	g_autofree guint32 *sources = g_new(guint32, n);
	LttMergeTaken taken;
	guint32 n_wrong = 0;
	guint32 l = 0;
	guint32 r = 0;
	Input left;
	Input right;

	make_input(&left, random, n, strides & 1, 1000000);
	make_input(&right, random, n, (strides & 2) != 0, 2000000);
	taken = ltt_merge_run(&left.input, &right.input, n, times_ns, sources);
	for (guint32 i = 0; i < n; i++) {
		const gboolean takes_right = right.times_ns[r] < left.times_ns[l];
		const Input *from = takes_right ? &right : &left;
		const guint32 at = takes_right ? r++ : l++;

		n_wrong += times_ns[i] != from->times_ns[at] ||
			   sources[i] != from->sources[at * from->input.stride];
	}
	CU_ASSERT_EQUAL(n_wrong, 0);
	CU_ASSERT_EQUAL(taken.left, l);
	CU_ASSERT_EQUAL(taken.right, r);
	clear_input(&left);
	clear_input(&right);
}

static void test_two_arrays(void)
{
	GRand *random = g_rand_new_with_seed(2003);

	for (guint32 n = 1; n < 400; n++) {
		for (guint strides = 0; strides < 4; strides++)
			check_run(random, n, strides);
	}
	g_rand_free(random);
}

static void test_counting(void)
{
	GRand *random = g_rand_new_with_seed(1965);

	for (guint32 n = 0; n < 200; n++) {
		g_autofree guint64 *times_ns = make_times(random, n);
		guint32 n_wrong = 0;

		for (guint64 last_ns = 0; last_ns < 3 * (guint64)n; last_ns++) {
			guint32 expected = 0;

			while (expected < n && times_ns[expected] <= last_ns)
				expected++;
			n_wrong += ltt_merge_count(times_ns, n, last_ns) != expected;
		}
		CU_ASSERT_EQUAL(n_wrong, 0);
	}
	g_rand_free(random);
}

/* ---- draining ---- */

/* Damages the final word of some blocks. */
static void damage_blocks(const RandomTrace *random, const char *path)
{
	for (guint i = 0; i < RANDOM_N_FILES; i++) {
		g_autofree char *name = g_build_filename(path, random_file_names[i], NULL);
		g_autofree char *bytes = NULL;
		gsize size;

		if (!g_file_get_contents(name, &bytes, &size, NULL))
			continue;
		for (gsize end = (i % 3 + 1) * random->block_bytes; end <= size;
		     end += 3 * random->block_bytes)
			memset(bytes + end - 4, 0xff, 4);
		CU_ASSERT_TRUE(g_file_set_contents(name, bytes, (gssize)size, NULL));
	}
}

/* Appends a line for each step, including errors, to @lines until the end. */
static void step_to_end(LttMerge *merge, GPtrArray *lines)
{
	const LttEvent *event;
	LttStep step;

	do {
		g_autoptr(GError) error = NULL;

		step = ltt_merge_next(merge, &event, &error);
		if (step == LTT_STEP_EVENT)
			g_ptr_array_add(lines,
					g_strdup_printf("%" G_GUINT64_FORMAT
							" %s %" G_GUINT64_FORMAT " %u",
							event->time_ns,
							ltt_tracefile_get_name(event->tracefile),
							event->block, event->offset_bytes));
		if (step == LTT_STEP_ERROR) {
			g_ptr_array_add(lines, g_strdup(error->message));
			ltt_merge_skip_block(merge);
		}
	} while (step != LTT_STEP_END);
}

static GPtrArray *get_lines(LttTrace *trace, LttSelect *select, gboolean reads_ahead)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, select);

	if (reads_ahead)
		ltt_merge_read_ahead(merge);
	step_to_end(merge, lines);
	return lines;
}

/* Reads @n_before events, drains up to an error, and compares the rest with the end of @expected.
 * Returns: FALSE if no error was left */
static gboolean check_drain(LttTrace *trace, guint n_before, const GPtrArray *expected)
{
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, NULL);
	g_autoptr(GPtrArray) rest = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;
	const LttEvent *event;
	guint first;

	for (guint i = 0; i < n_before; i++) {
		if (ltt_merge_next(merge, &event, NULL) == LTT_STEP_ERROR)
			ltt_merge_skip_block(merge);
	}
	if (ltt_merge_drain(merge, &error) == LTT_STEP_END)
		return FALSE;
	g_ptr_array_add(rest, g_strdup(error->message));
	ltt_merge_skip_block(merge);
	step_to_end(merge, rest);
	CU_ASSERT_TRUE(rest->len <= expected->len - n_before);
	first = expected->len - rest->len;
	for (guint i = 0; i < rest->len; i++)
		UNIT_ASSERT_TEXT(rest->pdata[i], expected->pdata[first + i]);
	return TRUE;
}

static void test_draining_ends_where_stepping_does(void)
{
	const LttArch arch = {.byte_order = LTT_LITTLE_ENDIAN};
	g_autofree char *path = unit_temp_path("drain");
	g_autoptr(GPtrArray) lines = NULL;
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(GError) error = NULL;
	RandomTrace random;
	guint n_drains = 0;

	random_trace_init(&random, arch, 1024, 7);
	random_trace_write(&random, path);
	damage_blocks(&random, path);
	random_trace_clear(&random);
	trace = ltt_trace_open(path, &error);
	UNIT_ASSERT_OK(trace != NULL, error);
	lines = get_lines(trace, NULL, FALSE);
	while (check_drain(trace, n_drains * 3, lines))
		n_drains++;
	CU_ASSERT_TRUE(n_drains > 10);
}

/* ---- read-ahead ---- */

static void assert_same_lines(const GPtrArray *got, const GPtrArray *expected)
{
	CU_ASSERT_EQUAL(got->len, expected->len);
	for (guint i = 0; i < MIN(got->len, expected->len); i++)
		UNIT_ASSERT_TEXT(got->pdata[i], expected->pdata[i]);
}

/* Reads everything, a window, and only the first events, so that the thread is interrupted. */
static void check_ahead(LttTrace *trace)
{
	g_autoptr(GPtrArray) expected = get_lines(trace, NULL, FALSE);
	g_autoptr(GPtrArray) got = get_lines(trace, NULL, TRUE);
	g_autoptr(GPtrArray) expected_window = NULL;
	g_autoptr(GPtrArray) got_window = NULL;
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, NULL);
	const LttEvent *event;
	guint64 start_ns;
	guint64 end_ns;

	assert_same_lines(got, expected);
	CU_ASSERT_TRUE(got->len > 100);

	ltt_trace_get_span(trace, &start_ns, &end_ns);
	ltt_select_set_window(select, start_ns + (end_ns - start_ns) / 3,
			      start_ns + (end_ns - start_ns) / 2);
	expected_window = get_lines(trace, select, FALSE);
	got_window = get_lines(trace, select, TRUE);
	assert_same_lines(got_window, expected_window);

	ltt_merge_read_ahead(merge);
	CU_ASSERT_TRUE(ltt_merge_next(merge, &event, NULL) != LTT_STEP_END);
}

static void test_reading_ahead_changes_nothing(void)
{
	for (guint32 seed = 0; seed < 12; seed++) {
		const LttArch arch = {.byte_order = seed % 2 ? LTT_LITTLE_ENDIAN : LTT_BIG_ENDIAN};
		g_autofree char *name = g_strdup_printf("ahead-%u", seed);
		g_autofree char *path = unit_temp_path(name);
		g_autoptr(LttTrace) trace = NULL;
		g_autoptr(GError) error = NULL;
		RandomTrace random;

		random_trace_init(&random, arch, seed % 3 ? 512 : 4096, seed);
		random_trace_write(&random, path);
		if (seed % 4 < 2)
			damage_blocks(&random, path);
		random_trace_clear(&random);
		trace = ltt_trace_open(path, &error);
		UNIT_ASSERT_OK(trace != NULL, error);
		check_ahead(trace);
	}
}

/* Blocks with as many events as their arrays have room for. */
static void test_full_arrays(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, 8192, NULL);
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *got = NULL;
	guint n_lines = 0;

	for (guint cpu = 0; cpu < 4; cpu++) {
		g_autofree char *name = g_strdup_printf("cpu/%u", cpu);
		g_autoptr(GString) words = g_string_new(NULL);

		g_string_printf(words, "@%u", 100 + cpu);
		for (guint i = 1; i < 1023; i++)
			g_string_append_printf(words, " N%u", 100 + cpu + 4 * i);
		g_string_append_printf(words, " E%u", 100 + cpu + 4 * 1023);
		hand_add(&hand, name, words->str);
	}
	trace = hand_open(&hand);
	got = hand_read(trace);
	CU_ASSERT_PTR_NULL(strchr(got, '!'));
	for (const char *at = got; (at = strstr(at, "cpu/")) != NULL; at++) {
		guint cpu;
		guint time;

		CU_ASSERT_EQUAL(sscanf(at, "cpu/%u@%u ", &cpu, &time), 2);
		CU_ASSERT_EQUAL(cpu, n_lines % 4);
		CU_ASSERT_EQUAL(time, 100 + n_lines);
		n_lines++;
	}
	CU_ASSERT_EQUAL(n_lines, 4096);
	hand_clear(&hand);
}

/* A file that is not selected is not read, so its damage is not reported. */
static void test_damage_in_a_file_that_is_not_selected(void)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, 256, NULL);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;

	hand_add(&hand, "cpu/0", "@100 N110 X120:99:00");
	hand_add(&hand, "cpu/1", "@100 N130 E140");
	trace = hand_open(&hand);
	CU_ASSERT_TRUE(ltt_select_set_cpus(select, "1", NULL));
	merge = ltt_merge_new(trace, select);
	CU_ASSERT_EQUAL_FATAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(event->time_ns, 130);
	CU_ASSERT_EQUAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_END);
	hand_clear(&hand);
}

UNIT_MAIN("merge", UNIT(test_two_arrays), UNIT(test_counting),
	  UNIT(test_draining_ends_where_stepping_does), UNIT(test_reading_ahead_changes_nothing),
	  UNIT(test_full_arrays), UNIT(test_damage_in_a_file_that_is_not_selected))
