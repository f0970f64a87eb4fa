/* Counting hand-made traces: gaps, windows, processes; progress and cancelling. */
#include "support-stat.h"
#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-time.h>

#define BLOCK_BYTES 256

/* ---- progress ---- */

typedef struct Reports {
	guint64 n_done; /* the final value */
	guint64 n_total;
	guint n_calls;
	guint n_wrong; /* calls that do not increase, or exceed the end */
	guint end_at;  /* the call that cancels; 0: none */
} Reports;

static gboolean note_progress(const LttProgress *progress, gpointer user_data)
{
	Reports *reports = user_data;

	reports->n_wrong += (reports->n_calls > 0 && progress->n_done <= reports->n_done) ||
			    progress->n_done > progress->n_total ||
			    progress->unit != LTT_PROGRESS_BLOCKS;
	reports->n_done = progress->n_done;
	reports->n_total = progress->n_total;
	return ++reports->n_calls != reports->end_at;
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
		Reports reports = {0};
		const LttStatRequest request = {
			.trace = trace,
			.n_threads = n_threads,
			.callbacks = {.on_progress = note_progress, .user_data = &reports},
		};
		g_autoptr(GError) error = NULL;

		UNIT_ASSERT_OK(ltt_stat(&request, NULL, &error), error);
		CU_ASSERT_TRUE(reports.n_calls > 2);
		CU_ASSERT_EQUAL(reports.n_wrong, 0);
		CU_ASSERT_EQUAL(reports.n_done, reports.n_total);
	}
	stat_scene_free(scene);
}

static void test_progress_ends_it(void)
{
	StatScene *scene = new_long_scene();
	g_autoptr(LttTrace) trace = stat_scene_open(scene);
	Reports reports = {.end_at = 2};
	const LttStatRequest request = {
		.trace = trace,
		.callbacks = {.on_progress = note_progress, .user_data = &reports},
	};
	g_autoptr(GError) error = NULL;

	CU_ASSERT_FALSE(ltt_stat(&request, NULL, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_CANCELLED, "cancelled");
	CU_ASSERT_EQUAL(reports.n_calls, 2);
	stat_scene_free(scene);
}

static void test_progress_of_a_check(void)
{
	StatScene *scene = new_long_scene();
	g_autoptr(LttTrace) trace = stat_scene_open(scene);
	LttCheckSummary summary;
	Reports reports = {0};
	const LttCheckRequest request = {
		.trace = trace,
		.callbacks = {stat_scene_no_problem, note_progress, &reports},
	};
	g_autoptr(GError) error = NULL;

	CU_ASSERT_TRUE(ltt_check(&request, &summary, NULL));
	CU_ASSERT_EQUAL(summary.n_events, 2000);
	CU_ASSERT_TRUE(reports.n_calls > 2000);
	CU_ASSERT_EQUAL(reports.n_wrong, 0);
	CU_ASSERT_EQUAL(reports.n_total, reports.n_calls);

	reports = (Reports){.end_at = 1000};
	CU_ASSERT_FALSE(ltt_check(&request, &summary, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_CANCELLED, "cancelled");
	CU_ASSERT_EQUAL(reports.n_calls, 1000);
	CU_ASSERT_EQUAL(summary.n_events, 2000);
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
	g_auto(LttStatSummary) stat = {0};

	stat_scene_add(scene, "cpu/0", 0, "@100 110 T7 120 R130 T9 140 T7 150");
	stat_scene_add(scene, "cpu/0", 1, "@200 R210 T9 R215 open");
	stat_scene_add(scene, "cpu/1", 0, "@90 T9 95");
	stat_scene_add_process(scene, 7, "first");
	stat_scene_add_process(scene, 8, "nobody");
	stat_scene_add_process(scene, 7, "then");
	stat_scene_count(scene, NULL, 0, &stat);

	assert_count(&stat.total, NULL, 8, 5 * 6 + 3 * 14, 95, 215);
	CU_ASSERT_EQUAL(stat.n_types, 2);
	assert_count(&stat.types[0], "disk.idle", 5, 5 * 6, 95, 150);
	assert_count(&stat.types[1], "disk.read", 3, 3 * 14, 130, 215);
	CU_ASSERT_EQUAL(stat.n_processes, 2);
	CU_ASSERT_EQUAL(stat.processes[0].pid, 7); /* equal count, smaller name */
	assert_count(&stat.processes[0].count, "then", 3, 2 * 6 + 14, 120, 150);
	CU_ASSERT_EQUAL(stat.processes[1].pid, 9);
	assert_count(&stat.processes[1].count, NULL, 3, 2 * 6 + 14, 95, 215);
	assert_count(&stat.no_process, NULL, 2, 6 + 14, 110, 210);

	CU_ASSERT_EQUAL(stat.n_tracefiles, 4);
	assert_count(&stat.tracefiles[0].count, "control/facilities", 0, 0, 0, 0);
	assert_count(&stat.tracefiles[1].count, "control/processes", 0, 0, 0, 0);
	assert_count(&stat.tracefiles[2].count, "cpu/0", 7, 4 * 6 + 3 * 14, 110, 215);
	CU_ASSERT_EQUAL(stat.tracefiles[2].gap_ns, 60);
	CU_ASSERT_EQUAL(stat.tracefiles[2].gap_start_ns, 150);
	assert_count(&stat.tracefiles[3].count, "cpu/1", 1, 6, 95, 95);
	CU_ASSERT_EQUAL(stat.tracefiles[3].gap_ns, 0);
	CU_ASSERT_EQUAL(stat.n_windows, 0);
	stat_scene_free(scene);
}

static void test_gaps(void)
{
	StatScene *scene = stat_scene_new(BLOCK_BYTES);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_auto(LttStatSummary) stat = {0};
	g_auto(LttStatSummary) reads = {0};

	/* The first of equal gaps; empty blocks and decreasing times do not end a gap. */
	stat_scene_add(scene, "cpu/0", 0, "@10 R10 20 R30");
	stat_scene_add(scene, "cpu/0", 1, "@31 T5");
	stat_scene_add(scene, "cpu/0", 2, "@35 40");
	stat_scene_add(scene, "cpu/0", 3, "@32 R32 42");
	stat_scene_count(scene, NULL, 0, &stat);
	CU_ASSERT_EQUAL(stat.tracefiles[1].gap_ns, 10);
	CU_ASSERT_EQUAL(stat.tracefiles[1].gap_start_ns, 10);
	/* Between counted events. */
	CU_ASSERT_TRUE(ltt_select_set_events(select, "disk.read", NULL));
	stat_scene_count(scene, select, 0, &reads);
	CU_ASSERT_EQUAL(reads.tracefiles[1].gap_ns, 20);
	CU_ASSERT_EQUAL(reads.tracefiles[1].gap_start_ns, 10);
	stat_scene_free(scene);
}

/* ---- windows ---- */

static void assert_windows(StatScene *scene, LttSelect *select, guint64 interval_ns,
			   const char *expected)
{
	g_auto(LttStatSummary) stat = {0};
	g_autoptr(GString) got = g_string_new(NULL);

	stat_scene_count(scene, select, interval_ns, &stat);
	for (guint i = 0; i < stat.n_windows; i++)
		g_string_append_printf(got, "%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT " ",
				       stat.windows[i].start_ns, stat.windows[i].count.n_events);
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
	assert_windows(scene, NULL, LTT_MAX_TIME_NS, "0:6 15:7 ");
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
			const LttStatRequest request = {
				.trace = trace, .n_threads = n_threads, .interval_ns = interval_ns};
			g_autoptr(GError) error = NULL;
			g_auto(LttStatSummary) stat = {0};

			if (interval_ns == 1) {
				CU_ASSERT_FALSE(ltt_stat(&request, &stat, &error));
				UNIT_ASSERT_ERROR(error, LTT_ERROR_LIMIT,
						  "more than 1000000 windows with events: expected "
						  "a longer interval");
			} else {
				UNIT_ASSERT_OK(ltt_stat(&request, &stat, &error), error);
				CU_ASSERT_EQUAL(stat.n_windows, n_events / 2 + 1);
				CU_ASSERT_EQUAL(stat.total.n_events, n_events);
			}
		}
	}
	g_string_free(words, TRUE);
	stat_scene_free(scene);
}

UNIT_MAIN("stat", UNIT(test_progress), UNIT(test_progress_ends_it), UNIT(test_progress_of_a_check),
	  UNIT(test_counts), UNIT(test_gaps), UNIT(test_windows), UNIT(test_too_many_windows))
