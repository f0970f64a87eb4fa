/* Counting, against traces made by hand: losses, gaps, windows, processes; and that the number of
 * threads does not show. */
#include "support-stat.h"
#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-cursor.h>
#include <ltt/ltt-stat.h>
#include <ltt/ltt-time.h>

#include <string.h>

#define BLOCK_BYTES 256

/* Frees the trace that the last call has opened. */
static LttStat *count(StatScene *scene, LttSelect *select, guint64 interval_ns)
{
	const LttStatOptions options = {.n_threads = 1, .interval_ns = interval_ns};
	static LttTrace *trace; /* the names of the result live in it */
	g_autoptr(GError) error = NULL;
	LttStat *stat;

	ltt_trace_free(trace);
	trace = stat_scene_open(scene);
	stat = ltt_stat_new(trace, select, &options, &error);
	UNIT_ASSERT_OK(stat != NULL, error);
	return stat;
}

/* ---- losses ---- */

typedef struct LossCase {
	const char *what;
	const char *blocks[4]; /* of cpu/0 */
	guint32 first_id;
	guint64 from_ns; /* 0: no window */
	guint64 to_ns;
	guint64 expected;
} LossCase;

static const LossCase losses[] = {
	{"no losses", {"@0 C T1 5 6"}, 0, 0, 0, 0},
	{"the greatest total", {"@0 C T1 5 L3 6", "@10 C T1 L3 11 L7 12"}, 0, 0, 0, 7},
	{"a total met twice", {"@0 L3 5 L3 6 L3"}, 0, 0, 0, 3},
	{"a smaller one later", {"@0 L9 5 L3 6"}, 0, 0, 0, 9},
	{"before the first event of a whole recording", {"@0 C T1 L4 5"}, 0, 0, 0, 4},
	{"in an open block", {"@0 C T1 5", "@10 C T1 11 L2 open"}, 0, 0, 0, 2},
	/* The beginning is gone: what was lost there is no matter. */
	{"flight recorder, lost before", {"@0 C T1 L4 5 6"}, 7, 0, 0, 0},
	{"flight recorder, lost before and within",
	 {"@0 C T1 L4 5 L6 6", "@9 C T1 L6"},
	 7,
	 0,
	 0,
	 2},
	{"flight recorder, lost within", {"@0 C T1 5 L6 6"}, 7, 0, 0, 6},
	{"flight recorder, another writer", {"@0 L4 5 L6 6"}, 7, 0, 0, 2},
	/* Windows. */
	{"a window behind all losses", {"@0 C 5 L3 6", "@10 C L3 11", "@20 C L3 21"}, 0, 20, 99, 0},
	{"a window with losses", {"@0 C 5 L3 6", "@10 C L3 11 L5 12", "@20 C L5 21"}, 0, 11, 99, 2},
	{"a window before all losses", {"@0 C 5 6", "@10 C 11 L5 12"}, 0, 1, 11, 0},
	{"a window that ends between losses", {"@0 C 5 L3 6", "@10 C L3 11 L5 12"}, 0, 1, 11, 3},
	{"a window within a block", {"@0 C 5 L3 7 L4 8 L6 9 L7"}, 0, 7, 9, 3},
	{"a window, totals are not repeated",
	 {"@0 5 L3 6", "@10 11", "@20 21 L5 22"},
	 0,
	 20,
	 99,
	 2},
	{"a window, no totals before", {"@0 5 6", "@10 11", "@20 21 L5 22"}, 0, 20, 99, 5},
	{"a window, a live writer without losses",
	 {"@0 C 5", "@10 C 11", "@20 C 21 L5"},
	 0,
	 20,
	 99,
	 5},
};

static void no_problem(const LttProblem *problem, gpointer user_data)
{
	(void)user_data;
	UNIT_ASSERT_TEXT(problem->message, "");
}

/* A check, which has no window, finds as many. */
static void assert_check_finds(StatScene *scene, guint64 n_lost)
{
	g_autoptr(LttTrace) trace = stat_scene_open(scene);
	LttCheckSummary summary;

	ltt_trace_check(trace, no_problem, NULL, NULL, &summary);
	CU_ASSERT_EQUAL(summary.n_lost, n_lost);
}

static void test_losses(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(losses); i++) {
		const LossCase *loss = &losses[i];
		StatScene *scene = stat_scene_new(BLOCK_BYTES);
		g_autoptr(LttSelect) select = ltt_select_new();
		g_autoptr(LttStat) stat = NULL;
		g_autofree char *got = NULL;
		g_autofree char *expected = NULL;

		for (guint j = 0; j < 4 && loss->blocks[j] != NULL; j++)
			stat_scene_add(scene, "cpu/0", loss->first_id + j, loss->blocks[j]);
		if (loss->to_ns > 0)
			ltt_select_set_window(select, loss->from_ns, loss->to_ns);
		else
			assert_check_finds(scene, loss->expected);
		stat = count(scene, select, 0);
		got = g_strdup_printf("%s: %" G_GUINT64_FORMAT, loss->what, stat->n_lost);
		expected = g_strdup_printf("%s: %" G_GUINT64_FORMAT, loss->what, loss->expected);
		UNIT_ASSERT_TEXT(got, expected);
		stat_scene_free(scene);
	}
}

static void test_losses_of_several_files(void)
{
	StatScene *scene = stat_scene_new(BLOCK_BYTES);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttStat) all = NULL;
	g_autoptr(LttStat) one = NULL;

	stat_scene_add(scene, "cpu/0", 0, "@0 C 5 L3 6");
	stat_scene_add(scene, "cpu/1", 4, "@0 C L10 5 L11 6");
	stat_scene_add(scene, "cpu/3", 0, "@0 C 5 6");
	all = count(scene, NULL, 0);
	CU_ASSERT_EQUAL(all->n_lost, 4);
	CU_ASSERT_EQUAL(all->n_tracefiles, 4); /* control/facilities is one */
	CU_ASSERT_EQUAL(all->tracefiles[1].n_lost, 3);
	CU_ASSERT_EQUAL(all->tracefiles[2].n_lost, 1);
	CU_ASSERT_EQUAL(all->tracefiles[3].n_lost, 0);

	/* Names do not matter to losses, files do. */
	CU_ASSERT_TRUE(ltt_select_set_events(select, "disk.read", NULL));
	CU_ASSERT_TRUE(ltt_select_set_cpus(select, "1-3", NULL));
	one = count(scene, select, 0);
	CU_ASSERT_EQUAL(one->n_lost, 1);
	CU_ASSERT_EQUAL(one->total.n_events, 0);
	CU_ASSERT_EQUAL(one->n_tracefiles, 2);
	stat_scene_free(scene);
}

/* ---- progress ---- */

typedef struct Told {
	guint64 n_done; /* at last */
	guint64 n_total;
	guint n_calls;
	guint n_wrong; /* calls that do not rise, or pass the end */
	guint end_at;  /* the call that asks for the end; 0: none does */
} Told;

static gboolean note_progress(guint64 n_done, guint64 n_total, gpointer user_data)
{
	Told *told = user_data;

	told->n_wrong += (told->n_calls > 0 && n_done <= told->n_done) || n_done > n_total;
	told->n_done = n_done;
	told->n_total = n_total;
	return ++told->n_calls != told->end_at;
}

static StatScene *new_long_scene(void)
{
	StatScene *scene = stat_scene_new(BLOCK_BYTES);

	for (guint i = 0; i < 2000; i++) {
		g_autofree char *words = g_strdup_printf("@%u C %u", i * 10, i * 10 + 1);

		stat_scene_add(scene, i % 2 ? "cpu/0" : "cpu/1", i / 2, words);
	}
	return scene;
}

static void test_progress(void)
{
	StatScene *scene = new_long_scene();
	g_autoptr(LttTrace) trace = stat_scene_open(scene);

	for (guint n_threads = 1; n_threads < 4; n_threads++) {
		Told told = {0};
		const LttStatOptions options = {.n_threads = n_threads,
						.on_progress = note_progress,
						.progress_data = &told};
		g_autoptr(GError) error = NULL;
		g_autoptr(LttStat) stat = ltt_stat_new(trace, NULL, &options, &error);

		UNIT_ASSERT_OK(stat != NULL, error);
		CU_ASSERT_TRUE(told.n_calls > 2);
		CU_ASSERT_EQUAL(told.n_wrong, 0);
		CU_ASSERT_EQUAL(told.n_done, told.n_total);
	}
	stat_scene_free(scene);
}

static void test_progress_ends_it(void)
{
	StatScene *scene = new_long_scene();
	g_autoptr(LttTrace) trace = stat_scene_open(scene);
	Told told = {.end_at = 2};
	const LttStatOptions options = {.on_progress = note_progress, .progress_data = &told};
	g_autoptr(GError) error = NULL;
	g_autoptr(LttStat) stat = ltt_stat_new(trace, NULL, &options, &error);

	CU_ASSERT_PTR_NULL(stat);
	UNIT_ASSERT_ERROR(error, LTT_ERROR_IO, "was ended");
	CU_ASSERT_EQUAL(told.n_calls, 2);
	stat_scene_free(scene);
}

static void test_progress_of_a_check(void)
{
	StatScene *scene = new_long_scene();
	g_autoptr(LttTrace) trace = stat_scene_open(scene);
	LttCheckSummary summary;
	Told told = {0};

	ltt_trace_check(trace, no_problem, note_progress, &told, &summary);
	CU_ASSERT_EQUAL(summary.n_events, 2000);
	CU_ASSERT_TRUE(told.n_calls > 2000);
	CU_ASSERT_EQUAL(told.n_wrong, 0);
	CU_ASSERT_EQUAL(told.n_total, told.n_calls);

	told = (Told){.end_at = 1000};
	ltt_trace_check(trace, no_problem, note_progress, &told, &summary);
	CU_ASSERT_EQUAL(told.n_calls, 1000);
	CU_ASSERT_TRUE(summary.n_events > 900 && summary.n_events < 1000);
	stat_scene_free(scene);
}

/* ---- counts ---- */

static void assert_count(const LttStatCount *got, const char *name, guint64 n_events,
			 guint64 n_bytes, guint64 first_ns, guint64 last_ns)
{
	UNIT_ASSERT_TEXT(got->name, name);
	CU_ASSERT_EQUAL(got->n_events, n_events);
	CU_ASSERT_EQUAL(got->n_bytes, n_bytes);
	CU_ASSERT_EQUAL(got->first_ns, first_ns);
	CU_ASSERT_EQUAL(got->last_ns, last_ns);
}

static void test_counts(void)
{
	StatScene *scene = stat_scene_new(BLOCK_BYTES);
	g_autoptr(LttStat) stat = NULL;

	stat_scene_add(scene, "cpu/0", 0, "@100 110 T7 120 R130 T9 140 T7 150");
	stat_scene_add(scene, "cpu/0", 1, "@200 R210 T9 R215 open");
	stat_scene_add(scene, "cpu/1", 0, "@90 T9 95");
	stat_scene_add_process(scene, 7, "first");
	stat_scene_add_process(scene, 8, "nobody");
	stat_scene_add_process(scene, 7, "then");
	stat = count(scene, NULL, 0);

	assert_count(&stat->total, NULL, 8, 5 * 6 + 3 * 14, 95, 215);
	CU_ASSERT_EQUAL(stat->n_types, 2);
	assert_count(&stat->types[0], "disk.idle", 5, 5 * 6, 95, 150);
	assert_count(&stat->types[1], "disk.read", 3, 3 * 14, 130, 215);
	CU_ASSERT_EQUAL(stat->n_processes, 2);
	CU_ASSERT_EQUAL(stat->processes[0].pid, 7); /* as many as the next, but less */
	assert_count(&stat->processes[0].count, "then", 3, 2 * 6 + 14, 120, 150);
	CU_ASSERT_EQUAL(stat->processes[1].pid, 9);
	assert_count(&stat->processes[1].count, NULL, 3, 2 * 6 + 14, 95, 215);
	assert_count(&stat->no_process, NULL, 2, 6 + 14, 110, 210);

	CU_ASSERT_EQUAL(stat->n_tracefiles, 4);
	assert_count(&stat->tracefiles[0].count, "control/facilities", 0, 0, 0, 0);
	assert_count(&stat->tracefiles[1].count, "control/processes", 0, 0, 0, 0);
	assert_count(&stat->tracefiles[2].count, "cpu/0", 7, 4 * 6 + 3 * 14, 110, 215);
	CU_ASSERT_EQUAL(stat->tracefiles[2].gap_ns, 60);
	CU_ASSERT_EQUAL(stat->tracefiles[2].gap_start_ns, 150);
	assert_count(&stat->tracefiles[3].count, "cpu/1", 1, 6, 95, 95);
	CU_ASSERT_EQUAL(stat->tracefiles[3].gap_ns, 0);
	CU_ASSERT_EQUAL(stat->n_windows, 0);
	stat_scene_free(scene);
}

static void test_gaps(void)
{
	StatScene *scene = stat_scene_new(BLOCK_BYTES);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttStat) stat = NULL;
	g_autoptr(LttStat) reads = NULL;

	/* Of equal gaps the first; a block without events, and time going back, are no end of one.
	 */
	stat_scene_add(scene, "cpu/0", 0, "@10 R10 20 R30");
	stat_scene_add(scene, "cpu/0", 1, "@31 T5");
	stat_scene_add(scene, "cpu/0", 2, "@35 40");
	stat_scene_add(scene, "cpu/0", 3, "@32 R32 42");
	stat = count(scene, NULL, 0);
	CU_ASSERT_EQUAL(stat->tracefiles[1].gap_ns, 10);
	CU_ASSERT_EQUAL(stat->tracefiles[1].gap_start_ns, 10);
	/* Between events that are counted. */
	CU_ASSERT_TRUE(ltt_select_set_events(select, "disk.read", NULL));
	reads = count(scene, select, 0);
	CU_ASSERT_EQUAL(reads->tracefiles[1].gap_ns, 20);
	CU_ASSERT_EQUAL(reads->tracefiles[1].gap_start_ns, 10);
	stat_scene_free(scene);
}

/* ---- windows ---- */

static void assert_windows(StatScene *scene, LttSelect *select, guint64 interval_ns,
			   const char *expected)
{
	g_autoptr(LttStat) stat = count(scene, select, interval_ns);
	g_autoptr(GString) got = g_string_new(NULL);

	for (guint i = 0; i < stat->n_windows; i++)
		g_string_append_printf(got, "%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT " ",
				       stat->windows[i].start_ns, stat->windows[i].count.n_events);
	UNIT_ASSERT_TEXT(got->str, expected);
}

static void test_windows(void)
{
	StatScene *scene = stat_scene_new(BLOCK_BYTES);
	g_autoptr(LttSelect) select = ltt_select_new();

	stat_scene_add(scene, "cpu/0", 0, "@15 15 16 24 25 26 60");
	stat_scene_add(scene, "control/before", 0, "@0 0 1 4 5 6 14 15");
	/* From the start of the cpu files, 15, in both directions; the first window is cut off. */
	assert_windows(scene, NULL, 10, "0:3 5:3 15:4 25:2 55:1 ");
	assert_windows(scene, NULL, 1000, "0:6 15:7 ");
	assert_windows(scene, NULL, 1, "0:1 1:1 4:1 5:1 6:1 14:1 15:2 16:1 24:1 25:1 26:1 60:1 ");
	assert_windows(scene, NULL, LTT_TIME_MAX, "0:6 15:7 ");
	ltt_select_set_window(select, 4, 26);
	assert_windows(scene, select, 10, "4:3 14:4 24:2 ");
	ltt_select_set_window(select, 0, 26);
	assert_windows(scene, select, 10, "0:3 5:3 15:4 25:1 ");
	stat_scene_free(scene);
}

static void test_too_many_windows(void)
{
	const gsize block_bytes = 1024 * 1024;
	const guint64 n_events = LTT_MAX_STAT_WINDOWS + 1;
	StatScene *scene = stat_scene_new(block_bytes);
	GString *words = g_string_new(NULL);
	g_autoptr(LttTrace) trace = NULL;

	for (guint64 at = 0, id = 0; at < n_events; id++) {
		const guint64 end = MIN(at + block_bytes / 6 - 16, n_events);

		g_string_printf(words, "@%" G_GUINT64_FORMAT, at);
		for (; at < end; at++)
			g_string_append_printf(words, " %" G_GUINT64_FORMAT, at);
		stat_scene_add(scene, id % 2 != 0 ? "cpu/1" : "cpu/0", (guint32)id, words->str);
	}
	trace = stat_scene_open(scene);
	for (guint n_threads = 1; n_threads <= 3; n_threads++) {
		for (guint64 interval_ns = 1; interval_ns <= 2; interval_ns++) {
			const LttStatOptions options = {.n_threads = n_threads,
							.interval_ns = interval_ns};
			g_autoptr(GError) error = NULL;
			g_autoptr(LttStat) stat = ltt_stat_new(trace, NULL, &options, &error);

			if (interval_ns == 1) {
				CU_ASSERT_PTR_NULL(stat);
				UNIT_ASSERT_ERROR(error, LTT_ERROR_LIMIT,
						  "more than 1000000 windows with events: expected "
						  "a longer interval");
			} else {
				UNIT_ASSERT_OK(stat != NULL, error);
				CU_ASSERT_EQUAL(stat->n_windows, n_events / 2 + 1);
				CU_ASSERT_EQUAL(stat->total.n_events, n_events);
			}
		}
	}
	g_string_free(words, TRUE);
	stat_scene_free(scene);
}

/* ---- threads ---- */

static void add_count(GString *text, const LttStatCount *count)
{
	g_string_append_printf(text,
			       "%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
			       " %" G_GUINT64_FORMAT,
			       count->name != NULL ? count->name : "-", count->n_events,
			       count->n_bytes, count->first_ns, count->last_ns);
}

static void on_error(const GError *error, gpointer text)
{
	g_string_append_printf(text, "%s\n", error->message);
}

/* Everything that a result says, and the errors told of on the way. */
static char *describe(LttTrace *trace, LttSelect *select, guint n_threads)
{
	GString *text = g_string_new(NULL);
	const LttStatOptions options = {.n_threads = n_threads,
					.interval_ns = 1000,
					.on_error = on_error,
					.user_data = text};
	g_autoptr(LttStat) stat = ltt_stat_new(trace, select, &options, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(stat);
	add_count(text, &stat->total);
	g_string_append_printf(text, " lost %" G_GUINT64_FORMAT "\n", stat->n_lost);
	for (guint i = 0; i < stat->n_types; i++) {
		add_count(text, &stat->types[i]);
		g_string_append_c(text, '\n');
	}
	for (guint i = 0; i < stat->n_tracefiles; i++) {
		const LttStatTracefile *file = &stat->tracefiles[i];

		add_count(text, &file->count);
		g_string_append_printf(text,
				       " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
				       " %" G_GUINT64_FORMAT "\n",
				       file->n_lost, file->gap_ns, file->gap_start_ns);
	}
	for (guint i = 0; i < stat->n_processes; i++) {
		g_string_append_printf(text, "%u ", stat->processes[i].pid);
		add_count(text, &stat->processes[i].count);
		g_string_append_c(text, '\n');
	}
	add_count(text, &stat->no_process);
	for (guint i = 0; i < stat->n_windows; i++) {
		g_string_append_printf(text, "\n%" G_GUINT64_FORMAT " ", stat->windows[i].start_ns);
		add_count(text, &stat->windows[i].count);
	}
	return g_string_free(text, FALSE);
}

/* Three files of some hundred blocks, many parts each, with damage here and there. */
static StatScene *large_scene(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1973);
	StatScene *scene = stat_scene_new(1024);
	GString *words = g_string_new(NULL);

	for (guint cpu = 0; cpu < 3; cpu++) {
		g_autofree char *name = g_strdup_printf("cpu/%u", cpu);
		guint64 time_ns = 1000 * cpu;
		guint lost = 0;

		for (guint id = 3; id < 300; id++) {
			g_string_printf(words, "@%" G_GUINT64_FORMAT " C", time_ns);
			for (gint n = g_rand_int_range(random, 0, 40); n > 0; n--) {
				const gint what = g_rand_int_range(random, 0, 100);

				time_ns += (guint64)g_rand_int_range(random, 0, 20);
				if (what < 10)
					g_string_append_printf(words, " T%d", what);
				else if (what < 12)
					g_string_append_printf(words, " L%u", ++lost);
				else
					g_string_append_printf(words, " %s%" G_GUINT64_FORMAT,
							       what < 40 ? "R" : "", time_ns);
			}
			if (g_rand_int_range(random, 0, 20) == 0)
				g_string_append(words, " ?");
			stat_scene_add(scene, name, id, words->str);
		}
	}
	g_string_free(words, TRUE);
	return scene;
}

static void test_threads_do_not_show(void)
{
	StatScene *scene = large_scene();
	g_autoptr(LttTrace) trace = stat_scene_open(scene);

	for (guint way = 0; way < 4; way++) {
		g_autoptr(LttSelect) select = ltt_select_new();
		g_autoptr(LttFilter) filter =
			ltt_filter_new("data > 3000 || pid != 4 && event =~ \"*e*\"", NULL);
		g_autofree char *alone = NULL;

		ltt_select_set_all(select, way % 2 == 1);
		if (way >= 1)
			ltt_select_set_filter(select, filter);
		if (way >= 2)
			ltt_select_set_window(select, 5000, 40000);
		alone = describe(trace, select, 1);
		CU_ASSERT_PTR_NOT_NULL(strstr(alone, "no loaded facility covers it"));
		for (guint n_threads = 2; n_threads <= 9; n_threads++) {
			g_autofree char *together = describe(trace, select, n_threads);

			UNIT_ASSERT_TEXT(together, alone);
		}
	}
	stat_scene_free(scene);
}

/* The same numbers by going through the events one by one. */
static void test_counts_are_those_of_cursors(void)
{
	StatScene *scene = large_scene();
	g_autoptr(LttTrace) trace = stat_scene_open(scene);
	g_autoptr(LttStat) stat = ltt_stat_new(trace, NULL, NULL, NULL);
	guint64 n_all = 0;

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		g_autoptr(LttCursor) cursor = ltt_cursor_new(ltt_trace_get_tracefile(trace, i));
		const LttStatTracefile *file = &stat->tracefiles[i];
		const LttEvent *event;
		guint64 n_events = 0;
		guint64 n_bytes = 0;
		guint64 gap_ns = 0;
		guint64 last_ns = G_MAXUINT64;
		LttStep step;

		while ((step = ltt_cursor_next(cursor, &event, NULL)) != LTT_STEP_END) {
			if (step == LTT_STEP_ERROR) {
				ltt_cursor_skip_block(cursor);
			} else if (!ltt_event_is_hidden(event)) {
				n_events++;
				n_bytes += 6 + event->payload_bytes;
				if (event->time_ns > last_ns)
					gap_ns = MAX(gap_ns, event->time_ns - last_ns);
				last_ns = event->time_ns;
			}
		}
		CU_ASSERT_EQUAL(file->count.n_events, n_events);
		CU_ASSERT_EQUAL(file->count.n_bytes, n_bytes);
		CU_ASSERT_EQUAL(file->gap_ns, gap_ns);
		n_all += n_events;
	}
	CU_ASSERT_EQUAL(stat->total.n_events, n_all);
	CU_ASSERT_TRUE(n_all > 10000);
	stat_scene_free(scene);
}

UNIT_MAIN("stat", UNIT(test_losses), UNIT(test_losses_of_several_files), UNIT(test_progress),
	  UNIT(test_progress_ends_it), UNIT(test_progress_of_a_check), UNIT(test_counts),
	  UNIT(test_gaps), UNIT(test_windows), UNIT(test_too_many_windows),
	  UNIT(test_threads_do_not_show), UNIT(test_counts_are_those_of_cursors))
