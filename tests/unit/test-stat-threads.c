/* Counting a damaged trace of many blocks: the result does not depend on the number of threads,
 * and equals that of cursors. */
#include "support-stat.h"
#include "unit.h"

#include <ltt/ltt-cursor.h>

#include <string.h>

static void add_count(GString *text, const LttStatCount *count)
{
	g_string_append_printf(text,
			       "%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
			       " %" G_GUINT64_FORMAT,
			       count->name != NULL ? count->name : "-", count->n_events,
			       count->n_bytes, count->first_ns, count->last_ns);
}

static void add_problem(const LttProblem *problem, gpointer text)
{
	g_autofree char *line = ltt_problem_to_string(problem);

	g_string_append_printf(text, "%s\n", line);
}

/* The complete result, and the reported errors. */
static char *describe(LttTrace *trace, LttSelect *select, guint n_threads)
{
	GString *text = g_string_new(NULL);
	const LttStatRequest request = {
		.trace = trace,
		.select = select,
		.n_threads = n_threads,
		.interval_ns = 1000,
		.callbacks = {.on_problem = add_problem, .user_data = text}};
	g_auto(LttStatSummary) stat = {0};

	CU_ASSERT_TRUE_FATAL(ltt_stat(&request, &stat, NULL));
	add_count(text, &stat.total);
	g_string_append_printf(text, " lost %" G_GUINT64_FORMAT "\n", stat.n_lost);
	for (guint i = 0; i < stat.n_types; i++) {
		add_count(text, &stat.types[i]);
		g_string_append_c(text, '\n');
	}
	for (guint i = 0; i < stat.n_tracefiles; i++) {
		const LttStatTracefile *file = &stat.tracefiles[i];

		add_count(text, &file->count);
		g_string_append_printf(text,
				       " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
				       " %" G_GUINT64_FORMAT "\n",
				       file->n_lost, file->gap_ns, file->gap_start_ns);
	}
	for (guint i = 0; i < stat.n_processes; i++) {
		g_string_append_printf(text, "%u ", stat.processes[i].pid);
		add_count(text, &stat.processes[i].count);
		g_string_append_c(text, '\n');
	}
	add_count(text, &stat.no_process);
	for (guint i = 0; i < stat.n_windows; i++) {
		g_string_append_printf(text, "\n%" G_GUINT64_FORMAT " ", stat.windows[i].start_ns);
		add_count(text, &stat.windows[i].count);
	}
	return g_string_free(text, FALSE);
}

/* Three files of some hundred blocks, with many parts and some damage. */
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

/* The same numbers, counted event by event. */
static void test_counts_are_those_of_cursors(void)
{
	StatScene *scene = large_scene();
	g_autoptr(LttTrace) trace = stat_scene_open(scene);
	g_auto(LttStatSummary) stat = {0};
	guint64 n_all = 0;

	CU_ASSERT_TRUE(ltt_stat(&(LttStatRequest){.trace = trace}, &stat, NULL));
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		g_autoptr(LttCursor) cursor = ltt_cursor_new(ltt_trace_get_tracefile(trace, i));
		const LttStatTracefile *file = &stat.tracefiles[i];
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
	CU_ASSERT_EQUAL(stat.total.n_events, n_all);
	CU_ASSERT_TRUE(n_all > 10000);
	stat_scene_free(scene);
}

UNIT_MAIN("stat-threads", UNIT(test_threads_do_not_show), UNIT(test_counts_are_those_of_cursors))
